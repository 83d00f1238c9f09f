import { existsSync } from 'node:fs';
import { promotedSlices, type SliceIndex } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { OwnStore } from '../dataLayout.ts';
import { lackingDocument } from './releaseDamage.ts';
import {
  compareReleases,
  listReleaseNames,
  newestNight,
  readSliceIndex,
  releaseParts,
  standingCurrent,
} from './releaseStore.ts';

type Mending = OwnStore & {
  /** The builds that answered for each date when histories were written last; null where that is not known. */
  readonly known: Readonly<Record<string, { readonly release: string }>> | null;
};

/**
 * Writes `slices.json` and `current` again where they are missing, damaged, or lost a date, and says so (STORE ST20).
 * A date never leaves `slices.json` without a word: one that was withdrawn stays with its reason.
 *
 * Where it is not known what answered, the newest build of each date answers.
 *
 * @param tonight the date that is about to be published: as the newest it moves `current` itself
 */
export async function mendPointers({
  paths,
  known,
  tonight,
  files,
}: Mending & { tonight: string }): Promise<string[]> {
  const slices = await mendSlices({ paths, known, files });
  const current = await mendCurrent({ paths, tonight, files });
  return [...slices, ...current];
}

async function mendSlices({ paths, known, files }: Mending): Promise<string[]> {
  const names = await listReleaseNames(paths);
  const isThere = existsSync(paths.slices);
  // what a first publication that died left is no store yet
  if (names.length === 0 || (!isThere && !existsSync(paths.current) && known === null)) return [];
  const index = isThere ? await readSliceIndex(paths).catch(() => null) : null;
  const current = await standingCurrent(paths);
  const recorded = Object.values(known ?? {}).map(({ release }) => release);
  // the last of a date answers: the newest build, or what `current` names
  const builds = [
    ...(known === null && index === null ? names : recorded),
    ...(current === null ? [] : [current]),
  ];
  const lost: SliceIndex = {};
  for (const [date, release] of new Map(builds.map((name) => [dateOf(name), name]))) {
    const isNamed = index !== null && index[date] !== undefined;
    if (!isNamed && (await lackingDocument(paths, release)) === null) lost[date] = release;
  }
  const dates = Object.keys(lost).sort();
  if (dates.length === 0 && (index !== null || !isThere)) return [];
  await replaceFile({ files, path: paths.slices, bytes: canonicalJson({ ...index, ...lost }) });
  const unnamed = index === null ? names.map(dateOf).filter((date) => lost[date] === undefined) : [];
  const left =
    unnamed.length === 0
      ? ''
      : `; builds of ${listed([...new Set(unnamed)])} answer once \`issuer release promote\` names them`;
  const was = isThere ? (index === null ? 'was damaged' : 'had lost dates') : 'was missing';
  return [`slices.json ${was}: it names ${listed(dates)} again${left}`];
}

async function mendCurrent({ paths, tonight, files }: OwnStore & { tonight: string }): Promise<string[]> {
  if ((await standingCurrent(paths)) !== null) return [];
  const builds = Object.values(promotedSlices(await readSliceIndex(paths)))
    .sort(compareReleases)
    .map((release) => ({ release }));
  const newest = builds.at(-1);
  if (newest === undefined || dateOf(newest.release) === tonight) return [];
  // a release that is damaged itself is made again first
  const night = await newestNight(paths, builds).catch(() => null);
  if (night === null) return [];
  await replaceFile({ files, path: paths.current, bytes: `${night.release}\n` });
  return [`current named no release: it names ${night.release} again`];
}

function dateOf(release: string): string {
  return releaseParts(release).sourceDate;
}

function listed(dates: readonly string[]): string {
  if (dates.length === 0) return 'no date';
  const more = dates.length > 3 ? ` and ${dates.length - 3} more` : '';
  return `${dates.slice(0, 3).join(', ')}${more}`;
}
