import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFiles, replaceFile } from '../../../data/store/files/replaceFile.ts';
import type { LedgerLog, LedgerTime } from '../../ledger/port/ledger.ts';

const everyMs = 10_000;
/** A file older than this is of a process that has ended. */
const freshMs = 60_000;
const maxBytes = 256 * 1024;

/** Where the settlement process of a deployment writes its metrics. */
export function settlerMetricsPath(dataRoot: string): string {
  return join(dataRoot, 'metrics', 'settler.prom');
}

/**
 * Writes a text every ten seconds, the last time when stopped; the file can be collected like any text file of
 * metrics. A directory that cannot be written stops nothing.
 */
export function writeMetricsFile({
  path,
  text,
  time,
  log,
}: {
  path: string;
  text(): Promise<string>;
  time: LedgerTime;
  log: LedgerLog;
}): { stop(): Promise<void> } {
  let cancel = (): void => {};
  let refused = false;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    try {
      await mkdir(dirname(path), { recursive: true });
      // a collector sees the last text or this one, never a part
      await replaceFile({ files: diskFiles, path, bytes: await text() });
      refused = false;
    } catch {
      if (!refused) log({ level: 'warn', event: 'metrics_file_unwritable' });
      refused = true;
    }
  }

  function turn(): void {
    // never two at once: they share the partial file
    writing = writing.then(write);
    cancel = time.after(everyMs, turn);
  }

  turn();
  return {
    async stop() {
      cancel();
      await writing;
      await write();
    },
  };
}

/** The text of a file written lately; empty when there is none. */
export async function readMetricsFile({ path, nowMs }: { path: string; nowMs: number }): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(path);
    if (size > maxBytes || nowMs - mtimeMs > freshMs) return '';
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}
