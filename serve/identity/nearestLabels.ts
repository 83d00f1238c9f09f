import { compareText } from '../../data/contract/values/compareText.ts';

const longestAsked = 80;

/**
 * Names at most five labels within an edit distance of what was asked, nearest first, then alphabetical
 * (I7.6 `suggestions`); letter case does not count. Longer questions than any label get no suggestion, so work
 * is bounded by the number of labels.
 */
export function nearestLabels(input: {
  asked: string;
  labels: readonly string[];
  maxDistance: number;
}): string[] {
  if (input.asked.length > longestAsked) return [];
  const asked = input.asked.toUpperCase();
  return input.labels
    .map((label) => ({ label, distance: editDistance(asked, label.toUpperCase(), input.maxDistance) }))
    .filter((found) => found.distance <= input.maxDistance)
    .sort((a, b) => a.distance - b.distance || compareText(a.label, b.label))
    .slice(0, 5)
    .map((found) => found.label);
}

/** Levenshtein distance of two texts, or `limit + 1` when it is larger than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const cost = Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      row.push(cost);
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    previous = row;
  }
  return Math.min(previous[b.length] ?? 0, limit + 1);
}
