import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type ChosenFact, chooseDuplicate } from './chooseDuplicate.ts';
import { availableFiling } from './filingSource.ts';
import type { RelatedPartyLine } from './relatedPartyLines.ts';
import type { FiledFact, Filing, IssuerInputs } from './rows.ts';
import type { InstanceFact, NamedLines } from './xbrlFiling.ts';

/**
 * The whole-entity facts one filing states, and what may be read from them (M1.7–M1.10).
 *
 * Concepts are named by QName (`us-gaap:Liabilities`).
 */
export type FactSheet = {
  readonly period: string;
  /** USD at the period end; null when not filed, nil, or filed twice with contradicting values. */
  amount(concept: string): ExactDecimal | null;
  /** As {@link FactSheet.amount}, when it is above zero. */
  positive(concept: string): ExactDecimal | null;
  /** The amount of the first of `concepts` that has one: the total of one thing under the names it may be filed by. */
  firstAmount(concepts: readonly string[]): ExactDecimal | null;
  /** True when the concept has a USD fact at the period end that is not nil, of any value (M1.21). */
  reports(concept: string): boolean;
  /** True when the concept is filed as nil at the period end: reported, no amount (M1.9). */
  isNil(concept: string): boolean;
  /** True when two facts of the concept at the period end contradict each other (M1.8). */
  isBlocked(concept: string): boolean;
  /** What was chosen for the concept, with its values when blocked; null when it is not filed. */
  chosen(concept: string): SheetEntry | null;
  /** The lines of the face that hold a concept's amount, as the filing names them; none where it names none (M1.20 †). */
  linesHolding(concept: string): readonly string[];
  /** Every fact of the filing in a fixed order; of consistent duplicates the one that is chosen. */
  readonly facts: readonly FiledFact[];
  /** The same sheet with lines that the filing shows by counterparty only (M1.7b); `facts` stay those of the entity. */
  withLines(lines: readonly RelatedPartyLine[]): FactSheet;
};

/** The fact behind an amount, as the instance or companyfacts states it. */
export type SheetEntry = { readonly accession: string } & (
  | ({ readonly origin: 'instance' } & ChosenFact)
  | { readonly origin: 'companyfacts'; readonly kind: 'fact'; readonly value: ExactDecimal }
  | { readonly origin: 'companyfacts'; readonly kind: 'blocked'; readonly values: readonly ExactDecimal[] }
);

/**
 * Selects the facts of the filing that were filed by `sourceDate`; those of its instance precede companyfacts
 * rows (M1.10, M10.2).
 *
 * Rows of companyfacts carry no `decimals`, so duplicates must be equal; a concept with two different values
 * is blocked, never averaged (M1.8).
 */
export function factSheet(inputs: IssuerInputs, sourceDate: string): FactSheet {
  const { filing } = inputs;
  const stated = statedFacts(inputs, sourceDate);
  const known = inputs.facts
    .filter((fact) => fact.accession === filing.accession && fact.filed <= sourceDate)
    .filter((fact) => !stated.has(identity(fact)));
  const facts = [...known, ...[...stated.values()].flatMap((chosen) => filedFacts(chosen, filing))].toSorted(
    byIdentity,
  );
  const entries = new Map<string, SheetEntry>();
  for (const fact of known) {
    if (fact.unit !== 'USD' || fact.start !== null || fact.end !== filing.period) continue;
    entries.set(qualifiedName(fact), withRow(entries.get(qualifiedName(fact)), fact));
  }
  for (const { concept, unit, start, end, chosen } of stated.values()) {
    if (unit !== 'USD' || start !== null || end !== filing.period) continue;
    entries.set(concept, { origin: 'instance', accession: filing.accession, ...chosen });
  }
  const isStated = filing.filed <= sourceDate;
  const named = (isStated ? (availableFiling(inputs)?.namedLines ?? []) : []).filter(
    ({ end }) => end === filing.period,
  );
  return sheetOf({ period: filing.period, accession: filing.accession, facts, entries, named });
}

type SheetParts = {
  readonly period: string;
  readonly accession: string;
  readonly facts: readonly FiledFact[];
  readonly entries: ReadonlyMap<string, SheetEntry>;
  readonly named: readonly NamedLines[];
};

