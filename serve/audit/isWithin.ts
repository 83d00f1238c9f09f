import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** True when two decimals are at most `allowed` apart; a double counts as the decimal it prints as, and nothing is rounded. */
export function isWithin(
  a: ExactDecimal,
  b: ExactDecimal,
  { allowed }: { readonly allowed: ExactDecimal },
): boolean {
  const apart = a.minus(b);
  return (apart.sign < 0 ? apart.negated() : apart).compare(allowed) <= 0;
}

/** The exact sum of numbers as they print. */
export function exactSum(values: readonly number[]): ExactDecimal {
  return values.map(ExactDecimal.fromNumber).reduce((sum, value) => sum.plus(value), ExactDecimal.zero);
}
