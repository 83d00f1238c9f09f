import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

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
