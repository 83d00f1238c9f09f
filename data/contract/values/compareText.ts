/** Orders text by UTF-16 code unit, independent of locale (M0.7). */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
