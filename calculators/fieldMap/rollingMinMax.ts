import { roundHalfUp } from '../exact/roundHalfUp.ts';

type Window = { readonly points: number; readonly minPoints: number };

/**
 * Where a value stands between the least and the greatest of the last `points` points, its own included, 6 decimals
 * (M9.3); 0 where they are equal, null without a value or with fewer than `minPoints` values.
 *
 * @param from the first value whose place is asked for; those before it are null
 */
export function rollingMinMax(
  values: readonly (number | null)[],
  { from = 0, ...window }: Window & { readonly from?: number },
): (number | null)[] {
  return values.map((_, i) =>
    i < from ? null : placeOfLast(values.slice(Math.max(0, i - window.points + 1), i + 1), window),
  );
}

/** The place of the last value of one window. */
export function placeOfLast(window: readonly (number | null)[], { minPoints }: Window): number | null {
  const value = window.at(-1) ?? null;
  const known = window.filter((v) => v !== null);
  if (value === null || known.length < minPoints) return null;
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  return greatest === least ? 0 : roundHalfUp((value - least) / (greatest - least), 6);
}
