import { roundHalfUp } from '../../exact/decimals.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { robustZ, type Yardstick } from '../../standing/standings.ts';
import type { BucketLength } from '../marketBucket.ts';
import { type InputId, type Inputs, inputIds, type ZScores } from './factorRow.ts';

export type WindowScores = {
  /** Published: 4 decimals. */
  readonly zScores: ZScores;
  /** Available buckets in the window, the row's own among them. */
  readonly historyRows: number;
  /** What the z of breadth is measured by; null where it has none. */
  readonly breadthSection: Yardstick | null;
};

/**
 * Robust z of every input inside its own trailing window of available buckets, the bucket itself included (M8.5):
 * null below the minimum of buckets, and below as many values of its own (M8.5a).
 *
 * @param inputsAt published inputs of the k-th available bucket
 * @returns scores of the k-th available bucket; fastest when asked in order
 */
export function windowScores(
  inputsAt: (k: number) => Inputs,
  { bucketLength, parameters }: { readonly bucketLength: BucketLength; readonly parameters: Parameters },
): (k: number) => WindowScores {
  const { window, minBuckets } = parameters.perps.buckets[bucketLength];
  const sections = Object.fromEntries(inputIds.map((id) => [id, slidingSection()])) as Record<
    InputId,
    ReturnType<typeof slidingSection>
  >;
  // the window holds [first, end)
  let [first, end] = [0, 0];

  function each(k: number, step: (id: InputId, value: number) => void): void {
    const inputs = inputsAt(k);
    for (const id of inputIds) {
      const value = inputs[id];
      if (value !== null) step(id, value);
    }
  }

  function moveTo(k: number): void {
    const wanted = Math.max(0, k + 1 - window);
    if (k + 1 < end || wanted >= end) {
      for (let i = first; i < end; i += 1) each(i, (id, value) => sections[id].remove(value));
      [first, end] = [wanted, wanted];
    }
    for (; end <= k; end += 1) each(end, (id, value) => sections[id].add(value));
    for (; first < wanted; first += 1) each(first, (id, value) => sections[id].remove(value));
  }

  return (k) => {
    moveTo(k);
    const historyRows = end - first;
    const inputs = inputsAt(k);
    const sectionOf = (id: InputId) => {
      const section = historyRows < minBuckets || inputs[id] === null ? null : sections[id].section();
      return section === null || section.n < minBuckets ? null : section;
    };
    const zOf = (id: InputId) => {
      const [value, section] = [inputs[id], sectionOf(id)];
      return value === null || section === null ? null : publishedZ(value, { section, parameters });
    };
    return {
      zScores: Object.fromEntries(inputIds.map((id) => [id, zOf(id)])) as ZScores,
      historyRows,
      breadthSection: sectionOf('breadth'),
    };
  };
}

/** Robust z at 4 decimals (M0.4). */
export function publishedZ(
  value: number,
  { section, parameters }: { readonly section: Yardstick; readonly parameters: Parameters },
): number {
  return roundHalfUp(robustZ(value, section, parameters), 4);
}

/** Median and deviations of a window that moves by one value at a time. */
type SlidingSection = {
  add(value: number): void;
  remove(value: number): void;
  /**
   * The statistics of what is in the window, equal to the last bit to those of `crossSectionOf`; null when empty. The mean
   * deviation is null while the MAD is not 0: nothing is measured by it then.
   */
  section(): Yardstick | null;
};

/**
 * Keeps the values of a window sorted, so that a step costs a search and a shift instead of two sorts: a night has
 * thousands of quarter hours with thousands of values each (M8.5).
 */
export function slidingSection(): SlidingSection {
  const sorted: number[] = [];

  /** Where a value stands, or would stand. */
  function place(value: number): number {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function median(): number {
    const half = sorted.length >>> 1;
    const high = sorted[half] ?? 0;
    return sorted.length % 2 === 1 ? high : ((sorted[half - 1] ?? 0) + high) / 2;
  }

  return {
    add: (value) => void sorted.splice(place(value), 0, value),
    remove(value) {
      const at = place(value);
      if (sorted[at] !== value) throw new RangeError(`${value} is not in the window`);
      sorted.splice(at, 1);
    },
    section() {
      const n = sorted.length;
      if (n === 0) return null;
      const middle = median();
      const right = place(middle);
      const deviation = (k: number) => nthDeviation(k, { middle, right });
      const half = n >>> 1;
      const mad = n % 2 === 1 ? deviation(half) : (deviation(half - 1) + deviation(half)) / 2;
      return { n, median: middle, mad, meanDeviation: mad > 0 ? null : meanDeviation(middle, right) };
    },
  };

  /** The k-th smallest distance from the median, from 0: distances grow outwards on both sides of it. */
  function nthDeviation(k: number, { middle, right }: { middle: number; right: number }): number {
    const below = (i: number) => (i < 0 ? Number.NEGATIVE_INFINITY : middle - (sorted[right - 1 - i] ?? 0));
    const above = (i: number) => (i < 0 ? Number.NEGATIVE_INFINITY : (sorted[right + i] ?? 0) - middle);
    // how many of the k + 1 nearest lie below
    let [low, high] = [Math.max(0, k + 1 - (sorted.length - right)), Math.min(k + 1, right)];
    while (low < high) {
      const i = (low + high) >>> 1;
      if (below(i) < above(k - i)) low = i + 1;
      else high = i;
    }
    return Math.max(below(low - 1), above(k - low));
  }

  /** Summed from the smallest on, as `crossSectionOf` does. */
  function meanDeviation(middle: number, from: number): number {
    let [left, right, sum] = [from - 1, from, 0];
    while (left >= 0 || right < sorted.length) {
      const below = left >= 0 ? middle - (sorted[left] ?? 0) : Number.POSITIVE_INFINITY;
      const above = right < sorted.length ? (sorted[right] ?? 0) - middle : Number.POSITIVE_INFINITY;
      sum += Math.min(below, above);
      if (below < above) left -= 1;
      else right += 1;
    }
    return sum / sorted.length;
  }
}
