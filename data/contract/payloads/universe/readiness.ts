import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { ageMinutes } from '../../values/instant.ts';
import { count, date, datetime, int, pct, product } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { serveTime } from '../serveTime.ts';
import { object } from '../stored.ts';
import example from './readiness.example.json' with { type: 'json' };

const share = z.number().min(0).max(1);

const timeWindow = <L extends string>(label: L) =>
  z.object({
    label: z.literal(label),
    date_from: date.nullable(),
    date_to: date.nullable(),
    source_date_count: count,
    row_count: count,
    distinct_issuer_count: count,
  });

const coverageWindow = z.object({
  product,
  bucket_length: z.enum(e.bucketLengths),
  first_bucket_utc: datetime.nullable(),
  last_bucket_utc: datetime.nullable(),
  available_count: count,
  missing_count: count,
  row_age_minutes: int.nullable(),
  stale_after_minutes: int,
  row_status: z.enum([...e.marketRowStatuses, 'unavailable']),
});

/** What the rows of one perpetual product and bucket length cover (I2.46). */
export type CoverageWindow = z.infer<typeof coverageWindow>;

export const towerThresholds = z.object({
  version: z.string(),
  min_issuers: z.number().int(),
  isolated_max: z.number(),
  building_min: z.number(),
  synchronized_min: z.number(),
  direction_band_7d: z.number(),
  high_stress_min: z.number(),
  resonance_abs_m: z.number(),
  tie_order: z.array(z.enum(e.velocities)),
});

/** The stored part of ReadinessResponse (I2.46); `ok`, `reason` and `age_minutes` are added at serve time (I4.29). */
const readinessArtifact = z.object({
  source_date: date,
  filing_source_date: date.nullable().optional(),
  latest_computed_at_utc: datetime,
  freshness_window_hours: z.number().int(),
  row_count: count,
  distinct_issuer_count: count,
  linkbase_backed_count: count,
  resolved_nonzero_count: count,
  legitimate_zero_debt_count: count,
  low_confidence_missing_debt_count: count,
  resolved_zero_count: count,
  linkbase_rollup_count: count.optional(),
  linkbase_rooted_facts_count: count.optional(),
  direct_facts_fallback_count: count.optional(),
  high_quality_count: count.optional(),
  medium_quality_count: count.optional(),
  low_quality_count: count.optional(),
  live_prices_active: z.boolean().optional(),
  live_price_source: z.string().nullable().optional(),
  live_price_last_updated: datetime.nullable().optional(),
  live_price_coverage_count: count.optional(),
  btc_24h_change_pct: pct.nullable().optional(),
  btc_7d_change_pct: pct.nullable().optional(),
  market_regime: z.enum(e.marketRegimes).nullable().optional(),
  avg_live_stress_50pct: share.nullable().optional(),
  avg_live_stress_50pct_scope: z.literal('resolved_nonzero_all_capped_0_1').optional(),
  raw_avg_live_stress_50pct: z.number().nullable().optional(),
  raw_avg_live_stress_50pct_scope: z
    .literal('resolved_nonzero_all_raw_arithmetic_mean_outlier_sensitive')
    .optional(),
  high_stress_avg_live_stress_50pct: z.number().nullable().optional(),
  high_stress_avg_live_stress_50pct_scope: z.literal('resolved_nonzero_high_stress_only').optional(),
  high_stress_ratio: share.nullable().optional(),
  tower_version: z.string(),
  tower_scope: z.string(),
  tower_status: z.enum(e.towerStatuses),
  tower_coherence: z.number().nullable().optional(),
  tower_stress_resonance: z.number().nullable().optional(),
  tower_avg_mp_z: z.number().nullable().optional(),
  tower_resolved_nonzero_count: count,
  tower_high_stress_count: count,
  tower_linkbase_backed_count: count,
  tower_thresholds: towerThresholds,
  time_windows: z.object({
    latest_day: timeWindow('latest_day'),
    latest_week: timeWindow('latest_week'),
    latest_month: timeWindow('latest_month'),
  }),
  coverage_windows: z.array(coverageWindow).optional(),
});

export const readinessReasons = ['stale_slice', 'last_run_failed', 'partial_slice'] as const;

/** ReadinessResponse as sent (I2.46). */
const schema = readinessArtifact.extend({
  ok: z.boolean(),
  reason: z.enum(readinessReasons).nullable(),
  age_minutes: z.number(),
});

export type ReadinessArtifact = z.infer<typeof readinessArtifact>;
type ReadinessReason = (typeof readinessReasons)[number];

/** What of a stored readiness says how old its slice is, and how old it may be. */
export const freshnessFacts = readinessArtifact.pick({
  latest_computed_at_utc: true,
  freshness_window_hours: true,
});

export type SliceFreshness = { readonly ageMs: number; readonly windowMs: number; readonly stale: boolean };

/** How old a slice is at an instant; a clock behind that of the night gives 0. */
export function sliceFreshness(
  { latest_computed_at_utc, freshness_window_hours }: z.infer<typeof freshnessFacts>,
  nowMs: number,
): SliceFreshness {
  const ageMs = Math.max(0, nowMs - Date.parse(latest_computed_at_utc));
  const windowMs = freshness_window_hours * 3_600_000;
  return { ageMs, windowMs, stale: ageMs > windowMs };
}

/** From the clock and the outcome of the last night; `age_minutes` has one decimal (I4.R01.3). */
const readinessMembers = serveTime({
  names: ['ok', 'reason', 'age_minutes'],
  reads: freshnessFacts,
  showsLastRun: true,
  members: ({ sliceStatus, ...facts }, { nowMs, lastRun }) => {
    const reason = reasonOf({
      stale: sliceFreshness(facts, nowMs).stale,
      failed: lastRun?.status === 'failed',
      partial: sliceStatus === 'partial',
    });
    return { ok: reason === null, reason, age_minutes: ageMinutes(facts.latest_computed_at_utc, nowMs) };
  },
});

function reasonOf(found: { stale: boolean; failed: boolean; partial: boolean }): ReadinessReason | null {
  if (found.stale) return 'stale_slice';
  if (found.failed) return 'last_run_failed';
  return found.partial ? 'partial_slice' : null;
}

export const readiness = payload({
  id: 'readiness.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['source_date', 'row_count', 'avg_live_stress_50pct'],
  serveTime: readinessMembers,
  stored: {
    object: object({
      subject: 'none',
      schema: readinessArtifact,
      key: ({ slice }) => `readiness/${slice}.json`,
    }),
  },
});
