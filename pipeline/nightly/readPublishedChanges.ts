import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changedCompany } from '../../contract/payloads/dailyChanges.ts';
import { latestDailyChanges } from '../../contract/payloads/latestDailyChanges.ts';
import { parsedFile } from '../release/releaseStore.ts';
import type { PublishedChanges } from './changeWords.ts';

/** Reads what a release says of its delta; null for a release without (a backfill). */
export async function readPublishedChanges({
  directory,
  sourceDate,
}: {
  directory: string;
  sourceDate: string;
}): Promise<PublishedChanges | null> {
  const path = (key: string) => join(directory, key);
  const { object, rows, days } = latestDailyChanges.stored;
  const slice = sourceDate;
  const document = path(object.key({ slice }));
  if (!existsSync(document)) return null;
  const payload = await parsedFile(object.schema, document);
  const lines = (await readFile(path(rows.key({ slice })), 'utf8')).split('\n');
  const day = path(days.key({ day: payload.source_date }));
  return {
    payload,
    rows: lines.filter((line) => line !== '').map((line) => changedCompany.parse(JSON.parse(line))),
    day: existsSync(day) ? await parsedFile(days.schema, day) : null,
  };
}
