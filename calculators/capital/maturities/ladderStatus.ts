import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { daysBetween } from '../../exact/civilDate.ts';
import { absolute } from '../../exact/decimals.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { CapitalFact } from '../figure.ts';
import { agree, type Rounded, roundedOf, wholeInstants } from '../filedAmounts.ts';
import type { Instrument, Instruments, MaturityStatus } from '../parts.ts';
import type { FiledBucket, FiledLadder } from './filedLadder.ts';
import { firstDayOf } from './wall.ts';

/** Shares of D by which a ladder is judged (M18.33). */
const bounds = {
  /** What rounding and small loans without a filed cost may leave of the unamortized cost. */
  unamortized: ExactDecimal.parse('0.0005'),
  /** The most that one fact may explain of the gap. */
  explained: ExactDecimal.parse('0.05'),
  supported: ExactDecimal.parse('0.03'),
  partial: ExactDecimal.parse('0.9'),
  /** How close coupons must come to what the total is above the principals (M18.34). */
  interest: ExactDecimal.parse('0.01'),
};
/** A shorter number is too common to prove anything by being equal. */
const tellingDigits = 4;

export type LadderJudgement = {
  readonly status: MaturityStatus;
  readonly gap: ExactDecimal | null;
  /** What of the total is interest; null where it is principal. */
  readonly interest: ExactDecimal | null;
  /** Facts that explain the gap. */
  readonly facts: readonly (StatedFact | CapitalFact)[];
};

type JudgedLadder = {
  readonly total: LadderTotal;
  readonly sum: Rounded;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  readonly instruments: Instruments;
  /** Of instruments. */
  readonly buckets: readonly FiledBucket[];
  /** Amounts of the whole entity at the period end. */
  readonly whole: readonly StatedFact[];
  readonly period: string;
};

/** How far a ladder proves what falls due (M18.33, M18.34). */
export function judgeLadder(ladder: JudgedLadder): LadderJudgement {
  const { total, debt } = ladder;
  const gap = debt === null ? null : total.amount.minus(debt);
  const unproven: LadderJudgement = { status: 'unproven', gap, interest: null, facts: [] };
  if (!total.agrees) return unproven;
  const interest = interestInside(ladder);
  if (interest !== null) return { status: 'includes_interest', gap, interest, facts: [] };
  if (debt === null || gap === null) return unproven;
  const explaining = explanationOf(gap, debt, ladder);
  if (explaining !== null) return { status: 'proven', gap, interest: null, facts: explaining };
  if (gap.sign >= 0 && gap.compare(debt.times(bounds.supported)) <= 0) {
    return { status: 'supported', gap, interest: null, facts: [] };
  }
  const isPart = total.amount.compare(debt.times(bounds.partial)) < 0;
  return isPart ? { status: 'partial', gap, interest: null, facts: [] } : unproven;
}

/** The facts that say why principal and carrying amount differ; empty where they do not, null where nothing says it. */
function explanationOf(
  gap: ExactDecimal,
  debt: ExactDecimal,
  { sum, whole, instruments }: JudgedLadder,
): readonly (StatedFact | CapitalFact)[] | null {
  if (agree({ value: gap, half: sum.half }, { value: ExactDecimal.zero, half: ExactDecimal.zero })) return [];
  const nearest = debt.times(bounds.unamortized);
  const isNear = (cost: ExactDecimal) => absolute(gap.minus(cost)).compare(nearest) <= 0;
  const costs = instruments.found
    .filter(({ state }) => state === 'outstanding')
    .flatMap(({ unamortizedCost }) => (unamortizedCost.value === null ? [] : [unamortizedCost]));
  const known = costs.flatMap(({ value }) => (value === null ? [] : [value]));
  if (known.length > 0 && isNear(sumOf(known))) return costs.flatMap(({ facts }) => facts);
  const filed = whole.find(
    (fact) => unamortized.test(localName(fact.concept)) && isNear(absolute(fact.value)),
  );
  if (filed !== undefined) return [filed];
  const isSmall = gap.sign > 0 && gap.compare(debt.times(bounds.explained)) <= 0;
  const equal =
    isSmall && isTelling(gap) ? whole.find(({ value }) => absolute(value).equals(gap)) : undefined;
  return equal === undefined ? null : [equal];
}

