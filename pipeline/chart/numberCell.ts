/** A cell of a row as a number; null for none. */
export function numberCell(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
