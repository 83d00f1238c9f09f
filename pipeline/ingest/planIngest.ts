import { compareText } from '../../data/contract/values/compareText.ts';
import type { RefusedEntry, ZipEntry } from '../zip/zipEntry.ts';
import { cikOfName } from './readCompanyFacts.ts';

/** One entry of an archive as change detection sees it; size in uncompressed bytes. */
export type ArchiveEntry = { readonly name: string; readonly crc32: number; readonly size: number };

/** An entry whose rows were not taken over, and why. */
export type Quarantined = { readonly name: string; readonly reason: string };

/** What a run has to do. */
export type IngestPlan = {
  /** entries to read, in cik order */
  readonly toRead: readonly ZipEntry[];
  readonly unchanged: readonly ArchiveEntry[];
  /** names held before and absent now */
  readonly removed: readonly string[];
  readonly quarantined: readonly Quarantined[];
};

/**
 * Compares an archive with the entries a build holds by (name, crc32, size).
 *
 * A refused entry is never `removed`: what the build holds of it stays.
 */
export function planIngest(input: {
  entries: readonly ZipEntry[];
  refused: readonly RefusedEntry[];
  held: ReadonlyMap<string, ArchiveEntry>;
}): IngestPlan {
  const toRead: ZipEntry[] = [];
  const unchanged: ArchiveEntry[] = [];
  const quarantined: Quarantined[] = input.refused.map(({ name, reason }) => ({ name, reason }));
  const present = new Set<string>(input.refused.map(({ name }) => name));
  for (const entry of input.entries) {
    present.add(entry.name);
    const held = input.held.get(entry.name);
    if (cikOfName(entry.name) === null) {
      quarantined.push({ name: entry.name, reason: 'its name is not CIK and ten digits' });
    } else if (held !== undefined && held.crc32 === entry.crc32 && held.size === entry.size) {
      unchanged.push(held);
    } else toRead.push(entry);
  }
  // names have one length, so their order is the order of the numbers in them
  toRead.sort((a, b) => compareText(a.name, b.name));
  return {
    toRead,
    unchanged,
    removed: [...input.held.keys()].filter((name) => !present.has(name)),
    quarantined,
  };
}
