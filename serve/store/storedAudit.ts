import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type AuditRun, auditRun } from '../../data/contract/payloads/audit/auditRun.ts';
import { figuresFile } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { sha256Hex } from '../body/openBodies.ts';
import { parsedJson } from './parsedJson.ts';
import { type JudgeKey, verifySigned } from './verifySigned.ts';

/** A stored run of the regression audit. */
export type StoredRun = { readonly run: AuditRun; readonly bytes: number; readonly sha256: string };

/** More than that is no audit. */
export const maxAuditBytes = 16 * 1024 * 1024;

/** Where the audit of a day lies beside the releases (I3.22). */
export function auditName(day: string): string {
  return `audit/${day}.json`;
}

/** Where a night leaves the figures of its slice to look at first (M13.11). */
export function figuresName(day: string): string {
  return `audit/${figuresFile(day)}`;
}

/** The run that stored bytes hold, signed by a key this deployment publishes (I3.22, I9.16a); null when they hold none. */
export function storedAudit(bytes: Buffer, trusts: JudgeKey): StoredRun | null {
  if (bytes.length > maxAuditBytes) return null;
  const parsed = auditRun.safeParse(parsedJson(bytes));
  if (!parsed.success || verifySigned(parsed.data, trusts) !== null) return null;
  return { run: parsed.data, bytes: bytes.length, sha256: sha256Hex(bytes) };
}

/** The run of a day. @throws IssuerError `artifact_unavailable` when the bytes hold none, or that of another day */
export function auditOf(day: string, bytes: Buffer, trusts: JudgeKey): StoredRun {
  const stored = storedAudit(bytes, trusts);
  if (stored?.run.source_date === day) return stored;
  throw unreadableAudit(day);
}

/** The error of an audit that is there and cannot be shown. */
export function unreadableAudit(day: string): IssuerError {
  return new IssuerError({
    code: 'artifact_unavailable',
    message: `The audit ${day}.json cannot be read as one of this deployment.`,
    hint: 'Run issuer-serve audit again.',
    details: { artifact_key: null },
  });
}
