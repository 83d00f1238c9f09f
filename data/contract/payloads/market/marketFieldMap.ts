import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { date, datetime, listMeta, product, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { type BucketParts, history, object, ofEachLength } from '../stored.ts';
import example from './marketFieldMap.example.json' with { type: 'json' };
import { factorNumbers, marketInputs, marketQuality } from './marketRow.ts';

const value = z.number().nullable();

/** A constituent as our own slice of a day sees it: nothing is taken from another day (M9.10). */
const inherited = z.object({
  ticker: ticker.nullable(),
  name: z.string(),
  weight: z.number().nullable(),
  risk_tier: z.enum(e.riskTiers).nullable(),
});

const overlay = z.object({
  inherited: z.boolean(),
  evidence: z.array(inherited),
  /** The slice the tiers are of; null where none answers for the day. */
  slice: date.nullable().optional(),
});

/** Point of a market field map (I2.61): no smoothing, a missing value stays null. */
export const marketFieldPoint = z.object({
  date,
  observed_bucket_utc: datetime.optional(),
  current_read: z.string().nullable(),
  field_pressure: value,
  stored_energy: value,
  compression: value,
  release: value,
  E_total: value,
  R_s: value,
  delta_L: value,
  price_echo: value,
  volume: value,
  factors: factorNumbers,
  source_fields_used: z.array(z.string()),
  market_inputs: marketInputs,
  quality: marketQuality.partial(),
  constituent_overlay: overlay.optional(),
});

/** What lies in the object of a map: all members but the points and the page. */
const stored = z.object({
  product,
  signal: z.string(),
  version: z.literal('market-spectra-field-map-v1'),
  source_date: date.nullable(),
  summary: z.object({ current_read: z.string(), watch_next: z.array(z.string()) }),
  source_fields_used: z.array(z.string()),
  derived_fields: z.array(z.string()),
  chart_label_authority: z.object({ owner: z.literal('api'), labels: z.record(z.string(), z.string()) }),
  constituent_overlay: overlay,
});

/** MarketFieldMapResponse (I2.61). */
const schema = z.object({
  ...stored.shape,
  points: z.array(marketFieldPoint),
  meta: z.object({
    ...listMeta,
    filters: z.record(z.string(), z.string()),
  }),
});

export type MarketFieldPoint = z.infer<typeof marketFieldPoint>;
export type MarketFieldMap = z.infer<typeof stored>;

const minuteMs = 60_000;
const dayMinutes = 1440;

export const marketFieldMap = payload({
  id: 'market_field_map.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['product', 'points[0].date', 'points[0].field_pressure'],
  stored: {
    object: object({
      subject: 'product',
      schema: stored,
      coded: false,
      key: ({ slice, product: id, bucket_length }: BucketParts & { readonly product: string }) =>
        `market-field-map/${slice}/${id}/${bucket_length}.json`,
    }),
    /** Points of a product by bucket (I4.R18.2). */
    ...ofEachLength((length) =>
      history({
        name: `market-field-map/${length}`,
        row: marketFieldPoint,
        forms: ['point'],
        columns: {
          minute: (row) => (Date.parse(row.observed_bucket_utc ?? row.date) / minuteMs) % dayMinutes,
          status: (row) => row.quality.status ?? 'ok',
        },
      }),
    ),
  },
});
