import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Reads a whole file; null when it cannot be read. The bytes hold until the next file is read. */
export type FileReader = (path: string) => Buffer | null;

/**
 * Reads files one after another into one buffer: of new buffers, each few dozen megabytes have the garbage collected.
 */
export function fileReader(): FileReader {
  let held = Buffer.alloc(0);
  return (path) => {
    let file: number | null = null;
    try {
      file = openSync(path, 'r');
      const { size } = fstatSync(file);
      // what follows is often longer by little
      if (held.length < size) held = Buffer.allocUnsafeSlow(Math.ceil(1.2 * size));
      let length = 0;
      for (let read = -1; read !== 0 && length < size; length += read) {
        read = readSync(file, held, length, size - length, null);
      }
      return held.subarray(0, length);
    } catch {
      return null;
    } finally {
      if (file !== null) closeSync(file);
    }
  };
}
