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

/** What members of market rows mean. */
export const marketRowMeanings = {
  product: 'Perpetual-contract product the row is about.',
  contract_symbol: 'Symbol of the one contract the row was observed on, as its venue writes it.',
  underlying_ticker: 'Ticker of the underlying; null for a basket without one.',
  bucket_length: 'Length of an observation bucket.',
  observed_bucket_utc: 'Start of the closed bucket the row describes.',
  previous_bucket_utc: 'Start of the bucket the deltas refer to; null without one.',
  source_date: 'UTC date on which the bucket of the row starts.',
  factors: 'Value of each factor by its id; null where the bucket lacks what it needs.',
  deltas:
    'Value minus the value of the previous available bucket, by factor id; null where that bucket is older than its length allows.',
  z_scores: 'Robust z of a factor against its own trailing window, by factor id.',
  quality: 'How far the row can be trusted.',
  'quality.status':
    'ok: all its inputs are there; partial: flags name what is missing; stale: older than the bound of its bucket length.',
  row_age_minutes:
    'Minutes from the end of the bucket to the end of the day it is judged on; never the clock.',
  history_rows: 'Available buckets of the same contract in the window of the z-scores.',
  flags: 'What limits the row, one code a flag.',
  market_inputs: 'What the venue said of the contract in the bucket.',
  mark: 'Last mark price.',
  index_price: 'Last index price; null where the venue gave none.',
  last: 'Last traded price.',
  open_interest: 'Last open interest, in base units.',
  funding_rate: 'Last funding rate, for one funding interval.',
  funding_interval_hours: 'Hours between two fundings.',
  volume_base: 'Volume of the bucket in base units.',
  volume_usd: 'Notional volume of the bucket, USD.',
  volume_24h_usd:
    'Notional volume of the 24 hours that end with the bucket, USD; null unless all of them are there.',
  liquidations_long_usd: 'Longs liquidated in the bucket, USD.',
  liquidations_short_usd: 'Shorts liquidated in the bucket, USD.',
  observations: 'Observations in the bucket.',
  synthetic: 'True where an observation of the bucket was made up for a demonstration.',
  lineage: 'Venue, contract, registry version and window the row was made from.',
  venue: 'Venue the contract was observed on.',
  symbol: 'Symbol of the contract, as the venue writes it.',
  registry_effective_date: 'Day from which the registry version of the row is in force; null without one.',
  registry_source: 'Where the registry version was published.',
  registry_method:
    'How its weights come about: fixed_share, capped, single, price_weighted, equal or not_public.',
  weights_renormalised: 'True where the stated weights did not sum to 1 and were scaled.',
  window_first_bucket_utc: 'Start of the oldest bucket in the window of the z-scores.',
  window_buckets: 'Available buckets in the window of the z-scores.',
} as const;

/** An example of what every row says. */
export const exampleBucketRow = {
  product: 'BTC-PERP-INTX',
  contract_symbol: 'BTCUSDT',
  underlying_ticker: 'BTC',
  bucket_length: '1d',
  observed_bucket_utc: '2026-02-06T00:00:00Z',
  previous_bucket_utc: '2026-02-05T00:00:00Z',
  source_date: '2026-02-06',
  factors: {
    funding_annualized: 0.1095,
    basis_bps: 4.2,
    breadth: 1,
    liquidation_imbalance: null,
    pressure: 0.21,
  },
  deltas: { basis_bps: -1.1 },
  quality: { status: 'ok', row_age_minutes: 0, history_rows: 90, flags: [] },
} satisfies z.output<typeof bucketRow>;
