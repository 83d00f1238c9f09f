import { z } from 'zod';
import { cik10, count, date, product } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { history } from '../stored.ts';
import { marketEnvelope, marketEnvelopeMeanings } from './marketEnvelope.ts';

/** The registry of one product on one date (I2.57). */
export const perpConstituentsRow = z.object({
  source_date: date,
  index_symbol: z.string(),
  source: z.string(),
  product,
  constituent_count: count,
  total_weight: z.number(),
  weights_valid: z.boolean(),
  /** Absent in rows of older builds; likewise the flags. */
  stand_in: z.boolean().optional(),
  quality_flags: z.array(z.string()).optional(),
  constituents: z.array(
    z.object({
      ticker: z.string().nullable(),
      cik: cik10.nullable(),
      name: z.string(),
      weight: z.number().nullable(),
      effective_date: date.nullable(),
      issuer_covered: z.boolean(),
    }),
  ),
  lineage: z
    .object({
      display_name: z.string(),
      kind: z.string(),
      method: z.string(),
      effective_date: date,
      next_effective_date: date.nullable(),
      weights_public: z.boolean(),
      stand_in: z.boolean(),
      notes: z.array(z.string()),
    })
    .optional(),
});

export type PerpConstituentsRow = z.infer<typeof perpConstituentsRow>;

export const perpConstituents = payload({
  id: 'perp_constituents.v1',
  name: 'PerpConstituents',
  schema: marketEnvelope({ row: perpConstituentsRow, more: {} }),
  example: {
    route: 'GET /v1/market-core/perps/constituents/{product}',
    payload_mode: 'compact',
    method_version: 'mcore-1.1',
    materialization_status: 'complete',
    boundary: 'Stored registry only; weights are those of the registry version in force on the day.',
    filters: { product: 'AI-PERP-INTX' },
    data: [
      {
        source_date: '2026-02-07',
        index_symbol: 'AI10',
        product: 'AI-PERP-INTX',
        constituent_count: 1,
        total_weight: 1,
        source: 'registry',
        weights_valid: true,
        stand_in: false,
        quality_flags: [],
        constituents: [
          {
            ticker: 'NVDA',
            cik: '0001045810',
            name: 'NVIDIA CORP',
            weight: 1,
            effective_date: '2026-01-02',
            issuer_covered: false,
          },
        ],
      },
    ],
    meta: {
      total: 1,
      total_before_pagination: 1,
      limit: 25,
      offset: 0,
      count: 1,
      source_dates: ['2026-02-07'],
      factor_registry: [],
      persistence: { first_bucket_utc: null, last_bucket_utc: null, row_interval_minutes: null },
    },
  },
  excerpt: ['data[0].product', 'data[0].index_symbol', 'data[0].constituent_count'],
  meanings: {
    ...marketEnvelopeMeanings,
    'data[].source_date': 'Day the registry version was in force on.',
    'data[].product': 'Perpetual-contract product of the registry.',
    index_symbol: 'Symbol of the index the contract follows.',
    'data[].source': 'Where the registry version was published.',
    constituent_count: 'How many constituents the version has.',
    total_weight: 'Sum of the published weights; 0 where none is public.',
    weights_valid:
      'True where every constituent has a weight, they sum to 1, and the list is that of the product and no stand-in.',
    quality_flags:
      'What limits the registry version, one code a flag: registry_stand_in, weights_invalid, weights_renormalised.',
    constituents: 'The constituents, in the order of the registry.',
    'constituents[].ticker': 'Ticker or coin symbol; null where the source names none.',
    'constituents[].cik': 'Central Index Key of a constituent that is an SEC registrant; null elsewhere.',
    'constituents[].name': 'Name as the source writes it.',
    'constituents[].weight': 'Weight in the index; null where it is not public.',
    effective_date: 'Day from which the registry version is in force.',
    issuer_covered: 'True where the slice of that day has a row of the issuer.',
    lineage: 'Method, source and notes of the registry version; only with mode=full.',
    display_name: 'Name of the product.',
    kind: 'coin, coin_basket or equity_basket.',
    method: 'How the weights come about: fixed_share, capped, single, price_weighted, equal or not_public.',
    next_effective_date: 'Day from which the next known version is in force; null while this is the newest.',
    weights_public: 'True where the source publishes the weights.',
    stand_in: 'True for a published list that stands for one that is not public.',
    notes: 'What limits the registry version, a sentence each.',
  },
  stored: {
    /** One row a product and date, in its compact and its full form (I4.R13.2). */
    history: history({
      name: 'perp-constituents',
      row: perpConstituentsRow,
      forms: ['compact', 'full'],
      columns: { status: (row) => (row.weights_valid ? 'ok' : 'partial') },
    }),
  },
});
