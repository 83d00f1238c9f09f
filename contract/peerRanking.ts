import { z } from 'zod';
import * as e from './enums.ts';
import {
  accession,
  cik10,
  count,
  date,
  datetime,
  percentile,
  rank,
  ratio,
  ticker,
  zScore,
} from './primitives.ts';

/** PeerRankingResponse, one ranked issuer of one slice (I2.50). */
export const peerRanking = z.object({
  source_date: date,
  cik: cik10,
  ticker,
  stressed_leverage_50pct: ratio,
  stress_50pct: ratio,
  risk_tier: z.enum(e.riskTiers),
  live_risk_tier: z.enum(e.riskTiers).nullable().optional(),
  is_linkbase_backed: z.boolean(),
  quality_flag: z.enum(e.qualityFlags),
  data_source: z.enum(e.dataSources),
  calculation_arc_count: count,
  debt_coverage_status: z.enum(e.debtCoverages),
  root_resolution_method: z.string().nullable(),
  peer_rank: rank,
  peer_count: count,
  percentile,
  rank_direction: z.literal('1_is_highest_risk'),
  percentile_direction: z.literal('higher_is_more_resilient'),
  accession_number: accession.optional(),
  entity_name: z.string().optional(),
  ranking_source: z.enum(e.rankingSources).optional(),
  period: date.optional(),
  computed_at_utc: datetime.optional(),
  mp_z: zScore.nullable().optional(),
  core_tier: z.enum(e.coreTiers).optional(),
  resonance_status: z.enum(e.resonances).optional(),
  peer_percentile: percentile.optional(),
  peer_score: z.number().nullable().optional(),
  total_peers: count.optional(),
  ranking_status: z.enum(e.rankingStatuses).optional(),
});

export type PeerRanking = z.infer<typeof peerRanking>;
