import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, link, mkdir, open, rm } from 'node:fs/promises';
import { IssuerError } from '../data/contract/errors/issuerError.ts';
import { diskFiles } from '../data/store/files/replaceFile.ts';

/** Wall clock and waiting, injected so that tests decide what time it is. */
export type Clock = {
  now(): Date;
  sleep(ms: number): Promise<void>;
};

/** One line of progress or warning; printed on a terminal, written as JSON lines otherwise. */
export type LogEvent = {
  readonly level: 'info' | 'warn' | 'error';
  readonly step: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
};

export type Log = (event: LogEvent) => void;

/** What a step of the night may do to the world besides its declared inputs and outputs. */
export type Effects = {
  readonly clock: Clock;
  readonly log: Log;
};

/** What a file is written from; parts follow each other without being put together in memory. */
export type FileBytes = Uint8Array | string | readonly Uint8Array[];

/** Every change the pipeline makes to its own files. Reading is free; changing goes through here. */
export type FileEffects = {
  /** With parents; an existing directory is fine. */
  makeDirectory(path: string): Promise<void>;
  /** Creates or truncates; `sync` waits until the bytes are on the disk. */
  write(path: string, bytes: FileBytes, o?: { mode?: number; sync?: boolean }): Promise<void>;
  /** Adds to the end of a file and creates it; `sync` waits until all of it is on the disk. */
  append(path: string, bytes: readonly Uint8Array[], o?: { sync?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Fails with EEXIST when `to` exists, which makes it the one atomic "create if absent". */
  link(from: string, to: string): Promise<void>;
  /** A file or a whole tree; absent is fine. */
  remove(path: string): Promise<void>;
  /** Makes renames and new names inside the directory durable. */
  syncDirectory(path: string): Promise<void>;
};

/** Effects of a step that publishes files. */
export type StoreEffects = Effects & {
  readonly files: FileEffects;
  /** What DuckDB may hold of a build that is written; `defaultBuildMemory` where it is absent. */
  readonly buildMemoryBytes?: number;
};

/** What DuckDB may hold of a build that is written, unless `II_BUILD_MEMORY_BYTES` says otherwise. */
export const defaultBuildMemory = 256_000_000;
const leastBuildMemory = 64_000_000;

/** Reads `II_BUILD_MEMORY_BYTES`. @throws IssuerError `configuration` for what is no number of bytes, or too few */
export function buildMemory(environment: Readonly<Record<string, string | undefined>>): number {
  const text = environment['II_BUILD_MEMORY_BYTES'] ?? '';
  if (text === '') return defaultBuildMemory;
  if (/^\d{8,15}$/.test(text) && Number(text) >= leastBuildMemory) return Number(text);
  throw new IssuerError({
    code: 'configuration',
    message: `II_BUILD_MEMORY_BYTES is ${text.slice(0, 40)}, which is not a number of bytes from ${leastBuildMemory} on.`,
    hint: `Unset it for ${defaultBuildMemory}; a night that was told it needs more takes 512000000.`,
  });
}

/** The real clock. */
export function systemClock(): Clock {
  return {
    now: () => new Date(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

/**
 * The most memory this process has held. Linux carries what the process that started this one held into its `maxRSS`,
 * so the mark of the own address space is read where there is one.
 */
export function peakMemoryBytes(): number {
  try {
    const mark = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (mark !== null) return Number(mark[1]) * 1024;
  } catch {
    // no such file outside Linux
  }
  // the runtime counts in kilobytes
  return process.resourceUsage().maxRSS * 1024;
}

/** File effects on the real file system. */
export function realFiles(): FileEffects {
  return {
    makeDirectory: async (path) => {
      await mkdir(path, { recursive: true });
    },
    write: async (path, bytes, input) => {
      const mode = input?.mode ?? 0o644;
      if (input?.sync !== true && lengthOf(bytes) <= atOnceLength) {
        writeAtOnce(path, isParts(bytes) ? bytes : [bytes], mode);
        return;
      }
      const handle = await open(path, 'w', mode);
      await withHandle(handle, async () => {
        if (isParts(bytes)) await writeParts(handle, bytes);
        else await handle.writeFile(bytes);
        if (input?.sync === true) await handle.sync();
      });
    },
    append: async (path, bytes, input) => {
      const handle = await open(path, 'a', 0o644);
      await withHandle(handle, async () => {
        if (lengthOf(bytes) > 0) await writeParts(handle, bytes);
        if (input?.sync === true) await handle.sync();
      });
    },
    rename: diskFiles.rename,
    link,
    remove: (path) => rm(path, { recursive: true, force: true }),
    syncDirectory: diskFiles.syncDirectory,
  };
}

/** File effects that only say what they would do. */
export function dryRunFiles(log: Log): FileEffects {
  const say = (message: string): Promise<void> => {
    log({ level: 'info', step: 'dry-run', message });
    return Promise.resolve();
  };
  return {
    makeDirectory: (path) => say(`would make directory ${path}`),
    write: (path, bytes) => say(`would write ${path} (${lengthOf(bytes)} bytes)`),
    append: (path, bytes) => say(`would write ${lengthOf(bytes)} bytes more into ${path}`),
    rename: (from, to) => say(`would rename ${from} to ${to}`),
    link: (from, to) => say(`would link ${from} as ${to}`),
    remove: (path) => say(`would remove ${path}`),
    syncDirectory: () => Promise.resolve(),
  };
}

function isParts(bytes: FileBytes): bytes is readonly Uint8Array[] {
  return Array.isArray(bytes);
}

// asking a thread to open, write and close a small file takes longer than doing it
const atOnceLength = 1 << 18;

function writeAtOnce(path: string, parts: readonly (Uint8Array | string)[], mode: number): void {
  const file = openSync(path, 'w', mode);
  try {
    for (const part of parts) writeFileSync(file, part);
  } finally {
    closeSync(file);
  }
}

async function writeParts(handle: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await handle.writev([...parts]);
  // the system may take less than it was given
  if (bytesWritten < lengthOf(parts)) await handle.writeFile(Buffer.concat(parts).subarray(bytesWritten));
}

function lengthOf(bytes: FileBytes): number {
  return isParts(bytes) ? bytes.reduce((sum, part) => sum + part.length, 0) : bytes.length;
}

async function withHandle(handle: FileHandle, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } finally {
    await handle.close();
  }
}
