import { z } from 'zod';
import { cik10, count, date, product } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { history } from '../stored.ts';
import { marketEnvelope } from './marketEnvelope.ts';
import example from './perpConstituents.example.json' with { type: 'json' };

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

const schema = marketEnvelope({ row: perpConstituentsRow, more: {} });

export const perpConstituents = payload({
  id: 'perp_constituents.v1',
  schema,
  example: example as z.output<typeof schema>,
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
