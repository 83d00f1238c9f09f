import type { AuditRun } from '../../data/contract/payloads/audit/auditRun.ts';
import type { AuditStatus } from '../../data/contract/payloads/audit/auditStatus.ts';

const hourMs = 3_600_000;

/** What a reader of the audit needs beside its counts. */
type Counts = Pick<
  AuditRun,
  | 'finished_at_utc'
  | 'freshness_window_hours'
  | 'failed_count'
  | 'historical_failed_count'
  | 'composite_failed_count'
>;

/** Age, staleness and status of a run as the clock stands (I2.36, I3.22, M13.9). */
export function auditHealth(
  run: Counts | null,
  nowMs: number,
): { readonly ageHours: number | null; readonly stale: boolean; readonly status: AuditStatus['status'] } {
  if (run === null) return { ageHours: null, stale: true, status: 'unavailable' };
  const ageHours = (nowMs - Date.parse(run.finished_at_utc)) / hourMs;
  const stale = !(ageHours <= run.freshness_window_hours);
  return { ageHours, stale, status: stale || failuresOf(run) > 0 ? 'degraded' : 'healthy' };
}

const failuresOf = (run: Counts) =>
  run.failed_count + run.historical_failed_count + run.composite_failed_count;

/** How much of the audit could find anything, in whole percent, rounded down: few filings leave little to audit. */
function applicablePct({ operation_count: all, not_applicable_count: none }: AuditRun): number {
  return all === 0 ? 0 : Math.floor(((all - none) * 100) / all);
}

/** The status with how much of the audit it is about: `healthy, 8 % applicable` (M13.9). */
export function auditWords({ status, stale, applicable_pct: share }: AuditStatus): string {
  return `${status}${stale && status !== 'unavailable' ? ', stale' : ''}${share === undefined ? '' : `, ${share} % applicable`}`;
}

/** The audit status of the newest run, or of none at all (I2.34–I2.36). */
export function auditStatusOf({
  run,
  bytes,
  nowMs,
}: {
  run: AuditRun | null;
  /** Size of its file. */
  bytes: number;
  nowMs: number;
}): AuditStatus {
  const { ageHours, stale, status } = auditHealth(run, nowMs);
  const artifact = { prefix: 'audit/', storage_container: 'artifacts' };
  if (run === null || ageHours === null) {
    return { ...unavailable, artifact };
  }
  return {
    ok: status === 'healthy',
    stale,
    status,
    artifact: {
      ...artifact,
      last_modified_utc: run.finished_at_utc,
      summary_blob: `audit/${run.source_date}.json`,
      summary_size_bytes: bytes,
    },
    issuer_count: run.issuer_count,
    operation_count: run.operation_count,
    ok_count: run.ok_count,
    failed_count: run.failed_count,
    skipped_count: run.skipped_count,
    not_applicable_count: run.not_applicable_count,
    applicable_pct: applicablePct(run),
    composite_operation_count: run.composite_operation_count,
    composite_failed_count: run.composite_failed_count,
    historical_operation_count: run.historical_operation_count,
    historical_failed_count: run.historical_failed_count,
    identity_gap_count: run.identity_gap_count,
    counts_by_operation: run.counts_by_operation,
    failures_by_operation: run.failures_by_operation,
    mode: run.mode,
    started_at_utc: run.started_at_utc,
    finished_at_utc: run.finished_at_utc,
    ...(failuresOf(run) === 0 ? { last_successful_run_utc: run.finished_at_utc } : {}),
    job: {
      name: 'issuer-serve audit',
      execution_name: run.release,
      execution_name_source: 'release',
    },
    age_hours: Math.round(ageHours * 100) / 100,
    freshness_window_hours: run.freshness_window_hours,
    provenance: { release: run.release, manifest_sha256: run.manifest_sha256 },
  };
}

const unavailable = {
  ok: false,
  stale: true,
  status: 'unavailable',
  issuer_count: 0,
  operation_count: 0,
  failed_count: 0,
  historical_failed_count: 0,
  composite_failed_count: 0,
} as const;
