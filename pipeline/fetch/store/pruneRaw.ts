import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { sha256Pattern } from '../../../data/contract/values/primitives.ts';
import { diskFiles } from '../../../data/store/files/replaceFile.ts';
import type { Effects } from '../../effects.ts';
import { filingRecords, reportRecords } from '../filings/filingRecord.ts';
import { openFetchManifest } from './fetchManifest.ts';
import { ifPresent, storeUnwritable } from './storeUnwritable.ts';

/** What a clean-up removed and left. */
export type PruneReport = {
  readonly removed: readonly { readonly sha256: string; readonly bytes: number }[];
  readonly removedBytes: number;
  readonly kept: number;
};

/**
 * Removes stored content of `<rawRoot>/edgar` that nothing needs: not one of the last `keepNights` versions of
 * its address, of no filing, of no download under way, and not linked from anywhere (a source directory).
 *
 * Touches files named by a sha256 only. May be killed at any moment and run again; with nothing to remove it
 * changes nothing.
 *
 * @throws IssuerError `validation_failed` when a manifest or record cannot be read, for then it is unknown what
 * is referenced, `store_unwritable`. Nothing is removed before everything is read.
 */
export async function pruneRaw({
  rawRoot,
  keepNights,
  effects,
}: {
  rawRoot: string;
  keepNights: number;
  effects: Effects;
}): Promise<PruneReport> {
  if (!Number.isInteger(keepNights) || keepNights < 1) {
    throw new IssuerError({
      code: 'configuration',
      message: `${keepNights} is not a number of nights to keep.`,
      hint: 'Keep at least one night.',
    });
  }
  const directory = join(rawRoot, 'edgar');
  const names = (await ifPresent(readdir(directory), [])).filter((name) => sha256Pattern.test(name)).sort();
  if (names.length === 0) return { removed: [], removedBytes: 0, kept: 0 };
  const referenced = await referencedContent(directory, keepNights);
  const removed: { sha256: string; bytes: number }[] = [];
  try {
    for (const sha256 of names.filter((name) => !referenced.has(name))) {
      const file = await stat(join(directory, sha256));
      if (!file.isFile() || file.nlink > 1) continue;
      await rm(join(directory, sha256));
      removed.push({ sha256, bytes: file.size });
    }
    if (removed.length > 0) await diskFiles.syncDirectory(directory);
  } catch (error) {
    throw storeUnwritable(directory, error);
  }
  const removedBytes = removed.reduce((sum, file) => sum + file.bytes, 0);
  if (removed.length > 0) {
    effects.log({
      level: 'info',
      step: 'prune',
      message: `removed ${removed.length} former versions from ${directory}`,
      fields: { files: removed.length, bytes: removedBytes },
    });
  }
  return { removed, removedBytes, kept: names.length - removed.length };
}

/** Hashes of the content that manifest, filings or unfinished downloads refer to. */
async function referencedContent(directory: string, keepNights: number): Promise<Set<string>> {
  const referenced = new Set<string>();
  const versions = new Map<string, Set<string>>();
  for (const row of (await openFetchManifest(directory)).rows().toReversed()) {
    const kept = versions.get(row.url) ?? new Set<string>();
    versions.set(row.url, kept);
    if (kept.size < keepNights) kept.add(row.sha256);
  }
  for (const kept of versions.values()) for (const sha256 of kept) referenced.add(sha256);
  for (const kept of [directory, reportRecords(directory)]) {
    for await (const record of filingRecords(kept).all())
      for (const row of record.rows) referenced.add(row.sha256);
  }
  const sidecars = (await ifPresent(readdir(join(directory, 'partial')), [])).filter((name) =>
    name.endsWith('.json'),
  );
  for (const name of sidecars) {
    // content is moved in before its manifest row is written; until then only the sidecar names it
    const hash = /"sha256":\s*"([0-9a-f]{64})"/.exec(
      await readFile(join(directory, 'partial', name), 'latin1'),
    );
    if (hash?.[1] !== undefined) referenced.add(hash[1]);
  }
  return referenced;
}
