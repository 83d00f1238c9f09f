/** The first of those with the least value and the first of those with the greatest; null without any. */
export function lowestAndHighest<T>(
  all: readonly T[],
  measure: (one: T) => number,
): { readonly lowest: T; readonly highest: T } | null {
  const [first] = all;
  if (first === undefined) return null;
  return {
    lowest: all.reduce((a, b) => (measure(b) < measure(a) ? b : a), first),
    highest: all.reduce((a, b) => (measure(b) > measure(a) ? b : a), first),
  };
}
