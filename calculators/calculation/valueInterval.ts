import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { powerOfTen } from './roundHalfEven.ts';

/** Closed interval of the values a filed figure stands for. */
export type ValueInterval = { readonly low: ExactDecimal; readonly high: ExactDecimal };

/** `v ± ½·10^-d`, the value itself for `INF` (M1.18). */
export function intervalOf(value: ExactDecimal, decimals: number | 'INF'): ValueInterval {
  if (decimals === 'INF') return { low: value, high: value };
  const half = powerOfTen({ units: 5n, scale: decimals + 1 });
  return { low: value.minus(half), high: value.plus(half) };
}

/** What both intervals hold, null when they are disjoint. */
export function intersect(a: ValueInterval, b: ValueInterval): ValueInterval | null {
  const low = a.low.compare(b.low) >= 0 ? a.low : b.low;
  const high = a.high.compare(b.high) <= 0 ? a.high : b.high;
  return low.compare(high) <= 0 ? { low, high } : null;
}

/** `sum + weight · item`; a negative weight swaps the ends. */
export function addWeighted({
  sum,
  weight,
  item,
}: {
  sum: ValueInterval;
  weight: ExactDecimal;
  item: ValueInterval;
}): ValueInterval {
  const a = item.low.times(weight);
  const b = item.high.times(weight);
  const [low, high] = weight.sign < 0 ? [b, a] : [a, b];
  return { low: sum.low.plus(low), high: sum.high.plus(high) };
}
