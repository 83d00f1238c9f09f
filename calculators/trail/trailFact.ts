import type { FactSheet, SheetEntry } from '../filing/factSheet.ts';
import type { RootPart } from '../network/networkRoots.ts';
import type { TrailFact, TrailSource } from './resolutionTrail.ts';

/** The filed fact behind a concept's amount at the period end; null when it is not filed. */
export function trailFact(sheet: FactSheet, concept: string, weight: 1 | -1): TrailFact | null {
  const entry = sheet.chosen(concept);
  if (entry === null || entry.kind === 'blocked') return null;
  const { accession } = entry;
  const place = { concept, weight, accession, unit: 'USD', start: null, end: sheet.period };
  if (entry.origin === 'companyfacts') {
    const row = { context: null, dimensions: [], decimals: null, origin: entry.origin };
    return { kind: 'fact', ...place, value: entry.value, ...row };
  }
  const { contextId, dimensions, decimals } = entry.fact;
  return {
    kind: 'fact',
    ...place,
    value: amountOf(entry),
    context: contextId,
    dimensions,
    decimals,
    origin: entry.origin,
  };
}

/** What a root's value is made of: its own fact, or the sum of the reported concepts below it (M1.26). */
export function trailSources(
  sheet: FactSheet,
  root: {
    readonly concept: string;
    readonly value: TrailFact['value'];
    readonly parts: readonly RootPart[];
    readonly role: string;
  },
): readonly TrailSource[] {
  const facts = root.parts
    .map((part) => trailFact(sheet, part.concept, part.weight))
    .filter((fact) => fact !== null);
  const isOwnFact = root.parts.length === 1 && root.parts[0]?.concept === root.concept;
  if (isOwnFact || root.value === null) return facts;
  const { concept, value, role } = root;
  return [{ kind: 'sum', concept, value, weight: 1, role, children: facts }];
}

function amountOf(entry: SheetEntry): TrailFact['value'] {
  return entry.kind === 'fact' ? entry.value : null;
}
