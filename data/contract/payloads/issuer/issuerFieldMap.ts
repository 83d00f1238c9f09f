import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, int, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { history, object } from '../stored.ts';
import { choreographyChain, choreographyEvent } from './filingChoreography.ts';
import example from './issuerFieldMap.example.json' with { type: 'json' };

/** The most points a map shows; older ones are reached by `source_date` (I4.R17.2). */
export const mostFieldPoints = 400;

const value = z.number().nullable();

/** FieldPoint (I2.59): no smoothing, a missing value stays null. */
export const fieldPoint = z.object({
  date,
  E_total: value,
  R_s: value,
  delta_L: value,
  field_pressure: value,
  stored_energy: value,
  price_echo: value,
  compression: value,
  release: value,
  volume: value,
  current_read: z.string().nullable(),
  read: z.string().nullable(),
});

/** IssuerFieldMapResponse (I2.58, I2.60). */
const schema = z.object({
  ticker,
  mode: z.literal('core7_historical_spectra'),
  version: z.literal('spectra-field-map-v1'),
  generated_at: datetime,
  source: z.string(),
  boundary: z.string(),
  confidence: z.enum(e.fieldMapConfidences),
  points: z.array(fieldPoint).max(mostFieldPoints),
  company_name: z.string().nullable().optional(),
  source_date: date.nullable().optional(),
  generation_mode: z.enum(['runtime_history', 'static_fallback']).optional(),
  summary: z
    .object({
      current_read: z.enum(e.fieldReads),
      issuer_state: z.string(),
      latest_energy_read: z.string(),
      latest_pressure_read: z.string(),
      latest_price_read: z.string(),
      subscriber_takeaway: z.string(),
      watch_next: z.array(z.string()),
    })
    .optional(),
  what_changed: z
    .object({
      compression_band_count: count,
      release_band_count: count,
      filing_event_count: count,
      energy_latest_vs_peak: value,
      pressure_latest_vs_peak: value,
      price_echo_latest_vs_start: value,
      read: z.string(),
    })
    .optional(),
  lineage: z
    .object({
      filing_source: z.string().nullable(),
      market_source: z.string().nullable(),
      price_source: z.string().nullable(),
      spectra_source: z.string().nullable(),
      raw_paths: z.array(z.string()),
    })
    .optional(),
  normalization: z
    .object({ method: z.enum(e.normalizationMethods), ui_only: z.boolean(), window: int.nullable() })
    .optional(),
  events: z.array(choreographyEvent).optional(),
  chains: z.array(choreographyChain).optional(),
  annotations: z.array(z.object({ date, label: z.string(), detail: z.string() })).optional(),
  source_fields_used: z.array(z.string()).optional(),
  derived_fields: z.array(z.string()).optional(),
  curve_labels: z.record(z.string(), z.string()).optional(),
});

export type FieldPoint = z.infer<typeof fieldPoint>;
export type IssuerFieldMap = z.infer<typeof schema>;

/** What is stored of a map beside its points, which are rows of a history (I4.R17.2). */
const frame = schema.omit({ points: true });
export type IssuerFieldMapFrame = z.infer<typeof frame>;

export const issuerFieldMap = payload({
  id: 'issuer_field_map.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['summary.current_read', 'points[0].date', 'points[0].field_pressure'],
  stored: {
    object: object({
      subject: 'issuer',
      schema: frame,
      // sent with the points in it, and so never as it is
      coded: false,
      key: ({ slice, cik }) => `issuer-field-map/${slice}/CIK${cik}.json`,
    }),
    /** One point a promoted slice with the issuer. */
    points: history({ name: 'issuer-field-map', row: fieldPoint, forms: ['point'], columns: {} }),
  },
});
