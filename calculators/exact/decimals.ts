import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** Up to here the double nearest to `value · 10^digits` is less than {@link nearTie} away from it. */
const greatestScaled = 2 ** 40;
const nearTie = 0.001;

/** Rounds the decimal a double prints as, half up with ties away from zero (M0.4); −0 is 0. */
export function roundHalfUp(value: number, digits: number): number {
  // away from a tie the nearest whole number of units is the same for any last bits of the product
  const unit = 10 ** digits;
  const scaled = value * unit;
  const isClear = Math.abs(Math.abs(scaled % 1) - 0.5) > nearTie && Math.abs(scaled) < greatestScaled;
  if (isClear && digits >= 0 && digits <= 12) return Math.round(scaled) / unit + 0;
  return ExactDecimal.fromNumber(value).rounded(digits).toNumber();
}

/** The middle value, or the mean of the two middle ones, in any order; null for none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[half - 1], sorted[half]];
  if (high === undefined) return null;
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}

/** An amount with its digits in groups of three. */
export function grouped(value: ExactDecimal): string {
  const [whole = '', fraction] = value.toString().split('.');
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/** True when two amounts differ by at most `share` of the larger magnitude (0.001 is 0.1 %). */
export function closeTo(a: ExactDecimal, b: ExactDecimal, share: number): boolean {
  const larger = absolute(a).compare(absolute(b)) >= 0 ? absolute(a) : absolute(b);
  return absolute(a.minus(b)).compare(larger.times(ExactDecimal.fromNumber(share))) <= 0;
}

/** True when `a` is above `b` by more than `share` of `b`. */
export function exceeds(a: ExactDecimal, b: ExactDecimal, share: number): boolean {
  return a.compare(b.times(ExactDecimal.fromNumber(share).plus(ExactDecimal.parse('1')))) > 0;
}

/** The amount without its sign. */
export function absolute(value: ExactDecimal): ExactDecimal {
  return value.sign < 0 ? value.negated() : value;
}
