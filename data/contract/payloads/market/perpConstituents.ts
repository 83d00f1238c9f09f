import { z } from 'zod';
import { cik10, count, date, product } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { history } from '../stored.ts';
import { marketEnvelope } from './marketEnvelope.ts';

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
