import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { ReplicaFiles } from './replicaFiles.ts';
import type { ReplicaReads } from './replicaReads.ts';
import { auditName, auditOf, maxAuditBytes, type StoredRun, storedAudit } from './storedAudit.ts';
import { unservable } from './unavailable.ts';
import type { JudgeKey } from './verifySigned.ts';

/** Where a replica keeps the newest audit. */
export const keptAuditName = 'audit.json';
/** An audit is looked for of so many days at most. */
const mostDays = 31;
/** One that could not be had is tried again after so long. */
const retryMs = 60_000;

/** The newest audit of a store behind the network, as it was when its pointers last changed (STORE ST15). */
export type RemoteAudits = {
  /**
   * Reads the newest audit again where what it goes with is another than at the last look; never fails.
   *
   * @param stamp what a night replaces after its audit
   * @param days promoted and withdrawn days, which audits are of
   */
  follow(o: { readonly stamp: string; readonly days: readonly string[] }): Promise<void>;
  /** Without the store: what the replica kept. */
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
