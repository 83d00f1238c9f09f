import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../contract/files/replaceFile.ts';
import { releaseName } from '../../contract/release/releaseFiles.ts';
import { canonicalJson } from '../../contract/values/canonicalJson.ts';
import { cik10, date } from '../../contract/values/primitives.ts';
import type { FileEffects } from '../effects.ts';
import { parsedFile } from '../release/releaseStore.ts';

/**
 * Which release holds the newest histories, and which builds they were made from. It only saves work: without it, or
 * when it is damaged, histories are made from the promoted slices again.
 */
const historyEntry = z.strictObject({
  schema_id: z.literal('history_journal.v1'),
  release: releaseName,
  /** By source_date: the build that answered for it, and the issuers with a row there. */
  slices: z.record(date, z.strictObject({ release: releaseName, ciks: z.array(cik10) })),
});

export type HistoryEntry = z.infer<typeof historyEntry>;

const pathIn = (journal: string) => join(journal, 'history.json');

/** @param journal `<data>/warehouse/journal` */
export async function readHistoryEntry(journal: string): Promise<HistoryEntry | null> {
  const path = pathIn(journal);
  if (!existsSync(path)) return null;
  return parsedFile(historyEntry, path).catch(() => null);
}

/** Records the histories of a release that has been promoted. */
export async function writeHistoryEntry({
  journal,
  entry,
  files,
}: {
  journal: string;
  entry: Omit<HistoryEntry, 'schema_id'>;
  files: FileEffects;
}): Promise<void> {
  const path = pathIn(journal);
  await files.makeDirectory(dirname(path));
  await replaceFile({
    files,
    path,
    bytes: canonicalJson({ schema_id: 'history_journal.v1', ...entry }),
  });
}
