/** A length or coordinate in hundredths of a px, an integer (V2). */
export type Cpx = number;

/** Writes hundredths as px with at most two decimals. */
export function px(value: Cpx): string {
  return String(value / 100);
}
