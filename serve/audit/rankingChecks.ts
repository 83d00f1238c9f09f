import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { PeerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isWithin } from './isWithin.ts';

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
