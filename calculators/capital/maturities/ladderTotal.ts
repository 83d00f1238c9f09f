import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { absolute, agree, type Rounded, roundedOf } from '../agree.ts';
import type { FiledLadder } from './filedLadder.ts';

export type LadderTotal = {
  readonly amount: ExactDecimal;
  readonly facts: readonly StatedFact[];
  /** The buckets agree with it. */
  readonly agrees: boolean;
};

const debtName = /(Debt|Loans?Payable|Loan|NotesPayable|Borrowings?|Principal|LineOfCredit|CreditFacility)/;
const noDebtAmount =
  /(Receivable|Interest|Proceeds|Repayment|Unamortized|Discount|Premium|Issuance|FairValue|Lease|Capacity|Limit|Collateral|Maturit|Securities|Covenant|Extinguish|Conversion|Available|Cost)/;

/**
 * The total of a ladder (M18.32): what the ladder states itself, else an amount of debt or principal of the whole entity
 * that agrees with the sum of its buckets, else D where the buckets add up to it.
 */
export function ladderTotal(
  { totals, entity }: Pick<FiledLadder, 'totals' | 'entity'>,
  {
    sum,
    facts,
    period,
    currency,
    debt,
  }: {
    readonly sum: Rounded;
    readonly facts: readonly StatedFact[];
    readonly period: string;
    readonly currency: string;
    readonly debt: ExactDecimal | null;
  },
): LadderTotal | null {
  const [own] = totals;
  if (own !== undefined) {
    return { amount: own.value, facts: [own], agrees: entity.length === 0 || agree(roundedOf(own), sum) };
  }
  if (entity.length === 0) return null;
  const equal = wholeInstants(facts, { period, currency })
    .filter(({ concept }) => debtName.test(localName(concept)) && !noDebtAmount.test(localName(concept)))
    .filter((fact) => fact.value.sign > 0 && agree(roundedOf(fact), sum))
    .toSorted(byFineness);
  const [finest] = equal;
  if (finest !== undefined) return { amount: finest.value, facts: [finest], agrees: true };
  if (debt !== null && absolute(debt.minus(sum.value)).compare(sum.half) <= 0) {
    return { amount: sum.value, facts: entity.map(({ fact }) => fact), agrees: true };
  }
  return { amount: sum.value, facts: entity.map(({ fact }) => fact), agrees: false };
}

/** Amounts of the whole entity at the period end. */
export function wholeInstants(
  facts: readonly StatedFact[],
  { period, currency }: { readonly period: string; readonly currency: string },
): readonly StatedFact[] {
  return facts.filter(
    ({ start, end, unit, dimensions }) =>
      start === null && end === period && unit === currency && dimensions.length === 0,
  );
}

function byFineness(a: StatedFact, b: StatedFact): number {
  const half = (fact: StatedFact) => roundedOf(fact).half;
  return half(a).compare(half(b));
}
