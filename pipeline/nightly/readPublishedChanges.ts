import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changedCompany, dailyChangesArtifact, deltaDay } from '../../contract/dailyChanges.ts';
import { parsedFile } from '../release/releaseStore.ts';
import type { PublishedChanges } from './changeWords.ts';

/** Reads what a release says of its delta; null for a release without (a backfill). */
export async function readPublishedChanges(o: {
  directory: string;
  sourceDate: string;
}): Promise<PublishedChanges | null> {
  const path = (key: string) => join(o.directory, key);
  const document = path(`daily-changes/${o.sourceDate}.json`);
  if (!existsSync(document)) return null;
  const payload = await parsedFile(dailyChangesArtifact, document);
  const lines = (await readFile(path(`daily-changes/${o.sourceDate}.ndjson`), 'utf8')).split('\n');
  const day = path(`daily-window/${payload.source_date}.json`);
  return {
    payload,
    rows: lines.filter((line) => line !== '').map((line) => changedCompany.parse(JSON.parse(line))),
    day: existsSync(day) ? await parsedFile(deltaDay, day) : null,
  };
}
