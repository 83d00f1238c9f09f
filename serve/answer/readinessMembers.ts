import type { ReadinessReason } from '../../contract/readiness.ts';
import type { LastRun } from '../../contract/releaseFiles.ts';
import type { ReadinessClock } from './servable.ts';

/**
 * Fills the serve-time members of readiness from the clock and the outcome of the last night (I2.46, I4.R01.3).
 * `age_minutes` has one decimal.
 */
export function readinessMembers(o: { clock: ReadinessClock; lastRun: LastRun | null; nowMs: number }): {
  readonly ok: boolean;
  readonly reason: ReadinessReason | null;
  readonly age_minutes: number;
} {
  const ageMs = Math.max(0, o.nowMs - o.clock.computedMs);
  const reason = firstReason(o, ageMs);
  return { ok: reason === null, reason, age_minutes: Math.round(ageMs / 6_000) / 10 };
}

function firstReason(
  o: { clock: ReadinessClock; lastRun: LastRun | null },
  ageMs: number,
): ReadinessReason | null {
  if (ageMs > o.clock.freshnessWindowHours * 3_600_000) return 'stale_slice';
  if (o.lastRun?.status === 'failed') return 'last_run_failed';
  if (o.clock.sliceStatus === 'partial') return 'partial_slice';
  return null;
}
