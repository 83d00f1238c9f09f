import { medianOf } from '../exact/decimals.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Robust statistics of one indicator; stored with the slice so that a z can be recomputed (M3.15). Unrounded. */
export type CrossSection = {
  readonly n: number;
  readonly median: number;
  /** Median absolute deviation from the median. */
  readonly mad: number;
  /** Mean absolute deviation from the median, the scale when the MAD is 0. */
  readonly meanDeviation: number;
};

/** Median, MAD and mean deviation of the values, in any order; null for none (M3.15). */
export function crossSectionOf(values: readonly number[]): CrossSection | null {
  const median = medianOf(values);
  if (median === null) return null;
  // sorted, so that the floating sum below does not depend on the order of issuers
  const deviations = values.map((value) => Math.abs(value - median)).sort((a, b) => a - b);
  return {
    n: values.length,
    median,
    mad: medianOf(deviations) ?? 0,
    meanDeviation: deviations.reduce((sum, deviation) => sum + deviation, 0) / values.length,
  };
}

/** What a value is measured by; the mean deviation only where the MAD is 0. */
export type Yardstick = Pick<CrossSection, 'n' | 'median' | 'mad'> & {
  readonly meanDeviation: number | null;
};

/**
 * Robust z of a value: by MAD, by the mean deviation where the MAD is 0, 0 where both are; clipped, unrounded
 * (M3.15).
 */
export function robustZ(value: number, section: Yardstick, { robustZ: scales }: Parameters): number {
  const scale =
    section.mad > 0
      ? scales.madScale * section.mad
      : scales.meanDeviationScale * (section.meanDeviation ?? 0);
  if (scale === 0) return 0;
  return Math.max(-scales.clip, Math.min(scales.clip, (value - section.median) / scale));
}
