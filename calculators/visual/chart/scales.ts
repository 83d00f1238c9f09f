import type { Cpx } from '../geometry/cpx.ts';

export type Scale = (value: number) => Cpx;
type Ends = { readonly from: number; readonly to: number; readonly at: Cpx; readonly end: Cpx };

/** Places values between two ends, evenly. */
export function linearScale({ from, to, at, end }: Ends): Scale {
  const span = to === from ? 1 : to - from;
  return (value) => at + Math.round(((value - from) * (end - at)) / span);
}

/** Places positive values by their binary logarithm; what lies beyond an end stands at it. */
export function logScale({ from, to, at, end }: Ends): Scale {
  const [low, high] = [log2Fixed(from), log2Fixed(to)];
  return (value) => {
    const within = Math.min(to, Math.max(from, value));
    return at + Math.round(((log2Fixed(within) - low) * (end - at)) / (high - low));
  };
}

/**
 * Binary logarithm of a positive number with 24 binary digits by repeated squaring: products and comparisons alone, so
 * that it is equal on every machine (V3).
 */
export function log2Fixed(value: number): number {
  let rest = value;
  let whole = 0;
  while (rest >= 2) {
    rest /= 2;
    whole++;
  }
  while (rest < 1) {
    rest *= 2;
    whole--;
  }
  let part = 0;
  for (let digit = 0.5; digit > 1 / 33_554_432; digit /= 2) {
    rest *= rest;
    if (rest >= 2) {
      rest /= 2;
      part += digit;
    }
  }
  return whole + part;
}
