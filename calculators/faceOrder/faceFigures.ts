import type { FactSheet } from '../filing/factSheet.ts';
import type { RelatedPartyLine } from '../filing/relatedPartyLines.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { isFaceTotal } from '../network/structuralConcepts.ts';
import type { FaceFigure } from './faceParses.ts';

/**
 * The figures of the balance-sheet date in the order of the instance document (M1.24c 1); null where that order is not
 * known. Of several facts of a concept the first appearance counts; nil, zero and blocked concepts are absent.
 */
export function faceFigures({
  filing,
  sheet,
  relatedParty,
}: {
  readonly filing: XbrlFiling;
  readonly sheet: FactSheet;
  /** Lines shown by counterparty that are let in beside the whole-entity facts (M1.7b). */
  readonly relatedParty: readonly RelatedPartyLine[];
}): readonly FaceFigure[] | null {
  const added = new Map(relatedParty.map(({ concept, value }) => [concept, value]));
  const members = new Set(relatedParty.flatMap(({ facts }) => facts));
  const candidates = filing.facts.filter((fact) => members.has(fact) || isWholeEntity(fact, sheet.period));
  const placed = candidates.filter(isPlaced);
  if (placed.length < candidates.length) return null;
  const figures = new Map<string, FaceFigure>();
  for (const { concept } of placed.toSorted((a, b) => a.position - b.position)) {
    if (figures.has(concept)) continue;
    const value = added.get(concept) ?? sheet.amount(concept);
    if (value === null || value.sign === 0) continue;
    figures.set(concept, { concept, value, isTotal: isFaceTotal(concept) });
  }
  return [...figures.values()];
}

function isWholeEntity({ unit, start, end, dimensions }: InstanceFact, period: string): boolean {
  return unit === 'USD' && start === null && end === period && dimensions.length === 0;
}

function isPlaced(fact: InstanceFact): fact is InstanceFact & { readonly position: number } {
  return fact.position !== undefined;
}
