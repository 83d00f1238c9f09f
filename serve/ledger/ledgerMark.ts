import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { replaceFileSync } from '../../data/store/files/replaceFile.ts';
import type { LedgerLog } from './port/ledger.ts';

// The last known mark of a ledger (S38): the number of its newest journal row, kept outside it. A ledger that is
// older than its mark was restored from a copy and may have forgotten payments. A copy the backup command made says
// itself that it is one, so that it is noticed on a machine that has no mark as well.

/** What is known of a ledger outside it. */
export type Mark = {
  readonly newestEvent: number;
  /** The copy an operator has accepted as the ledger (P8.12). */
  readonly acceptedCopy: string | null;
  readonly acceptedBy: string | null;
};

const noMark: Mark = { newestEvent: 0, acceptedCopy: null, acceptedBy: null };

/** Reads the mark; event 0 when there is none or it cannot be understood. */
export function readMark(path: string): Mark {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const { newest_event: newest, accepted_copy: copy, accepted_by: by } = found;
    if (!Number.isSafeInteger(newest)) return noMark;
    return { newestEvent: Number(newest), acceptedCopy: textOf(copy), acceptedBy: textOf(by) };
  } catch {
    return noMark;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Writes the mark durably; a reader sees the old one or the new one. */
export function writeMark(path: string, mark: Mark): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { newestEvent, acceptedCopy, acceptedBy } = mark;
  const line = { newest_event: newestEvent, accepted_copy: acceptedCopy, accepted_by: acceptedBy };
  // servers of one ledger share the path
  const partial = `${path}.${process.pid}.partial`;
  replaceFileSync({ path, bytes: `${JSON.stringify(line)}\n`, mode: 0o600, partial });
}

/** Watches whether a ledger is as new as its mark, and keeps the mark up. */
export type MarkKeeper = {
  /** Compares at start, and says so when the ledger is an older copy. */
  start(): Promise<void>;
  readonly restored: boolean;
  /** Refuses everything that moves money on a ledger older than its mark (S38). @throws IssuerError `settlement_unavailable` */
  refuseRestored(): void;
  /** Makes the present state the known one; the mark names who accepted it. */
  accept(as: string | null): Promise<void>;
  stop(): Promise<void>;
};

/** How often the mark follows the ledger. */
const followMs = 60_000;

/** Builds the keeper of one ledger; `newestEvent` asks the ledger, `copyId` whether it is marked as a copy. */
export function markKeeper({
  path,
  newestEvent,
  copyId,
  after,
  log,
}: {
  path: string;
  newestEvent: () => Promise<number>;
  copyId?: () => Promise<string | null>;
  after: (ms: number, task: () => void) => () => void;
  log: LedgerLog;
}): MarkKeeper {
  let restored = false;
  let cancel = () => {};

  /** The mark first: another server may move ledger and mark on between the two. */
  async function compare(): Promise<{ known: Mark; newest: number; copy: string | null }> {
    const known = readMark(path);
    const copy = (await copyId?.()) ?? null;
    const newest = await newestEvent();
    // an operator may have accepted the copy from another process
    restored = known.newestEvent > newest || (copy !== null && copy !== known.acceptedCopy);
    return { known, newest, copy };
  }

  async function follow(): Promise<void> {
    const { known, newest } = await compare();
    if (newest > known.newestEvent) writeMark(path, { ...known, newestEvent: newest });
  }

  function schedule(): void {
    cancel = after(followMs, () => {
      // an unreachable ledger is reported by its own health
      follow()
        .catch(() => {})
        .finally(schedule);
    });
  }

  return {
    start: async () => {
      const { known, newest } = await compare();
      const fields = { known: known.newestEvent, newest };
      if (restored) log({ level: 'error', event: 'ledger_restored_copy', fields });
      schedule();
    },
    get restored() {
      return restored;
    },
    refuseRestored: () => {
      if (!restored) return;
      throw new IssuerError({
        code: 'settlement_unavailable',
        message: 'The ledger was restored from an older copy and takes no payments yet.',
        hint: 'Run issuer-serve ledger check --chain first.',
      });
    },
    accept: async (as) => {
      const { newest, copy } = await compare();
      writeMark(path, { newestEvent: newest, acceptedCopy: copy, acceptedBy: as });
      restored = false;
    },
    stop: async () => {
      cancel();
      if (!restored) await follow();
    },
  };
}
