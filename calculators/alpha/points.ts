import {
  compare,
  exactly,
  type Fraction,
  multiply,
  one,
  published,
  smaller,
  subtract,
  zero,
} from '../exact/fraction.ts';

// Scores are integers 0 to 100 and every step is exact, so that half up is decided by the value itself (M5.1).

/** A share between 0 and 1, clamped, as points of 100, half up. */
export function pointsOf(share: Fraction): number {
  return published(multiply(exactly(100), clamped(share)), 0);
}

/** The weighted mean of integer points with weights in percent, half up: ⌊(Σ wᵢ·vᵢ + 50)/100⌋ (M5.1). */
export function weightedPoints<K extends string>(
  weights: Readonly<Record<K, number>>,
  points: Readonly<Record<K, number>>,
): number {
  const sum = (Object.keys(weights) as K[]).reduce((total, key) => total + weights[key] * points[key], 0);
  return Math.floor((sum + 50) / 100);
}

/** 1 − share, for a share that counts against an issuer. */
export function remainder(share: Fraction): Fraction {
  return subtract(one, share);
}

function clamped(share: Fraction): Fraction {
  return compare(share, zero) < 0 ? zero : smaller(share, one);
}
