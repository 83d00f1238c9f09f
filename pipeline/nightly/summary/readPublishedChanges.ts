import { changedCompany } from '../../../data/contract/payloads/universe/dailyChanges.ts';
import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import { type OpenRelease, readJson, readLines } from '../../release/openRelease.ts';
import type { PublishedChanges } from './changeWords.ts';

/** Reads what a release says of its delta; null for a release without (a backfill). */
export async function readPublishedChanges(release: OpenRelease): Promise<PublishedChanges | null> {
  const { object, rows, days } = latestDailyChanges.stored;
  const slice = release.manifest.source_date;
  const payload = await readJson(release, { schema: object.schema, key: object.key({ slice }) });
  if (payload === null) return null;
  const lines = await readLines(release, rows.key({ slice }));
  return {
    payload,
    rows: lines.map((line) => changedCompany.parse(JSON.parse(line))),
    day: await readJson(release, { schema: days.schema, key: days.key({ day: payload.source_date }) }),
  };
}
