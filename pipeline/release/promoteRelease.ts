import { promotedSlices, type SliceIndex, withdrawalsOf } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { OwnStore } from '../dataLayout.ts';
import type { NamedRelease } from './releaseStore.ts';
import { readSliceIndex, releaseParts } from './releaseStore.ts';

/**
 * Points `slices.json` and, when asked, `current` at a complete build; each is one atomic rename (I3.19).
 * Dates first, so that `current` never names a release its own date does not.
 */
export async function promoteRelease(
  input: NamedRelease & OwnStore & { moveCurrent: boolean },
): Promise<void> {
  await promoteReleases({ ...input, names: [input.name] });
  if (input.moveCurrent)
    await replaceFile({ files: input.files, path: input.paths.current, bytes: `${input.name}\n` });
}

/** Lets each of some complete builds answer for its date, by one atomic rename. */
export async function promoteReleases({
  paths,
  names,
  files,
}: OwnStore & { names: readonly string[] }): Promise<void> {
  const index = await readSliceIndex(paths);
  const slices = promotedSlices(index);
  if (names.every((name) => slices[releaseParts(name).sourceDate] === name)) return;
  const promoted = names.map((release): [string, SliceIndex[string]] => {
    const { sourceDate } = releaseParts(release);
    // what was withdrawn stays on record beside what answers since
    const withdrawals = [...withdrawalsOf(index, sourceDate)];
    return [sourceDate, withdrawals.length === 0 ? release : { release, withdrawals }];
  });
  const bytes = canonicalJson({ ...index, ...Object.fromEntries(promoted) });
  await replaceFile({ files, path: paths.slices, bytes });
}
