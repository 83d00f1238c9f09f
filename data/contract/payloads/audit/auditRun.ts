import { z } from 'zod';
import { artifactManifest, releaseName } from '../../release/releaseFiles.ts';
import { count, date, datetime, sha256 } from '../../values/primitives.ts';
import { figuresToCheck } from './figuresToCheck.ts';

/** The nine operations of every issuer of the universe (M13.7), in their order. */
export const auditOperations = [
  'readiness_membership',
  'company_fundamentals',
  'alpha_signals',
  'peer_ranking',
  'covenant_stress',
  'core_history',
  'calculation_history',
  'field_map',
  'company_report_or_evidence',
] as const;
export type AuditOperation = (typeof auditOperations)[number];

/** Operations over the whole slice (M13.8), counted apart. */
export const compositeOperations = [
  'readiness',
  'risk_distribution',
  'top_stressed',
  'alpha_opportunities',
  'alpha_opportunities_audit',
  'daily_changes_latest',
  'brief_validation',
] as const;

/** Operations over the perpetual products of the slice (M13.8), counted with those above. */
export const marketOperations = ['perp_rankings', 'etf_pressure', 'etf_audit'] as const;
/** Operations over everything that is sold (M13.8), counted with those above: each route, each tool. */
export const surfaceOperations = ['every_route', 'every_tool'] as const;
export type SurfaceOperation = (typeof surfaceOperations)[number];
export type MarketOperation = (typeof marketOperations)[number];
export type CompositeOperation = (typeof compositeOperations)[number];

/** How an operation can end (M13.9). */
export const auditOutcomes = ['ok', 'failed', 'skipped', 'not_applicable'] as const;

const byOperation = z.record(z.enum(auditOperations), count);

/**
 * `audit/<day>.json` beside the releases (I3.22): one run of the regression audit over one promoted release. The
 * signature covers the canon-1 form without `signature`, as in a manifest (I9.16).
 */
export const auditRun = z.strictObject({
  schema_id: z.literal('audit_run.v1'),
  source_date: date,
  release: releaseName,
  manifest_sha256: sha256,
  /** Kind of source the release was made from: with `edgar` a missing filing is a failure (M13.7). */
  source: z.string(),
  mode: z.literal('in_process'),
  started_at_utc: datetime,
  finished_at_utc: datetime,
  freshness_window_hours: z.number(),
  issuer_count: count,
  operation_count: count,
  ok_count: count,
  failed_count: count,
  skipped_count: count,
  not_applicable_count: count,
  identity_gap_count: count,
  counts_by_operation: byOperation,
  failures_by_operation: byOperation,
  /** Number of operations by reason, of those skipped or not applicable. */
  reasons: z.record(z.string(), count),
  composite_operation_count: count,
  composite_failed_count: count,
  composite: z.array(
    z.strictObject({
      operation: z.enum([...compositeOperations, ...marketOperations, ...surfaceOperations]),
      outcome: z.enum(auditOutcomes),
      reason: z.string().nullable(),
    }),
  ),
  historical_operation_count: count,
  historical_failed_count: count,
  /** The first failures; the counts are complete. */
  failures: z.array(
    z.strictObject({ cik: z.string().nullable(), operation: z.string(), reason: z.string() }),
  ),
  /** The figures an analyst should look at first, as the night listed them; absent where it left no list (M13.11). */
  figures_to_check: z.exactOptional(figuresToCheck),
  signature: artifactManifest.shape.signature,
});

export type AuditRun = z.infer<typeof auditRun>;
