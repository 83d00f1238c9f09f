import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** True when two amounts differ by at most `share` of the larger magnitude (0.001 is 0.1 %). */
export function closeTo(a: ExactDecimal, b: ExactDecimal, share: number): boolean {
  const larger = magnitude(a).compare(magnitude(b)) >= 0 ? magnitude(a) : magnitude(b);
  return magnitude(a.minus(b)).compare(larger.times(ExactDecimal.fromNumber(share))) <= 0;
}

/** True when `a` is above `b` by more than `share` of `b`. */
export function exceeds(a: ExactDecimal, b: ExactDecimal, share: number): boolean {
  return a.compare(b.times(ExactDecimal.fromNumber(share).plus(ExactDecimal.parse('1')))) > 0;
}

function magnitude(value: ExactDecimal): ExactDecimal {
  return value.sign < 0 ? value.negated() : value;
}
