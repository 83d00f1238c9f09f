import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import { chooseDuplicate } from './chooseDuplicate.ts';
import type { InstanceFact, XbrlFiling } from './xbrlFiling.ts';

/** A concept stated at the period end for related parties, for others, or for both, and never for the whole entity. */
export type RelatedPartyLine = {
  readonly concept: string;
  /** Both members added. */
  readonly value: ExactDecimal;
  readonly members: readonly string[];
  /** The facts in the order of the filing. */
  readonly facts: readonly [InstanceFact, ...InstanceFact[]];
};

const axis = /:RelatedPartyTransactionsByRelatedPartyAxis$/;
const member = /:(RelatedPartyMember|NonrelatedPartyMember)$/;

/**
 * Lines a filer shows by counterparty only (M1.7b): their one dimension is the related-party axis with one of its two
 * standard members. They are candidates; whether one stands on the face is for a total to say that adds up with it.
 */
export function relatedPartyLines(
  { facts: stated }: XbrlFiling,
  { period, isFiled }: { readonly period: string; isFiled(concept: string): boolean },
): readonly RelatedPartyLine[] {
  const facts = stated.filter((fact) => isCandidate(fact, period) && !isFiled(fact.concept));
  return [...Map.groupBy(facts, ({ concept }) => concept)].flatMap(([concept, own]) => {
    const [first, ...rest] = own;
    if (first === undefined) return [];
    const byMember = Map.groupBy(own, (fact) => fact.dimensions[0]?.member ?? '');
    const amounts = [...byMember.values()].map(amountOf);
    // a contradiction or a nil leaves nothing to stand for the line
    if (amounts.some((amount) => amount === null)) return [];
    const value = sumOf(amounts.filter((amount) => amount !== null));
    return [{ concept, value, members: [...byMember.keys()].sort(), facts: [first, ...rest] }];
  });
}

function isCandidate({ unit, start, end, dimensions }: InstanceFact, period: string): boolean {
  const [only, second] = dimensions;
  if (unit !== 'USD' || start !== null || end !== period || second !== undefined) return false;
  return only !== undefined && !only.typed && axis.test(only.axis) && member.test(only.member);
}

function amountOf(facts: readonly InstanceFact[]): ExactDecimal | null {
  const [first, ...rest] = facts;
  if (first === undefined) return null;
  const chosen = chooseDuplicate([first, ...rest]);
  return chosen.kind === 'fact' ? chosen.value : null;
}
