import type { ZipEntry } from '../zip/zipEntry.ts';

const batchBytes = 4 * 1024 * 1024;
const batchEntries = 256;

/** Neighbouring entries that are read as one piece of work; `bytes` is their uncompressed size. */
export type EntryBatch = { readonly entries: readonly ZipEntry[]; readonly bytes: number };

/** Groups entries in the given order into batches of about 4 MiB; a larger entry is a batch of its own. */
export function planBatches(entries: readonly ZipEntry[]): EntryBatch[] {
  const batches: EntryBatch[] = [];
  let open: ZipEntry[] = [];
  let bytes = 0;
  const close = () => {
    if (open.length > 0) batches.push({ entries: open, bytes });
    open = [];
    bytes = 0;
  };
  for (const entry of entries) {
    if (bytes + entry.size > batchBytes || open.length === batchEntries) close();
    open.push(entry);
    bytes += entry.size;
  }
  close();
  return batches;
}
