import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from './sumOf.ts';

/** An exact ratio `numerator / denominator`, denominator above zero. Ratios of money live here until published. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

export const zero: Fraction = { numerator: 0n, denominator: 1n };
export const one: Fraction = { numerator: 1n, denominator: 1n };

/** The exact quotient of two decimals; throws RangeError when the divisor is zero. */
export function quotient(a: ExactDecimal, b: ExactDecimal): Fraction {
  return divide(exactly(a), exactly(b));
}

/** A decimal, or the decimal a double prints as (0.65 is 13/20), as a fraction. */
export function exactly(value: ExactDecimal | number): Fraction {
  const decimal = typeof value === 'number' ? ExactDecimal.fromNumber(value) : value;
  return { numerator: decimal.units, denominator: 10n ** BigInt(decimal.scale) };
}

export function add(a: Fraction, b: Fraction): Fraction {
  return reduced(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return reduced(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** Throws RangeError when `b` is zero. */
export function divide(a: Fraction, b: Fraction): Fraction {
  if (b.numerator === 0n) throw new RangeError('division by zero');
  return reduced(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function compare(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** |a − b|. */
export function distance(a: Fraction, b: Fraction): Fraction {
  const { numerator, denominator } = subtract(a, b);
  return { numerator: numerator < 0n ? -numerator : numerator, denominator };
}

/** The exact sum of decimals, each a double read as it prints. */
export function sumOfDecimals(values: readonly number[]): Fraction {
  return exactly(sumOf(values.map((value) => ExactDecimal.fromNumber(value))));
}

export function smaller(a: Fraction, b: Fraction): Fraction {
  return compare(a, b) <= 0 ? a : b;
}

/** Rounds once, half up with ties away from zero (M0.4). */
export function rounded(value: Fraction, digits: number): ExactDecimal {
  const scaled = value.numerator * 10n ** BigInt(digits);
  const magnitude = scaled < 0n ? -scaled : scaled;
  const units = (magnitude * 2n + value.denominator) / (value.denominator * 2n);
  return new ExactDecimal(scaled < 0n ? -units : units, digits);
}

/** The published double of a ratio at `digits` decimals (M0.4); −0 is 0. */
export function published(value: Fraction, digits: number): number {
  return rounded(value, digits).toNumber();
}

/** Nearest double, for logarithms and messages. */
export function doubleOf(value: Fraction): number {
  // 40 decimals carry every figure here far beyond a double's 17 digits
  return rounded(value, 40).toNumber();
}

function reduced(numerator: bigint, denominator: bigint): Fraction {
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator * sign);
  return divisor === 0n
    ? zero
    : { numerator: (numerator * sign) / divisor, denominator: (denominator * sign) / divisor };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
