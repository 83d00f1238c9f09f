import { z } from 'zod';
import * as e from '../../values/enums.ts';
import {
  cik10,
  count,
  date,
  datetime,
  filingPage,
  listMeta,
  money,
  ratio,
  ticker,
  zScore,
} from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { history } from '../stored.ts';
import example from './coreHistory.example.json' with { type: 'json' };

/** CoreHistoryRow: what one slice says with the facts known on that day (I2.53). */
export const coreHistoryRow = z.object({
  source_date: date,
  ticker,
  period: date.nullable(),
  stress_50pct: ratio,
  risk_tier: z.enum(e.riskTiers),
  total_long_term_debt: money,
  total_crypto_fair_value: money,
  figures_basis: z.enum(e.figuresBases).optional(),
  crypto_share_of_assets: ratio.nullable().optional(),
  treasury_relevance: z.enum(e.treasuryRelevances).nullable().optional(),
  quality_flag: z.enum(e.qualityFlags),
  data_source: z.enum(e.dataSources),
  debt_coverage_status: z.enum(e.debtCoverages),
  is_linkbase_backed: z.boolean(),
  stress_30pct: ratio.nullable(),
  stress_70pct: ratio.nullable(),
  covenant_headroom_50pct: ratio.nullable(),
  live_stress_50pct: ratio.nullable(),
  live_covenant_headroom_50pct: ratio.nullable(),
  live_risk_tier: z.enum(e.riskTiers).nullable(),
  bitcoin_units_held: z.number().nullable(),
  ethereum_units_held: z.number().nullable(),
  current_debt: money.nullable(),
  noncurrent_debt: money.nullable(),
  market_regime: z.enum(e.marketRegimes).nullable(),
  resonance_status: z.enum(e.resonances).nullable(),
  core_tier: z.enum(e.coreTiers).nullable(),
  mp_z: zScore.nullable(),
  st_z: zScore.nullable(),
  price_last_updated: datetime.nullable(),
  accession_number: z.string().nullable(),
  filing_url: filingPage.optional(),
});

/** CoreHistoryResponse (I2.52). */
const schema = z.object({
  ticker,
  lookup_ticker: z.string(),
  join_key: z.literal('cik'),
  cik: cik10,
  data: z.array(coreHistoryRow),
  meta: z.object({
    ...listMeta,
    coverage: z.object({
      first_source_date: date,
      last_source_date: date,
      missing_source_date_count: count,
    }),
    filters: z.record(z.string(), z.string()),
  }),
});

export type CoreHistoryRow = z.infer<typeof coreHistoryRow>;

export const coreHistory = payload({
  id: 'core_history.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['ticker', 'data[0].source_date', 'data[0].stress_50pct'],
  stored: {
    /** One row a source_date (I2.52). */
    history: history({
      name: 'core-history',
      row: coreHistoryRow,
      forms: ['row'],
      columns: {
        // finds the newest slice with a filing period without opening the slices (I4.16)
        period: (row) => row.period,
      },
    }),
  },
});
