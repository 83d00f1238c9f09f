import { z } from 'zod';
import { lastRun, releaseName, withdrawal } from '../release/releaseFiles.ts';
import { count, date, datetime, sha256 } from '../values/primitives.ts';
import { versions } from '../values/versions.ts';

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

const sha = '0f3c4a5d6e7b8c9d'.repeat(4);
const fine = { status: 'ok', detail: null } as const;

export const healthExample: z.infer<typeof health> = {
  status: 'ok',
  service: versions.service,
  version: versions.api,
  time_utc: '2026-02-07T10:00:00Z',
  uptime_seconds: 5321,
};

export const readyExample: Ready = {
  ready: true,
  service: versions.service,
  version: versions.api,
  source_date: '2026-02-07',
  age_minutes: 167.3,
  slice_age_days: 0,
  checks: {
    artifact_store: fine,
    manifest: fine,
    ledger: fine,
    settlement_x402: fine,
    settlement_mpp: { status: 'disabled', detail: null },
    slice: fine,
  },
  manifest: { version: '2026-02-07.1', sha256: sha, key_id: 'ed25519-21fe31dfa154a261', artifact_count: 245 },
  discovery: {
    pricing: sha,
    fields: sha,
    openapi: sha,
    help: sha,
    llms: sha,
    well_known_x402: sha,
    mcp_card: sha,
    workflows: sha,
    did: sha,
    agent_card: sha,
    registry_entry: sha,
    robots: sha,
    icon: sha,
  },
  last_run: {
    source_date: '2026-02-07',
    status: 'ok',
    finished_at_utc: '2026-02-07T07:12:40Z',
    exit_code: 0,
    published_release: '2026-02-07.1',
    degraded: [],
  },
  withdrawn_slices: [],
};
