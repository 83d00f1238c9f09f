import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** One entry of a zip archive as its central directory states it; sizes and offsets in bytes. */
export type ZipEntry = {
  readonly name: string;
  readonly crc32: number;
  readonly compressedSize: number;
  /** uncompressed */
  readonly size: number;
  readonly method: 'stored' | 'deflate';
  readonly flags: number;
  readonly localHeaderOffset: number;
  /** where the next entry or the central directory starts: nothing of this entry may lie beyond */
  readonly limit: number;
};

/** An entry that is not read, and why. */
export type RefusedEntry = { readonly name: string; readonly reason: string };

export type ZipLimits = {
  /** uncompressed bytes of one entry */
  readonly entryBytes: number;
  readonly entryCount: number;
  /** uncompressed bytes of all entries */
  readonly totalBytes: number;
  /** uncompressed : compressed, checked from 1 MiB on */
  readonly ratio: number;
  readonly directoryBytes: number;
};

const MiB = 1024 * 1024;

/** Limits that every SEC bulk archive keeps by a wide margin. */
export const defaultZipLimits: ZipLimits = {
  entryBytes: 512 * MiB,
  entryCount: 2_000_000,
  totalBytes: 1024 * 1024 * MiB,
  ratio: 250,
  directoryBytes: 512 * MiB,
};

/** An entry that cannot be trusted; the message is the reason shown in the quarantine. */
export class EntryFault extends Error {
  override readonly name = 'EntryFault';
}

/** A file read by position. */
export type RandomAccessFile = {
  readonly size: number;
  /** Fills `target` from `offset`; returns the bytes that were there. */
  read(offset: number, target: Uint8Array): number;
  close(): void;
};

/** Opens `path` for positional reads; throws the system error when it cannot. */
export function openRandomAccessFile(path: string): RandomAccessFile {
  const fd = openSync(path, 'r');
  return {
    size: fstatSync(fd).size,
    read(offset, target) {
      let done = 0;
      while (done < target.length) {
        const n = readSync(fd, target, done, target.length - done, offset + done);
        if (n === 0) break;
        done += n;
      }
      return done;
    },
    close: () => closeSync(fd),
  };
}
