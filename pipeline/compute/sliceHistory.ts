import { join } from 'node:path';
import type { Parameters } from '../../calculators/parameters.ts';
import { rowStoreIndex } from '../../contract/releaseFiles.ts';
import { covenantSlice } from '../../contract/rowStores.ts';
import type { HistoryEntry } from '../history/historyJournal.ts';
import { parsedFile, type ReleasePaths, readSlices } from '../release/releaseStore.ts';

/** The issuers of earlier promoted slices and the builds that say so, dates ascending. */
export type SliceHistory = readonly {
  readonly sourceDate: string;
  readonly release: string;
  readonly ciks: string[];
}[];

/**
 * Reads which issuers the promoted slices before a date hold. What was published is the history; rows of a
 * slice that never passed the gate are not part of it.
 *
 * @param o.known what is known of builds already; a build never changes
 * @throws IssuerError `validation_failed` when an index is damaged.
 */
export async function readSliceHistory(o: {
  paths: ReleasePaths;
  before: string;
  known: HistoryEntry | null;
}): Promise<SliceHistory> {
  const slices = Object.entries(await readSlices(o.paths)).filter(([date]) => date < o.before);
  const history: { sourceDate: string; release: string; ciks: string[] }[] = [];
  for (const [sourceDate, release] of slices.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const known = o.known?.slices[sourceDate];
    const ciks = known?.release === release ? known.ciks : await readCiks(o.paths, { sourceDate, release });
    history.push({ sourceDate, release, ciks });
  }
  return history;
}

/** The issuers with a row in one build, ascending. */
export async function readCiks(
  paths: ReleasePaths,
  { sourceDate, release }: { sourceDate: string; release: string },
): Promise<string[]> {
  const path = join(paths.releases, release, `${covenantSlice.key(sourceDate)}.index.json`);
  const index = await parsedFile(rowStoreIndex, path);
  return (index.columns['cik'] ?? []).map(String).sort();
}

/** `partial` when a smaller share of the issuers of the slice before than the parameter has a row (I2.46). */
export function sliceStatus(o: {
  history: SliceHistory;
  ciks: ReadonlySet<string>;
  parameters: Pick<Parameters, 'partialSlice'>;
}): 'complete' | 'partial' {
  const before = o.history.at(-1)?.ciks ?? [];
  const still = before.filter((cik) => o.ciks.has(cik)).length;
  return still < o.parameters.partialSlice * before.length ? 'partial' : 'complete';
}
