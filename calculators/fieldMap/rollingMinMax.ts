import { roundHalfUp } from '../roundHalfUp.ts';

/**
 * Where a value stands between the least and the greatest of the last `points` points, its own included, 6 decimals
 * (M9.3); 0 where they are equal, null without a value or with fewer than `minPoints` values.
 */
export function rollingMinMax(
  values: readonly (number | null)[],
  o: { readonly points: number; readonly minPoints: number },
): (number | null)[] {
  return values.map((value, i) => {
    const window = values.slice(Math.max(0, i - o.points + 1), i + 1).filter((v) => v !== null);
    if (value === null || window.length < o.minPoints) return null;
    const [least, greatest] = [Math.min(...window), Math.max(...window)];
    return greatest === least ? 0 : roundHalfUp((value - least) / (greatest - least), 6);
  });
}
