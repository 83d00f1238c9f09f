import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import { bandOf, type MarketState } from './pressureState.ts';

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
