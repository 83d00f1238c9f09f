import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import { openRelease } from '../release/openRelease.ts';
import { readSlices } from '../release/releaseStore.ts';
import { readList } from '../release/rowStore.ts';
import type { HistoryEntry } from './historyJournal.ts';

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
 * @param known what is known of builds already; a build never changes
 * @throws IssuerError `validation_failed` when a list is damaged.
 */
export async function readSliceHistory(input: {
  paths: ReleasePaths;
  before: string;
  known: HistoryEntry | null;
}): Promise<SliceHistory> {
  const slices = Object.entries(await readSlices(input.paths)).filter(([date]) => date < input.before);
  const history: { sourceDate: string; release: string; ciks: string[] }[] = [];
  for (const [sourceDate, release] of slices.sort(([a], [b]) => compareText(a, b))) {
    const known = input.known?.slices[sourceDate];
    const ciks =
      known?.release === release ? known.ciks : await readCiks(input.paths, { sourceDate, release });
    history.push({ sourceDate, release, ciks });
  }
  return history;
}

/** The issuers with a row in one build, ascending. */
export async function readCiks(
  paths: ReleasePaths,
  { sourceDate, release }: { sourceDate: string; release: string },
): Promise<string[]> {
  const { rows } = covenantStress.stored;
  const { read } = await openRelease(paths, release);
  const list = await readList(rows, rows.key({ slice: sourceDate }), read);
  return (list?.column('cik') ?? []).map(String).sort();
}

/** `partial` when a smaller share of the issuers of the slice before than the parameter has a row (I2.46). */
export function sliceStatus({
  history,
  ciks,
  parameters,
}: {
  history: SliceHistory;
  ciks: ReadonlySet<string>;
  parameters: Pick<Parameters, 'partialSlice'>;
}): 'complete' | 'partial' {
  const before = history.at(-1)?.ciks ?? [];
  const still = before.filter((cik) => ciks.has(cik)).length;
  return still < parameters.partialSlice * before.length ? 'partial' : 'complete';
}
