import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { date, datetime, listMeta, product, ticker } from '../../values/primitives.ts';
import { issuerFieldMap } from '../issuer/issuerFieldMap.ts';
import { payload } from '../payload.ts';
import { type BucketParts, history, object, ofEachLength } from '../stored.ts';
import { factorNumbers, marketInputs, marketQuality, marketRowMeanings } from './marketRow.ts';

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
  name: 'MarketFieldMap',
  schema,
  example: {
    product: 'BTC-PERP-INTX',
    signal: 'market_field_pressure',
    version: 'market-spectra-field-map-v1',
    source_date: '2026-02-07',
    summary: { current_read: 'Pressure Cooling', watch_next: ['basis sign change'] },
    points: [
      {
        date: '2026-02-07',
        observed_bucket_utc: '2026-02-07T00:00:00Z',
        current_read: 'Pressure Cooling',
        field_pressure: 0.31,
        stored_energy: 0.2,
        compression: 0,
        release: 1,
        E_total: 0.4,
        R_s: 0.1,
        delta_L: -0.02,
        price_echo: 0.5,
        volume: 1250000,
        factors: { basis_bps: 4.2 },
        source_fields_used: ['basis_bps'],
        market_inputs: {},
        quality: { status: 'ok' },
      },
    ],
    source_fields_used: ['basis_bps', 'funding_annualized'],
    derived_fields: ['field_pressure', 'stored_energy'],
    chart_label_authority: { owner: 'api', labels: { field_pressure: 'Field pressure' } },
    constituent_overlay: { inherited: true, evidence: [] },
    meta: { total: 1, limit: 25, offset: 0, count: 1, filters: {} },
  },
  excerpt: ['product', 'points[0].date', 'points[0].field_pressure'],
  meanings: {
    ...issuerFieldMap.meanings,
    ...marketRowMeanings,
    compression: '1 while pressure is high and open contracts rise, else 0.',
    release: '1 when open contracts fall and pressure fell sharply, else 0.',
    E_total:
      'Energy: how far the product is from calm, mean of carry and positioning squared plus market group squared.',
    R_s: 'Reinforcement: mean of carry and positioning times the market group; above 0 both point the same way, below 0 they oppose.',
    delta_L: 'Change of the open contracts of this product, ln(open contracts), against its point before.',
    field_pressure: 'Pressure, scaled by the least and largest of its last 30 available points.',
    stored_energy: 'E_total, scaled by the least and largest of its last 30 available points.',
    price_echo: 'Index price, scaled by the least and largest of its last 30 available points.',
    volume: 'Notional volume of 24 hours, USD.',
    '$.product': 'Perpetual-contract product of the map.',
    '$.source_date': 'Date of the data slice; null without a point.',
    signal: 'Name of the signal the map draws.',
    version: 'Version of the map.',
    points: 'One point a bucket, by date ascending within the page; pages count from the newest.',
    'points[].date': 'UTC date on which the bucket of the point starts.',
    'points[].observed_bucket_utc': 'Start of the closed bucket of the point.',
    chart_label_authority: 'Who names the curves: the service does, clients derive no label.',
    owner: 'Always api.',
    labels: 'Label of each curve, by member name.',
    constituent_overlay: 'Constituents with the risk tier our own slice of that day gives them.',
    inherited: 'True where tiers of our own slice of that day are shown.',
    evidence: 'One entry a constituent, heaviest first.',
    'evidence[].ticker': 'Ticker or coin symbol; null where the source names none.',
    'evidence[].name': 'Name as the registry writes it.',
    'evidence[].weight': 'Weight in the index; null where it is not public.',
    'evidence[].risk_tier': 'Risk tier in the slice of that day; null for a coin, or without a row there.',
    slice: 'Date of the slice the tiers are of; null where no slice answers for the day.',
  },
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
