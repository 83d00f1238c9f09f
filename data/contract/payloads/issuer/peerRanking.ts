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
  name: 'PeerRanking',
  schema,
  example: {
    source_date: '2026-02-07',
    cik: '0001050446',
    ticker: 'MSTR',
    entity_name: 'Strategy Inc',
    accession_number: '0001193125-25-262568',
    filing_url:
      'https://www.sec.gov/Archives/edgar/data/1050446/000119312525262568/0001193125-25-262568-index.htm',
    period: '2025-09-30',
    filed: '2025-11-03',
    filing_age_days: 130,
    next_report_due: '2026-03-02',
    stressed_leverage_50pct: 0.36401,
    stress_50pct: 0.223313,
    risk_tier: 'LOW',
    live_risk_tier: 'LOW',
    mp_z: -0.1409,
    core_tier: 'Tower',
    resonance_status: 'Neutral',
    is_linkbase_backed: true,
    quality_flag: 'High',
    data_source: 'linkbase_rooted_facts',
    calculation_arc_count: 412,
    debt_coverage_status: 'resolved_nonzero',
    root_resolution_method: 'bs_liabilities_walk',
    peer_rank: 7,
    peer_count: 13,
    percentile: 50,
    peer_percentile: 50,
    total_peers: 13,
    rank_direction: '1_is_highest_risk',
    percentile_direction: 'higher_is_more_resilient',
    ranking_status: 'precomputed',
    ranking_source: 'live',
  },
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
