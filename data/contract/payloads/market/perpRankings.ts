import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { percentile, rank } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { type BucketParts, rows } from '../stored.ts';
import { marketEnvelope, withFactors } from './marketEnvelope.ts';
import { bucketRow } from './marketRow.ts';
import example from './perpRankings.example.json' with { type: 'json' };

/** One product in the order of pressure (I2.57). */
export const perpRankingRow = z.object({
  rank: rank.nullable(),
  percentile: percentile.nullable(),
  ranking_score: z.number().min(0).max(100),
  ranking_band: z.enum(e.marketStates),
  ...bucketRow.shape,
});

export type PerpRankingRow = z.infer<typeof perpRankingRow>;

/** A product of the registry, as look-ups need it. */
export type KnownProduct = {
  readonly product: string;
  readonly display_name: string;
  readonly aliases: readonly string[];
  readonly underlying_ticker: string | null;
  /** Whether a registry version is in force on the date of the slice. */
  readonly has_registry: boolean;
};

const meta = z.strictObject({
  method_version: z.string(),
  first_bucket_utc: z.string().nullable(),
  last_bucket_utc: z.string().nullable(),
  // every product of the registry, with rows or without, one value a product
  products: z.array(z.string()),
  display_names: z.array(z.string()),
  /** Of each product, set apart by blanks: no label has one. */
  aliases: z.array(z.string()),
  underlying_tickers: z.array(z.string().nullable()),
  has_registry: z.array(z.boolean()),
});

export type PerpRankingsMeta = z.infer<typeof meta>;

/** The products that an index of rankings knows. */
export function productsOf(known: PerpRankingsMeta): readonly KnownProduct[] {
  return known.products.map((id, i) => ({
    product: id,
    display_name: known.display_names[i] ?? id,
    aliases: (known.aliases[i] ?? '').split(' ').filter((alias) => alias !== ''),
    underlying_ticker: known.underlying_tickers[i] ?? null,
    has_registry: known.has_registry[i] ?? false,
  }));
}

/** What the index of rankings says of the products. */
export function metaOfProducts(
  products: readonly KnownProduct[],
): Omit<PerpRankingsMeta, 'method_version' | 'first_bucket_utc' | 'last_bucket_utc'> {
  return {
    products: products.map((one) => one.product),
    display_names: products.map((one) => one.display_name),
    aliases: products.map((one) => one.aliases.join(' ')),
    underlying_tickers: products.map((one) => one.underlying_ticker),
    has_registry: products.map((one) => one.has_registry),
  };
}

/** How the row of a product is chosen; part of every answer. */
export const rankingRule =
  'latest stored row of each product in scope; stale rows and rows without pressure come last';

const schema = marketEnvelope({
  row: perpRankingRow,
  more: {
    bucket_length: z.enum(e.bucketLengths),
    ranking_field: z.literal('ranking_score'),
    selection_rule: z.string(),
  },
});

export const perpRankings = payload({
  id: 'perp_rankings.v1',
  schema,
  example: withFactors(example) as z.output<typeof schema>,
  excerpt: ['data[0].product', 'data[0].rank', 'data[0].ranking_score', 'data[0].ranking_band'],
  stored: {
    /** Ordered by rank (I4.R16.3); what is known of the products beside it serves every market route. */
    rows: rows({
      name: ({ slice, bucket_length }: BucketParts) => `perp-rankings/${slice}/${bucket_length}`,
      row: perpRankingRow,
      meta,
      columns: {
        product: (row) => row.product,
        underlying_ticker: (row) => row.underlying_ticker,
        source_date: (row) => row.source_date,
        status: (row) => row.quality.status,
      },
    }),
  },
});
