import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';

/** Size of the reserve, and the free space its making must leave (P8.12). */
export const reserveBounds = { bytes: 32 * 1024 * 1024, leaveFreeBytes: 256 * 1024 * 1024 } as const;

/** Space kept beside the ledger so that running payments can be written on a full disk. */
export type ReserveFile = {
  /** Makes the file when it is missing and the disk has room to spare. */
  keep(freeBytes: number): void;
  /** Frees the space; false when there was none. */
  spend(): boolean;
};

/** The reserve at `path`; `bytes` is smaller in tests. */
export function reserveFile(path: string, bytes: number = reserveBounds.bytes): ReserveFile {
  return {
    keep: (freeBytes) => {
      if (existsSync(path) || freeBytes < reserveBounds.leaveFreeBytes + bytes) return;
      try {
        fill(path, bytes);
      } catch {
        // no reserve is worse than one, and no reason to stop: half a file is taken away again
        rmSync(path, { force: true });
      }
    },
    spend: () => {
      if (!existsSync(path)) return false;
      rmSync(path, { force: true });
      return true;
    },
  };
}

// written, not extended: a hole reserves nothing
function fill(path: string, bytes: number): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    for (let left = bytes; left > 0; left -= chunk.length) {
      writeSync(file, chunk, 0, Math.min(left, chunk.length));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
