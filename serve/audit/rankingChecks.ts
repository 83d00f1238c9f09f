import type { PeerRanking } from '../../contract/payloads/issuer/peerRanking.ts';

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
  const percentile = Math.round((10_000 * (worse + 0.5 * equal)) / all.length) / 100;
  if (Math.abs(row.percentile - percentile) > 0.01 + 1e-9) yield `percentile is not ${percentile}`;
}