function sheetOf(parts: SheetParts): FactSheet {
  const { period, accession, facts, entries, named } = parts;
  const amount = (concept: string) => {
    const entry = entries.get(concept);
    return entry?.kind === 'fact' ? entry.value : null;
  };
  return {
    period,
    amount,
    positive: (concept) => {
      const found = amount(concept);
      return found !== null && found.sign > 0 ? found : null;
    },
    firstAmount: (concepts) => {
      for (const concept of concepts) {
        const found = amount(concept);
        if (found !== null) return found;
      }
      return null;
    },
    reports: (concept) => entries.has(concept) && entries.get(concept)?.kind !== 'nil',
    isNil: (concept) => entries.get(concept)?.kind === 'nil',
    isBlocked: (concept) => entries.get(concept)?.kind === 'blocked',
    linesHolding: (concept) => [
      ...new Set(named.filter((one) => one.concept === concept).flatMap(({ lines }) => lines)),
    ],
    chosen: (concept) => entries.get(concept) ?? null,
    facts,
    withLines: (lines) => {
      if (lines.length === 0) return sheetOf(parts);
      const added = lines.map(({ concept, value, facts: [fact] }): [string, SheetEntry] => [
        concept,
        { origin: 'instance', accession, kind: 'fact', fact, value },
      ]);
      return sheetOf({ ...parts, entries: new Map([...entries, ...added]) });
    },
  };
}

/** `taxonomy:Concept`. */
export function qualifiedName(fact: FiledFact): string {
  return `${fact.taxonomy}:${fact.concept}`;
}

type StatedFact = {
  readonly concept: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly chosen: ChosenFact;
};

/** Whole-entity facts of the instance, one choice for each identity (M1.7, M1.8). */
function statedFacts(inputs: IssuerInputs, sourceDate: string): ReadonlyMap<string, StatedFact> {
  if (inputs.filing.filed > sourceDate) return new Map();
  const groups = new Map<string, [InstanceFact, ...InstanceFact[]]>();
  for (const fact of availableFiling(inputs)?.facts ?? []) {
    if (fact.dimensions.length > 0) continue;
    const key = `${fact.concept} ${fact.unit} ${fact.start ?? ''} ${fact.end}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fact]);
    else group.push(fact);
  }
  return new Map(
    [...groups].map(([key, group]) => {
      const [{ concept, unit, start, end }] = group;
      return [key, { concept, unit, start, end, chosen: chooseDuplicate(group) }];
    }),
  );
}

function withRow(earlier: SheetEntry | undefined, { value, accession }: FiledFact): SheetEntry {
  if (earlier === undefined) return { origin: 'companyfacts', kind: 'fact', value, accession };
  const values = earlier.kind === 'fact' ? [earlier.value] : earlier.kind === 'blocked' ? earlier.values : [];
  if (values.some((other) => other.equals(value))) return earlier;
  const contradicting = [...values, value].sort((a, b) => a.compare(b));
  return { origin: 'companyfacts', kind: 'blocked', values: contradicting, accession };
}

/** A stated fact as a row; contradicting values stay beside each other so that every reader sees them. */
function filedFacts({ concept, unit, start, end, chosen }: StatedFact, filing: Filing): FiledFact[] {
  if (chosen.kind === 'nil') return [];
  const [taxonomy = '', name = concept] = concept.split(':');
  const { accession, form, filed } = filing;
  return (chosen.kind === 'fact' ? [chosen.value] : chosen.values).map((value) => ({
    taxonomy,
    concept: name,
    unit,
    value,
    start,
    end,
    accession,
    form,
    filed,
    ...(chosen.kind === 'fact' ? { decimals: chosen.fact.decimals } : {}),
  }));
}

function identity(fact: FiledFact): string {
  return `${qualifiedName(fact)} ${fact.unit} ${fact.start ?? ''} ${fact.end}`;
}

function byIdentity(a: FiledFact, b: FiledFact): number {
  return (
    compareText(qualifiedName(a), qualifiedName(b)) ||
    compareText(a.unit, b.unit) ||
    compareText(a.end, b.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    a.value.compare(b.value)
  );
}
