/** A probability and what happened. */
export type Forecast = { readonly probability: number; readonly event: boolean };

export type Brier = {
  readonly n: number;
  /** Mean of (probability − outcome)²; 0 is perfect. */
  readonly score: number;
  /** Score of always saying the share of events in these cases. */
  readonly ofBaseRate: number;
};

/** Brier score of a probability beside that of the base rate; null without cases (M12.12). */
export function brierScore(forecasts: readonly Forecast[]): Brier | null {
  const n = forecasts.length;
  if (n === 0) return null;
  const outcome = (f: Forecast) => (f.event ? 1 : 0);
  const rate = forecasts.reduce((sum, f) => sum + outcome(f), 0) / n;
  const score = forecasts.reduce((sum, f) => sum + (f.probability - outcome(f)) ** 2, 0) / n;
  return { n, score, ofBaseRate: rate * (1 - rate) };
}
