import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { IssuerError } from '../../contract/issuerError.ts';

// The last known mark of a ledger (S38): the number of its newest journal row, kept outside it. A ledger that is
// older than its mark was restored from a copy and may have forgotten payments.

/** Reads the mark; 0 when there is none or it cannot be understood. */
export function readMark(path: string): number {
  try {
    const { newest_event: newest } = JSON.parse(readFileSync(path, 'utf8')) as { newest_event?: unknown };
    return Number.isSafeInteger(newest) ? Number(newest) : 0;
  } catch {
    return 0;
  }
}

/** Writes the mark durably; a reader sees the old one or the new one. */
export function writeMark(path: string, newestEvent: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify({ newest_event: newestEvent })}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** Watches whether a ledger is as new as its mark, and keeps the mark up. */
export type MarkKeeper = {
  /** Compares at start; true when the ledger is an older copy. */
  start(): Promise<boolean>;
  readonly restored: boolean;
  /** Makes the present state the known one. */
  accept(): Promise<void>;
  stop(): Promise<void>;
};

/** How often the mark follows the ledger. */
const followMs = 60_000;

/** Builds the keeper of one ledger; `newestEvent` asks the ledger. */
export function markKeeper(o: {
  path: string;
  newestEvent: () => Promise<number>;
  after: (ms: number, task: () => void) => () => void;
  onRestored: (known: number, newest: number) => void;
}): MarkKeeper {
  let restored = false;
  let cancel = () => {};

  async function follow(): Promise<void> {
    // the mark first: another server may move ledger and mark on between the two
    const known = readMark(o.path);
    const newest = await o.newestEvent();
    // an operator may have accepted the copy from another process
    restored = known > newest;
    if (newest > known) writeMark(o.path, newest);
  }

  function schedule(): void {
    cancel = o.after(followMs, () => {
      // an unreachable ledger is reported by its own health
      follow()
        .catch(() => {})
        .finally(schedule);
    });
  }

  return {
    start: async () => {
      const known = readMark(o.path);
      const newest = await o.newestEvent();
      restored = known > newest;
      if (restored) o.onRestored(known, newest);
      schedule();
      return restored;
    },
    get restored() {
      return restored;
    },
    accept: async () => {
      writeMark(o.path, await o.newestEvent());
      restored = false;
    },
    stop: async () => {
      cancel();
      if (!restored) await follow();
    },
  };
}

/** Refusal of everything that moves money on a ledger older than its mark (S38). */
export function restoredCopy(): IssuerError {
  return new IssuerError({
    code: 'settlement_unavailable',
    message: 'The ledger was restored from an older copy and takes no payments yet.',
    hint: 'Run issuer-serve ledger check --chain first.',
  });
}
