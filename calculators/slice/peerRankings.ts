import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import {
  type PeerRanking,
  peerRanking as peerRankingPayload,
} from '../../data/contract/payloads/issuer/peerRanking.ts';
import type { UnrankedReason } from '../../data/contract/values/enums.ts';
import { published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type GradedPosition, isVehicle } from '../position/gradePosition.ts';
import { listRow } from './filingAge.ts';
import { stressBasis } from './stressBasis.ts';
import { byStress } from './topStressedRows.ts';
import { isJudged } from './towerState.ts';

/** A row of the slice with the position it was made from. */
export type RankingSubject = { readonly position: GradedPosition; readonly stress: CovenantStress };

/** The ranks of a slice, and why an issuer has none. */
export type PeerRankings = {
  /** In rank order. */
  readonly ranked: readonly PeerRanking[];
  /** By CIK, every issuer of the slice that is not ranked (M4.5). */
  readonly unranked: ReadonlyMap<string, UnrankedReason>;
};

/** Ranking a single issuer says nothing (M4.5). */
const leastPeers = 2;

/**
 * Ranks every judged issuer, 1 the most stressed, by live stress where live; the percentile is the mid-rank, higher
 * is more resilient (M4.1–M4.5).
 */
export function peerRankings(subjects: readonly RankingSubject[], parameters: Parameters): PeerRankings {
  const candidates = subjects
    .filter(({ stress }) => isJudged(stress))
    .toSorted((a, b) => byStress(a.stress, b.stress));
  const ranked = candidates.length < leastPeers ? [] : candidates;
  const isRanked = new Set(ranked.map(({ stress }) => stress.cik));
  const values = ranked.map(({ stress }) => stressBasis(stress).stress50);
  return {
    ranked: ranked.map(({ stress }, i) =>
      peerRanking(stress, {
        rank: i + 1,
        count: ranked.length,
        percentile: midRankPercentile(values[i] ?? 0, values),
        total: subjects.length,
        direction: parameters.rankDirection,
      }),
    ),
    unranked: new Map(
      subjects
        .filter(({ stress }) => !isRanked.has(stress.cik))
        .map(({ position, stress }) => [stress.cik, unrankedReason(position, parameters)]),
    ),
  };
}

/** 100·(values above x + half of those equal to it, itself included) / n, two decimals (M4.3). */
export function midRankPercentile(x: number, values: readonly number[]): number {
  const above = values.filter((value) => value > x).length;
  const equal = values.filter((value) => value === x).length;
  return published(
    { numerator: BigInt(100 * (2 * above + equal)), denominator: BigInt(2 * values.length) },
    2,
  );
}

/** Low-confidence debt is unproven first (M3.3c); its own reason stands in older slices. */
type GivenReason = Exclude<UnrankedReason, 'low_confidence_debt'>;

/** Why a position has no rank, first match; one that could be ranked lacks peers (M4.5). */
function unrankedReason(position: GradedPosition, { filingAgeDays }: Parameters): GivenReason {
  if (isVehicle(position.issuer)) return 'issuer_type';
  if (position.isJudged) return 'universe_small';
  if (position.ageDays > filingAgeDays.unclassified) return 'stale';
  if (position.figuresBasis !== 'resolved') return 'figures_unproven';
  if (position.holdings.amount.sign <= 0) return 'no_crypto';
  const { word } = position.relevance;
  if (word === null) return 'relevance_unknown';
  return word === 'incidental' ? 'coins_incidental' : 'anomalous_low_quality';
}

function peerRanking(
  row: CovenantStress,
  {
    rank,
    count,
    percentile,
    total,
    direction,
  }: {
    rank: number;
    count: number;
    percentile: number;
    total: number;
    direction: PeerRanking['rank_direction'];
  },
): PeerRanking {
  const { basis, stress50 } = stressBasis(row);
  return listRow(peerRankingPayload.schema, row, {
    stressed_leverage_50pct: stress50,
    ranking_source: basis,
    ranking_status: 'precomputed',
    peer_rank: rank,
    peer_count: count,
    percentile,
    peer_percentile: percentile,
    peer_score: null,
    total_peers: total,
    rank_direction: direction,
    percentile_direction: 'higher_is_more_resilient',
  });
}
