import type { ExactDecimal } from '../contract/exactDecimal.ts';
import { compareText } from './compareText.ts';
import type { FiledFact, IssuerInputs } from './rows.ts';

/**
 * The whole-entity facts one filing states, and what may be read from them (M1.7–M1.10).
 *
 * Concepts are named by QName (`us-gaap:Liabilities`).
 */
export type FactSheet = {
  readonly period: string;
  /** USD at the period end; null when not filed, or filed twice with different values. */
  amount(concept: string): ExactDecimal | null;
  /** As {@link FactSheet.amount}, when it is above zero. */
  positive(concept: string): ExactDecimal | null;
  /** True when the concept has a USD fact at the period end, whatever its value (M1.21). */
  reports(concept: string): boolean;
  /** True when two facts of the concept at the period end contradict each other (M1.8). */
  isBlocked(concept: string): boolean;
  /** Every fact of the filing in a fixed order. */
  readonly facts: readonly FiledFact[];
};

/**
 * Selects the facts of the filing that were filed by `sourceDate` (M1.10, M10.2).
 *
 * Rows of companyfacts carry no `decimals`, so duplicates must be equal; a concept with two different values
 * is blocked, never averaged (M1.8).
 */
export function factSheet({ filing, facts }: IssuerInputs, sourceDate: string): FactSheet {
  const known = facts
    .filter((fact) => fact.accession === filing.accession && fact.filed <= sourceDate)
    .toSorted(byIdentity);
  const amounts = new Map<string, ExactDecimal | 'blocked'>();
  for (const fact of known) {
    if (fact.unit !== 'USD' || fact.start !== null || fact.end !== filing.period) continue;
    const concept = qualifiedName(fact);
    const earlier = amounts.get(concept);
    if (earlier === undefined) amounts.set(concept, fact.value);
    else if (earlier !== 'blocked' && !earlier.equals(fact.value)) amounts.set(concept, 'blocked');
  }
  const amount = (concept: string) => {
    const found = amounts.get(concept);
    return found === undefined || found === 'blocked' ? null : found;
  };
  return {
    period: filing.period,
    amount,
    positive: (concept) => {
      const found = amount(concept);
      return found !== null && found.sign > 0 ? found : null;
    },
    reports: (concept) => amounts.has(concept),
    isBlocked: (concept) => amounts.get(concept) === 'blocked',
    facts: known,
  };
}

/** `taxonomy:Concept`. */
export function qualifiedName(fact: FiledFact): string {
  return `${fact.taxonomy}:${fact.concept}`;
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
