import type { CrossSection } from '../standing/crossSection.ts';

/** Median and deviations of a window that moves by one value at a time. */
export type SlidingSection = {
  add(value: number): void;
  remove(value: number): void;
  /** The statistics of what is in the window, equal to the last bit to those of `crossSectionOf`; null when empty. */
  section(): CrossSection | null;
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
      const half = n >>> 1;
      // deviations grow outwards from the median on both sides: merged, they come in order
      let right = place(middle);
      let left = right - 1;
      let [low, high, sum] = [0, 0, 0];
      const next = () => {
        const below = left >= 0 ? middle - (sorted[left] ?? 0) : Number.POSITIVE_INFINITY;
        const above = right < n ? (sorted[right] ?? 0) - middle : Number.POSITIVE_INFINITY;
        if (below < above) left -= 1;
        else right += 1;
        return Math.min(below, above);
      };
      for (let i = 0; i < n; i += 1) {
        const deviation = next();
        sum += deviation;
        if (i === half - 1) low = deviation;
        if (i === half) high = deviation;
      }
      return {
        n,
        median: middle,
        mad: n % 2 === 1 ? high : (low + high) / 2,
        meanDeviation: sum / n,
      };
    },
  };
}
