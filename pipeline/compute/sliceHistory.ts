import { join } from 'node:path';
import { rowStoreIndex } from '../../contract/releaseFiles.ts';
import { parsedFile, type ReleasePaths, readSlices } from '../release/releaseStore.ts';

/** The issuers of earlier promoted slices, dates ascending. */
export type SliceHistory = readonly { readonly sourceDate: string; readonly ciks: string[] }[];

/** A slice is partial below this share of the issuers of the slice before (I2.46). */
const completeShare = 0.9;

/**
 * Reads which issuers the promoted slices before a date hold. What was published is the history; rows of a
 * slice that never passed the gate are not part of it.
 *
 * @throws IssuerError `validation_failed` when an index is damaged.
 */
export async function readSliceHistory(o: { paths: ReleasePaths; before: string }): Promise<SliceHistory> {
  const slices = Object.entries(await readSlices(o.paths)).filter(([date]) => date < o.before);
  const history: { sourceDate: string; ciks: string[] }[] = [];
  for (const [sourceDate, release] of slices.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const index = await parsedFile(
      rowStoreIndex,
      join(o.paths.releases, release, `covenant-slice/${sourceDate}.index.json`),
    );
    history.push({ sourceDate, ciks: (index.columns['cik'] ?? []).map(String).sort() });
  }
  return history;
}

/** `partial` when fewer than 90 % of the issuers of the slice before have a row (I2.46). */
export function sliceStatus(o: { history: SliceHistory; ciks: ReadonlySet<string> }): 'complete' | 'partial' {
  const before = o.history.at(-1)?.ciks ?? [];
  const still = before.filter((cik) => o.ciks.has(cik)).length;
  return still < completeShare * before.length ? 'partial' : 'complete';
}
