import { z } from 'zod';
import * as e from '../../values/enums.ts';
import {
  accession,
  cik10,
  count,
  date,
  datetime,
  filingPage,
  percentile,
  rank,
  ratio,
  ticker,
  zScore,
} from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object, rows } from '../stored.ts';
import { filingAge } from './filingAge.ts';
import example from './peerRanking.example.json' with { type: 'json' };

/** PeerRankingResponse, one ranked issuer of one slice (I2.50). */
const schema = z.object({
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
  filing_url: filingPage.optional(),
  entity_name: z.string().optional(),
  ranking_source: z.enum(e.rankingSources).optional(),
  period: date.optional(),
  ...filingAge,
  computed_at_utc: datetime.optional(),
  mp_z: zScore.nullable().optional(),
  core_tier: z.enum(e.coreTiers).optional(),
  resonance_status: z.enum(e.resonances).optional(),
  peer_percentile: percentile.optional(),
  peer_score: z.number().nullable().optional(),
  total_peers: count.optional(),
  ranking_status: z.enum(e.rankingStatuses).optional(),
});

export type PeerRanking = z.infer<typeof schema>;

export const peerRanking = payload({
  id: 'peer_ranking.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['ticker', 'peer_rank', 'peer_count', 'percentile'],
  stored: {
    object: object({
      subject: 'issuer',
      schema,
      key: ({ slice, cik }) => `peer-ranking/${slice}/CIK${cik}.json`,
    }),
    /** Ranked issuers, ordered by CIK (I4.36). */
    rows: rows({
      name: ({ slice }) => `peer-ranking/${slice}`,
      releases: 'backfilled',
      row: schema,
      columns: { cik: (row) => row.cik, ticker: (row) => row.ticker, period: (row) => row.period ?? null },
    }),
  },
});
