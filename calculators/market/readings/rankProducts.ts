import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import { midRankPercentile } from '../../slice/peerRankings.ts';
import type { FactorRow } from '../factors/factorRow.ts';
import { bandOf, type MarketState } from './pressureHeadline.ts';
import { type LatestQuality, latestQuality } from './qualityWarnings.ts';

export type RankedProduct = {
  readonly row: FactorRow;
  /** Null of a product that is not judged; likewise the percentile. */
  readonly rank: number | null;
  readonly percentile: number | null;
  readonly rankingScore: number;
  readonly rankingBand: MarketState;
  readonly quality: LatestQuality;
};

/**
 * Products by pressure, 1 the highest (M8.18): stale rows and rows without a P come last, with score 0 and without rank
 * and percentile, and are no part of the percentiles' population.
 *
 * @param rows the latest row of each product in scope, one length
 * @param at end of the slice's date, epoch milliseconds
 */
export function rankProducts(
  rows: readonly FactorRow[],
  { at, parameters }: { readonly at: number; readonly parameters: Parameters },
): RankedProduct[] {
  const judged = rows.map((row) => {
    const quality = latestQuality(row, { at, parameters });
    const pressure = quality.status === 'stale' ? null : row.pressure;
    return { row, quality, pressure, ...rankingScore(pressure, parameters) };
  });
  // higher pressure counts as the lower value of M4.3
  const population = judged.flatMap(({ pressure }) => (pressure === null ? [] : [-pressure]));
  return judged
    .toSorted(
      (a, b) =>
        Number(a.pressure === null) - Number(b.pressure === null) ||
        b.score - a.score ||
        (b.pressure ?? 0) - (a.pressure ?? 0) ||
        compareText(a.row.product, b.row.product),
    )
    .map(({ row, quality, pressure, score, band }, i) => ({
      row,
      rank: pressure === null ? null : i + 1,
      percentile: pressure === null ? null : midRankPercentile(-pressure, population),
      rankingScore: score,
      rankingBand: band,
      quality,
    }));
}

/** Score and band of a published P: clamp(50 + 20·P, 0, 100), 6 decimals; no P is 0 (M8.17, M8.18). */
export function rankingScore(
  pressure: number | null,
  { perps: { ranking } }: PerpsParameters,
): { readonly score: number; readonly band: MarketState } {
  if (pressure === null) return { score: 0, band: 'insufficient_evidence' };
  const scaled = ExactDecimal.fromNumber(pressure)
    .times(ExactDecimal.fromNumber(ranking.perPressure))
    .plus(ExactDecimal.fromNumber(ranking.midpoint))
    .rounded(6)
    .toNumber();
  // the scale ends where the last band begins
  const score = Math.min(ranking.extreme, Math.max(0, scaled));
  return { score, band: bandOf(score, ranking) };
}
