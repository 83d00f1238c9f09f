import { z } from 'zod';
import { lastRun, releaseName, withdrawal } from '../release/releaseFiles.ts';
import { count, date, datetime, sha256 } from '../values/primitives.ts';

/** `/health` (I4.F09). */
export const health = z.object({
  status: z.literal('ok'),
  service: z.string(),
  version: z.string(),
  time_utc: datetime,
  uptime_seconds: count,
});

const check = z.object({
  status: z.enum(['ok', 'degraded', 'failing', 'disabled']),
  detail: z.string().nullable(),
});

/** `/ready` (I4.F10); the same body with 200 and 503. */
export const ready = z.object({
  ready: z.boolean(),
  service: z.string(),
  version: z.string(),
  source_date: date.nullable(),
  /** null while no slice is promoted. */
  age_minutes: z.number().min(0).nullable(),
  /** Whole days since source_date, UTC; null while no slice is promoted. */
  slice_age_days: count.nullable(),
  checks: z.object({
    artifact_store: check,
    manifest: check,
    ledger: check,
    settlement_x402: check,
    settlement_mpp: check,
    slice: check,
  }),
  manifest: z.object({ version: releaseName, sha256, key_id: z.string(), artifact_count: count }).nullable(),
  discovery: z.record(z.string(), sha256),
  last_run: lastRun
    .pick({
      source_date: true,
      status: true,
      finished_at_utc: true,
      exit_code: true,
      published_release: true,
      degraded: true,
    })
    .nullable(),
  /** Dates that answer no more, ascending (I3.28). */
  withdrawn_slices: z.array(withdrawal.extend({ source_date: date })),
});

export type Ready = z.infer<typeof ready>;
