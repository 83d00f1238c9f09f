import type { AlphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { PeerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isWithin } from './compositeChecks.ts';

/** A percentile has two decimals; times 2·n, half of the last is n hundredths. */
const hundredth = ExactDecimal.parse('0.01');

/** A single issuer is not ranked (M4.5). */
const leastPeers = 2;

/** The issuers that a slice has to rank: its judged rows, where there are two of them (M3.27, M4.5). */
export function rankedByRight(rows: readonly CovenantStress[]): ReadonlySet<string> {
  const judged = rows.filter(isJudged).map(({ cik }) => cik);
  return new Set(judged.length < leastPeers ? [] : judged);
}

function isJudged(row: CovenantStress): boolean {
  const { figures_basis: basis, treasury_relevance: relevance, total_crypto_fair_value: coins } = row;
  const hasCoins = typeof coins === 'number' ? coins > 0 : coins.sign > 0;
  const isRelevant = relevance === 'core' || relevance === 'material';
  return basis === 'resolved' && hasCoins && isRelevant && row.risk_tier !== 'UNCLASSIFIED';
}

/**
 * Problems of one ranking among all rankings of the slice: ranks are a permutation, a higher stress has a smaller
 * rank, the percentile is the mid-rank (M4.2, M4.3, M15.34).
 */
export function* rankingProblems(row: PeerRanking, all: readonly PeerRanking[]): Generator<string> {
  if (row.peer_count !== all.length) yield `peer_count is ${row.peer_count}, ${all.length} are ranked`;
  const x = row.stressed_leverage_50pct;
  const worse = all.filter((other) => other.stressed_leverage_50pct > x).length;
  const equal = all.filter((other) => other.stressed_leverage_50pct === x).length;
  if (row.peer_rank <= worse || row.peer_rank > worse + equal)
    yield 'peer_rank is not the place of its stress';
  if (all.filter((other) => other.peer_rank === row.peer_rank).length !== 1) yield 'peer_rank is given twice';
  const twice = ExactDecimal.fromNumber(2 * all.length).times(ExactDecimal.fromNumber(row.percentile));
  const halves = ExactDecimal.fromNumber(100 * (2 * worse + equal));
  if (!isWithin(twice, halves, { allowed: ExactDecimal.fromNumber(all.length).times(hundredth) }))
    yield `percentile is not ${((100 * (worse + 0.5 * equal)) / all.length).toFixed(2)}`;
}

/** What does not follow from the parts an alpha answer publishes (M5.1–M5.9, M15.37–M15.39). */
export function* alphaProblems(a: AlphaSignals): Generator<string> {
  const total = a.alpha_score_breakdown;
  const sum = total.debt_cleanliness + total.stress_resilience + total.regime_fit + total.treasury_strength;
  if (a.alpha_score !== Math.floor(sum / 4))
    yield 'alpha_score is not the mean of its four components (M15.37)';
  const repeated =
    a.stress_resilience_score === total.stress_resilience &&
    a.regime_fit_score === total.regime_fit &&
    a.treasury_strength_score === total.treasury_strength;
  if (!repeated) yield 'a component differs from its value in the breakdown (M5.1)';
  const stress = a.stress_resilience_breakdown;
  yield* meanProblem('stress_resilience_score', a.stress_resilience_score, [
    [50, stress.inverse_live_stress],
    [15, stress.delta_stability_proxy],
    [20, stress.debt_buffer_strength],
    [15, stress.treasury_cushion],
  ]);
  const fit = a.regime_fit_breakdown;
  yield* meanProblem('regime_fit_score', a.regime_fit_score, [
    [45, fit.stress_alignment],
    [25, fit.peer_relative_strength],
    [15, fit.treasury_regime_bonus],
    [15, fit.tower_participation_modifier],
  ]);
  const treasury = a.treasury_strength_breakdown;
  if (treasury !== undefined) {
    yield* meanProblem('treasury_strength_score', a.treasury_strength_score, [
      [40, treasury.asset_ratio],
      [40, treasury.net_coverage],
      [20, treasury.disclosure],
    ]);
  }
  const clean = a.debt_cleanliness_breakdown;
  if (clean !== undefined && total.debt_cleanliness !== clean.coverage + clean.source + clean.quality) {
    yield 'debt_cleanliness is not the sum of its parts (M15.38)';
  }
  if (a.score_inputs.stress_data_status === 'missing' && !isWithoutStress(a)) {
    yield 'missing stress is rewarded (M15.39)';
  }
}

function isWithoutStress(a: AlphaSignals): boolean {
  return (
    a.stress_resilience_score === 0 &&
    a.regime_fit_breakdown.stress_alignment === 0 &&
    a.research_posture === 'data_review_required'
  );
}

function* meanProblem(
  name: string,
  score: number,
  parts: readonly (readonly [weight: number, value: number])[],
): Generator<string> {
  const mean = Math.floor((parts.reduce((sum, [weight, value]) => sum + weight * value, 0) + 50) / 100);
  if (score !== mean) yield `${name} is not the weighted mean of its parts (M15.38)`;
}
