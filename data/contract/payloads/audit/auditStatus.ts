import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, datetime, int } from '../../values/primitives.ts';

/** Answer of the audit tool: how the newest regression audit ended (I2.34–I2.36). */
export const auditStatus = z.object({
  ok: z.boolean(),
  stale: z.boolean(),
  status: z.enum(e.auditStatuses),
  artifact: z.object({
    last_modified_utc: datetime.optional(),
    prefix: z.string().optional(),
    storage_container: z.string().optional(),
    summary_blob: z.string().optional(),
    summary_size_bytes: int.optional(),
  }),
  issuer_count: count,
  operation_count: count,
  failed_count: count,
  historical_failed_count: count,
  composite_failed_count: count,
  age_hours: z.number().optional(),
  freshness_window_hours: z.number().optional(),
  composite_operation_count: count.optional(),
  historical_operation_count: count.optional(),
  identity_gap_count: count.optional(),
  not_applicable_count: count.optional(),
  ok_count: count.optional(),
  skipped_count: count.optional(),
  mode: z.string().optional(),
  base_url: z.url().optional(),
  started_at_utc: datetime.optional(),
  finished_at_utc: datetime.optional(),
  last_successful_run_utc: datetime.optional(),
  counts_by_operation: z.record(z.string(), int).optional(),
  failures_by_operation: z.record(z.string(), int).optional(),
  provenance: z.record(z.string(), z.unknown()).optional(),
  job: z
    .object({
      execution_name: z.string().optional(),
      execution_name_source: z.string().optional(),
      name: z.string().optional(),
      schedule_cron_utc: z.string().optional(),
    })
    .optional(),
});

export type AuditStatus = z.infer<typeof auditStatus>;

/** Example answer; counts show shape. */
export const auditStatusExample = {
  ok: true,
  status: 'healthy',
  stale: false,
  artifact: {
    last_modified_utc: '2026-02-07T08:00:00Z',
    prefix: 'audit/',
    storage_container: 'artifacts',
    summary_blob: 'audit/2026-02-07.json',
    summary_size_bytes: 48211,
  },
  issuer_count: 215,
  operation_count: 1935,
  ok_count: 1895,
  failed_count: 0,
  skipped_count: 0,
  not_applicable_count: 40,
  historical_failed_count: 0,
  composite_failed_count: 0,
  age_hours: 12,
  freshness_window_hours: 36,
};
