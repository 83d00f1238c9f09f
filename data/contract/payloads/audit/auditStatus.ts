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
  /** Share of the operations that could apply, in whole percent, rounded down. */
  applicable_pct: z.number().min(0).max(100).optional(),
  ok_count: count.optional(),
  skipped_count: count.optional(),
  mode: z.string().optional(),
  base_url: z.url().optional().describe('Not sent: the audit asks the handler in its own process.'),
  started_at_utc: datetime.optional(),
  finished_at_utc: datetime.optional(),
  last_successful_run_utc: datetime
    .optional()
    .describe('End of this run where nothing failed in it; absent otherwise.'),
  counts_by_operation: z.record(z.string(), int).optional(),
  failures_by_operation: z.record(z.string(), int).optional(),
  provenance: z.record(z.string(), z.unknown()).optional(),
  job: z
    .object({
      execution_name: z.string().optional(),
      execution_name_source: z.string().optional(),
      name: z.string().optional(),
      schedule_cron_utc: z.string().optional().describe('Not sent: the audit follows each night.'),
    })
    .optional(),
});

export type AuditStatus = z.infer<typeof auditStatus>;
