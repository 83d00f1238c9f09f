import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** Rounds to `digits` decimals (negative: tens, hundreds, …), ties to the even neighbour (XBRL 2.1 §4.6.7.2). */
export function roundHalfEven(value: ExactDecimal, digits: number): ExactDecimal {
  if (value.scale <= digits) return value;
  const divisor = 10n ** BigInt(value.scale - digits);
  const magnitude = value.units < 0n ? -value.units : value.units;
  const down = magnitude / divisor;
  const twice = (magnitude % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && down % 2n === 1n);
  const rounded = up ? down + 1n : down;
  return powerOfTen({ units: value.units < 0n ? -rounded : rounded, scale: digits });
}

/** `units · 10^-scale`, where scale may be negative. */
export function powerOfTen({ units, scale }: { units: bigint; scale: number }): ExactDecimal {
  return scale >= 0 ? new ExactDecimal(units, scale) : new ExactDecimal(units * 10n ** BigInt(-scale), 0);
}
