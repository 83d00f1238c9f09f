import type { AuditStatus } from '../../../contract/payloads/auditStatus.ts';
import { auditStatusOf } from '../../audit/auditStatusOf.ts';
import { newestRun } from '../../audit/newestRun.ts';

/**
 * Status of the newest `audit/<day>.json` beside the releases (I3.22); null when there is none.
 *
 * @throws IssuerError `artifact_unavailable` when the file does not hold an audit.
 */
export async function newestAudit({
  artifactsRoot,
  nowMs,
}: {
  artifactsRoot: string;
  nowMs: number;
}): Promise<AuditStatus | null> {
  const stored = await newestRun(artifactsRoot)();
  return stored === null ? null : auditStatusOf({ run: stored.run, bytes: stored.bytes, nowMs });
}
