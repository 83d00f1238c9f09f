import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type AuditRun, auditRun } from '../../data/contract/payloads/audit/auditRun.ts';
import { figuresFile } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { sha256Hex } from '../body/openBodies.ts';
import { unservable } from './artifactFaults.ts';
import type { ReplicaFiles } from './replicaFiles.ts';
import type { ReplicaReads } from './replicaReads.ts';
import { type JudgeKey, parsedJson, verifySigned } from './verifySigned.ts';

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

/** Where a replica stores the newest audit. */
export const keptAuditName = 'audit.json';
/** An audit is searched of so many days at most. */
const mostDays = 31;
/** One that could not be had is tried again after so long. */
const retryMs = 60_000;

/** The newest audit of a store behind the network, as it was when its pointers last changed (STORE ST15). */
type RemoteAudits = {
  /**
   * Reads the newest audit again where the stamp or the days changed since the last read; never fails.
   *
   * @param stamp what a night replaces after its audit
   * @param days promoted and withdrawn days, which audits are of
   */
  follow(o: { readonly stamp: string; readonly days: readonly string[] }): Promise<void>;
  /** Without the store: reads the copy of the replica. */
  takeKept(): Promise<void>;
  /** null when there is none. Rejects with IssuerError `artifact_unavailable` when none could be read. */
  newest(): Promise<StoredRun | null>;
};

type Known = { readonly stored: StoredRun | null } | { readonly error: IssuerError };

/**
 * Follows the audits that nights copy into a bucket. While the store does not answer the last one that was read stands; one
 * that is damaged hides behind no older one.
 */
export function remoteAudits({
  reads,
  files,
  trusts,
  nowMs,
}: {
  reads: Pick<ReplicaReads, 'fresh'>;
  files: Pick<ReplicaFiles, 'read' | 'keep' | 'drop'>;
  trusts: JudgeKey;
  nowMs(): number;
}): RemoteAudits {
  let known: Known = { error: unservable('audit/', new Error('the object store was not read yet')) };
  let seen: { readonly stamp: string; readonly untilMs: number } | null = null;
  let looking: Promise<void> | null = null;

  /** @throws StoreAway where the store does not answer, IssuerError where the bytes are no audit */
  async function readNewest(days: readonly string[]): Promise<StoredRun | null> {
    for (const day of days.toSorted().reverse().slice(0, mostDays)) {
      const bytes = await reads.fresh(auditName(day), { start: 0, length: maxAuditBytes + 1 });
      if (bytes === null) continue;
      const stored = auditOf(day, bytes, trusts);
      await files.keep(keptAuditName, bytes);
      return stored;
    }
    return null;
  }

  async function look(days: readonly string[]): Promise<boolean> {
    try {
      known = { stored: await readNewest(days) };
      return true;
    } catch (error) {
      if (error instanceof IssuerError) known = { error };
      else if ('error' in known) {
        known = { error: unservable('audit/', error) };
        await takeKept();
      }
      return false;
    }
  }

  async function takeKept(): Promise<void> {
    const bytes = await files.read(keptAuditName);
    const stored = bytes === null ? null : storedAudit(bytes, trusts);
    if (stored !== null) known = { stored };
    // what is wrong is forgotten, and fetched once the store is back
    else await files.drop(keptAuditName);
  }

  return {
    follow({ stamp, days }) {
      if (looking !== null || (seen?.stamp === stamp && nowMs() < seen.untilMs))
        return looking ?? Promise.resolve();
      looking = look(days).then((isRead) => {
        seen = { stamp, untilMs: isRead ? Number.POSITIVE_INFINITY : nowMs() + retryMs };
        looking = null;
      });
      return looking;
    },
    takeKept,
    async newest() {
      if ('error' in known && looking !== null) await looking;
      if ('error' in known) throw known.error;
      return known.stored;
    },
  };
}
