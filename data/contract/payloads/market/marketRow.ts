import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, int, product } from '../../values/primitives.ts';

/** Numbers by factor id (I2.56). */
export const factorNumbers = z.record(z.string(), z.number().nullable());

/** How far a row can be trusted, and what it lacks. */
export const marketQuality = z.object({
  status: z.enum(e.marketRowStatuses),
  row_age_minutes: int,
  history_rows: count,
  flags: z.array(z.string()),
});

const input = z.number().nullable().optional();

/** What the venue said of the contract in the bucket (M8.2). */
export const marketInputs = z.object({
  mark: input,
  index_price: input,
  last: input,
  open_interest: input,
  funding_rate: input,
  funding_interval_hours: input,
  volume_base: input,
  volume_usd: input,
  volume_24h_usd: input,
  liquidations_long_usd: input,
  liquidations_short_usd: input,
  observations: count.optional(),
  synthetic: z.boolean().optional(),
});

/** Where a row comes from. */
export const marketLineage = z.object({
  venue: z.string(),
  symbol: z.string(),
  registry_effective_date: date.nullable(),
  registry_source: z.string().nullable(),
  registry_method: z.string().nullable(),
  weights_renormalised: z.boolean(),
  window_first_bucket_utc: datetime.nullable(),
  window_buckets: count,
});

/** What every row of one product and bucket says (I2.57). */
export const bucketRow = z.object({
  product,
  contract_symbol: z.string(),
  underlying_ticker: z.string().nullable(),
  bucket_length: z.enum(e.bucketLengths),
  observed_bucket_utc: datetime,
  previous_bucket_utc: datetime.nullable(),
  source_date: date,
  factors: factorNumbers,
  deltas: factorNumbers,
  quality: marketQuality,
});
