/** Minutes with one decimal since a slice was computed (I2.46); a clock behind that of the night gives 0. */
export function ageMinutes(computedAt: string, nowMs: number): number {
  return Math.round(Math.max(0, nowMs - Date.parse(computedAt)) / 6_000) / 10;
}
