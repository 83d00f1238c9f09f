import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { absentFigure, capitalFact } from '../absentFigure.ts';
import { agree, roundedOf } from '../agree.ts';
import type { Figure } from '../figure.ts';

const total =
  /^CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents(IncludingDisposalGroupAndDiscontinuedOperations)?$/;
const restricted =
  /^((Current|Noncurrent)?RestrictedCash(AndCashEquivalents(AtCarryingValue)?)?)(Current|Noncurrent)?$/;
const noncurrent = /Noncurrent/;
const current = /Current/;

/** Cash and restricted cash in one, where the filing has no cash of its own: cash that may be bound (M18.60). */
export function totalCashOf(instants: readonly StatedFact[]): Figure {
  const [first, ...rest] = instants.filter(({ concept }) => total.test(localName(concept)));
  if (first === undefined || rest.some(({ value }) => !value.equals(first.value))) {
    return absentFigure('not_filed');
  }
  const bound = boundParts(instants, null);
  const amount = first.value.minus(bound.amount ?? ExactDecimal.zero);
  return {
    value: amount.sign < 0 ? first.value : amount,
    status: 'stated',
    basis: bound.amount === null ? 'total_with_restricted' : 'total_less_restricted',
    facts: [first, ...bound.facts].map(capitalFact),
  };
}

/**
 * Restricted cash (M18.60). An amount that is cash and another restricted amount together is the total of both under a
 * wrong name (BTBT 182,850,974); the total less cash proves what is left.
 */
export function restrictedCashOf(instants: readonly StatedFact[], cash: Figure): Figure {
  const { amount, facts } = boundParts(instants, cash.value);
  const totals = instants.filter(({ concept }) => total.test(localName(concept)));
  const [whole] = totals;
  const gap = cash.value === null || whole === undefined ? null : whole.value.minus(cash.value);
  if (amount === null) {
    if (gap === null || gap.sign < 0 || whole === undefined || cash.facts[0]?.concept === whole.concept) {
      return absentFigure('not_filed');
    }
    return {
      value: gap,
      status: 'supported',
      basis: 'total_less_cash',
      facts: [capitalFact(whole), ...cash.facts],
    };
  }
  const isProven = gap?.equals(amount) === true;
  return {
    value: amount,
    status: isProven ? 'proven' : 'stated',
    basis: 'restricted_cash',
    facts: facts.map(capitalFact),
  };
}

/** The restricted amounts: current and noncurrent together, else the only one. */
function boundParts(
  instants: readonly StatedFact[],
  cash: ExactDecimal | null,
): { readonly amount: ExactDecimal | null; readonly facts: readonly StatedFact[] } {
  const filed = instants.filter(({ concept }) => restricted.test(localName(concept)));
  const wholes = instants.filter(({ concept }) => total.test(localName(concept))).map(({ value }) => value);
  const parts = filed.filter((one) => !isTotal(one, { filed, wholes, cash }));
  const pair = [
    parts.find(({ concept }) => current.test(localName(concept)) && !noncurrent.test(localName(concept))),
    parts.find(({ concept }) => noncurrent.test(localName(concept))),
  ].filter((part) => part !== undefined);
  const whole = parts.find(
    ({ concept }) => !current.test(localName(concept)) && !noncurrent.test(localName(concept)),
  );
  const sum = sumOf(pair.map(({ value }) => value));
  if (whole !== undefined && (pair.length === 0 || whole.value.compare(sum) > 0)) {
    return { amount: whole.value, facts: [whole] };
  }
  return pair.length === 0 ? { amount: null, facts: [] } : { amount: sum, facts: pair };
}

function isTotal(
  one: StatedFact,
  {
    filed,
    wholes,
    cash,
  }: { filed: readonly StatedFact[]; wholes: readonly ExactDecimal[]; cash: ExactDecimal | null },
): boolean {
  const { value } = one;
  if (cash === null || cash.sign <= 0) return wholes.some((whole) => whole.equals(value));
  const isSum = filed.some((other) => other !== one && value.equals(cash.plus(other.value)));
  // one that is rounded is the same total (DDC 61.0 M)
  return isSum || wholes.some((whole) => agree(roundedOf(one), { value: whole, half: ExactDecimal.zero }));
}
