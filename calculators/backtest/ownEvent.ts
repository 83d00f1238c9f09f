import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays } from '../exact/civilDate.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { breachProbability } from '../stress/breachProbability.ts';

export type DailyClose = { readonly date: string; readonly close: number };

/** How often the breach probability of one coin and ratio came true. */
export type OwnEventScore = {
  readonly coin: string;
  readonly loanToValue: number;
  /** Days with a full horizon after them; they overlap, so the independent sample is the number of years. */
  readonly days: number;
  readonly years: number;
  readonly predicted: number;
  readonly observed: number;
  /** Mean of (predicted − hit)² over the days; null without days. */
  readonly brier: number | null;
};

/**
 * Scores the breach probability on the event it forecasts (M12.16): debt unchanged, the ratio touches the reference
 * covenant within the horizon. A day is a hit when the lowest close of the days after it is at most LTV₀/L_ref times
 * its own close.
 */
export function ownEventScores({
  coin,
  closes,
  ratios,
  horizonDays,
  parameters,
}: {
  coin: string;
  /** In order of their dates. */
  closes: readonly DailyClose[];
  ratios: readonly number[];
  horizonDays: number;
  parameters: Parameters;
}): readonly OwnEventScore[] {
  const falls = lowestAfter(closes, horizonDays);
  const volatility = parameters.volatility[coin] ?? parameters.volatility.other;
  return ratios.map((loanToValue) => {
    const exposure = { debt: ExactDecimal.parse(String(loanToValue)), crypto: ExactDecimal.parse('1') };
    const predicted = breachProbability(exposure, volatility, parameters);
    const hits = falls.map((fall) => fall <= loanToValue / parameters.referenceCovenantLtv);
    const days = falls.length;
    return {
      coin,
      loanToValue,
      days,
      years: Math.round(days / horizonDays),
      predicted,
      observed: days === 0 ? 0 : hits.filter(Boolean).length / days,
      brier: brierScore(hits.map((event) => ({ probability: predicted, event })))?.score ?? null,
    };
  });
}

/** For each day with a full horizon after it: the lowest close of those days over its own. */
function lowestAfter(closes: readonly DailyClose[], horizonDays: number): readonly number[] {
  const last = closes.at(-1)?.date ?? '';
  return closes.flatMap(({ date, close }, i) => {
    const end = addDays(date, horizonDays);
    if (end > last) return [];
    let lowest = Number.POSITIVE_INFINITY;
    for (let j = i + 1; j < closes.length && (closes[j]?.date ?? '') <= end; j += 1)
      lowest = Math.min(lowest, closes[j]?.close ?? lowest);
    return [lowest / close];
  });
}

/** A probability and what happened. */
type Forecast = { readonly probability: number; readonly event: boolean };

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
