import { dirname, join } from 'node:path';
import { z } from 'zod';
import { releaseName } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { cik10, count, date } from '../../data/contract/values/primitives.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { FileEffects } from '../effects.ts';
import { parsedFile } from '../release/releaseStore.ts';

/**
 * Which release holds the newest histories, and which builds they were made from. It only saves work: without it, or
 * when it is damaged, histories are made from the promoted slices again.
 */
export type HistoryEntry = {
  readonly release: string;
  /** By source_date: the build that answered for it, and the issuers with a row there. */
  readonly slices: Readonly<Record<string, { readonly release: string; readonly ciks: string[] }>>;
};

/** The issuers are nearly always those of the date before: each set of them is written once. */
const writtenEntry = z.strictObject({
  schema_id: z.literal('history_journal.v2'),
  release: releaseName,
  issuers: z.array(z.array(cik10)),
  /** By source_date: the build, and which of the sets. */
  slices: z.record(date, z.tuple([releaseName, count])),
});

/** The journal of the warehouse, and what writes its files. */
export type Journalled = { readonly journal: string; readonly files: FileEffects };

const pathIn = (journal: string) => join(journal, 'history.json');

/** @param journal `<data>/warehouse/journal` */
export async function readHistoryEntry(journal: string): Promise<HistoryEntry | null> {
  const written = await parsedFile(writtenEntry, pathIn(journal)).catch(() => null);
  if (written === null) return null;
  const slices: Record<string, HistoryEntry['slices'][string]> = {};
  for (const [sourceDate, [release, set]] of Object.entries(written.slices)) {
    const ciks = written.issuers[set];
    if (ciks === undefined) return null;
    slices[sourceDate] = { release, ciks };
  }
  return { release: written.release, slices };
}

/** Records the histories of a release that has been promoted. */
export async function writeHistoryEntry({
  journal,
  entry,
  files,
}: Journalled & { entry: HistoryEntry }): Promise<void> {
  const path = pathIn(journal);
  await files.makeDirectory(dirname(path));
  const sets = new Map<string, number>();
  // arrays that were read are shared by their dates
  const known = new Map<readonly string[], number>();
  const setOf = (ciks: readonly string[]): number => {
    const text = known.has(ciks) ? '' : ciks.join();
    const set = known.get(ciks) ?? sets.get(text) ?? sets.size;
    if (!known.has(ciks)) sets.set(text, set);
    known.set(ciks, set);
    return set;
  };
  const slices = Object.entries(entry.slices).map(([sourceDate, { release, ciks }]) => [
    sourceDate,
    [release, setOf(ciks)],
  ]);
  const written: z.infer<typeof writtenEntry> = {
    schema_id: 'history_journal.v2',
    release: entry.release,
    slices: Object.fromEntries(slices),
    issuers: [...sets.keys()].map((text) => (text === '' ? [] : text.split(','))),
  };
  await replaceFile({ files, path, bytes: canonicalJson(written) });
}