const unamortized = /(Unamortized\w*(Debt|Discount|Financ|Issuance|Cost)|DeferredFinanceCosts\w*Net)/;

function isTelling({ units }: ExactDecimal): boolean {
  return String(units).replace('-', '').replace(/0+$/, '').length >= tellingDigits;
}

/** What a ladder's total is above the principals, where coupons to maturity make it up (M18.34). */
function interestInside({ total, instruments, buckets, period }: JudgedLadder): ExactDecimal | null {
  const { stack } = instruments;
  if (stack.status !== 'ties' || stack.principal === null) return null;
  const above = total.amount.minus(stack.principal);
  if (above.sign <= 0) return null;
  const paying = instruments.found.filter(
    ({ state, couponRate, principal }) =>
      state === 'outstanding' && principal.value !== null && (couponRate.value?.sign ?? 0) > 0,
  );
  if (paying.length === 0) return null;
  const isNear = (interest: ExactDecimal) =>
    absolute(above.minus(interest)).compare(above.times(bounds.interest)) <= 0;
  const toMaturity = (years: (from: string, to: string) => ExactDecimal) => {
    const due = paying.map((one) => {
      const { value: maturity } = one.maturityDate;
      return maturity === null ? null : annualInterest(one).times(years(period, firstDayOf(maturity)));
    });
    return due.includes(null) ? null : sumOf(due.filter((amount) => amount !== null));
  };
  const sums = [toMaturity(yearsBetween), toMaturity(couponYears), paidByBuckets(paying, buckets)];
  return sums.some((interest) => interest !== null && isNear(interest)) ? above : null;
}

function annualInterest({ principal, couponRate }: Instrument): ExactDecimal {
  return (principal.value ?? ExactDecimal.zero).times(couponRate.value ?? ExactDecimal.zero);
}

function yearsBetween(from: string, to: string): ExactDecimal {
  return ExactDecimal.fromNumber(Math.max(0, daysBetween(from, to)) / 365.25).rounded(6);
}

/** Whole half-years back from maturity: the next coupon also pays what has accrued before the period end. */
function couponYears(from: string, to: string): ExactDecimal {
  const halves = Math.ceil(Math.max(0, daysBetween(from, to)) / (365.25 / 2));
  return ExactDecimal.parse(`${halves * 5}e-1`);
}

/** What the buckets of paying instruments are above their principals, where some of them are a year's coupon to the digit. */
function paidByBuckets(paying: readonly Instrument[], buckets: readonly FiledBucket[]): ExactDecimal | null {
  const parts = paying.map((one) => {
    const own = buckets.filter(({ instrumentId }) => instrumentId === one.id).map(({ fact }) => fact.value);
    const coupon = annualInterest(one);
    if (own.filter((value) => value.equals(coupon)).length < 2) return null;
    return sumOf(own).minus(one.principal.value ?? ExactDecimal.zero);
  });
  return parts.includes(null) ? null : sumOf(parts.filter((part) => part !== null));
}

type LadderTotal = {
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
 * that agrees with the sum of its buckets, else D or the principals that tie to it, where the buckets add up to them.
 */
export function ladderTotal(
  { totals, entity }: Pick<FiledLadder, 'totals' | 'entity'>,
  {
    sum,
    facts,
    period,
    currency,
    owed,
  }: {
    readonly sum: Rounded;
    readonly facts: readonly StatedFact[];
    readonly period: string;
    readonly currency: string;
    /** D, and the principals that tie to it. */
    readonly owed: readonly ExactDecimal[];
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
  if (owed.some((amount) => absolute(amount.minus(sum.value)).compare(sum.half) <= 0)) {
    return { amount: sum.value, facts: entity.map(({ fact }) => fact), agrees: true };
  }
  return { amount: sum.value, facts: entity.map(({ fact }) => fact), agrees: false };
}

function byFineness(a: StatedFact, b: StatedFact): number {
  const half = (fact: StatedFact) => roundedOf(fact).half;
  return half(a).compare(half(b));
}
