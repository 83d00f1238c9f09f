import { z } from 'zod';
import * as e from './enums.ts';
import { cik10, count, date, datetime, money, ratio, ticker, zScore } from './primitives.ts';

/** CoreHistoryRow: what one slice says with the facts known on that day (I2.53). */
export const coreHistoryRow = z.object({
  source_date: date,
  ticker,
  period: date.nullable(),
  stress_50pct: ratio,
  risk_tier: z.enum(e.riskTiers),
  total_long_term_debt: money,
  total_crypto_fair_value: money,
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
});

/** CoreHistoryResponse (I2.52). */
export const coreHistory = z.object({
  ticker,
  lookup_ticker: z.string(),
  join_key: z.literal('cik'),
  cik: cik10,
  data: z.array(coreHistoryRow),
  meta: z.object({
    total: count,
    limit: count,
    offset: count,
    count,
    coverage: z.object({
      first_source_date: date,
      last_source_date: date,
      missing_source_date_count: count,
    }),
    filters: z.record(z.string(), z.string()),
  }),
});

export type CoreHistoryRow = z.infer<typeof coreHistoryRow>;
