import { replaceFile } from '../../contract/files/replaceFile.ts';
import { canonicalJson } from '../../contract/values/canonicalJson.ts';
import type { FileEffects } from '../effects.ts';
import type { ReleasePaths } from './releasePaths.ts';
import { readSlices, releaseParts } from './releaseStore.ts';

/**
 * Points `slices.json` and, when asked, `current` at a complete build; each is one atomic rename (I3.19).
 * Dates first, so that `current` never names a release its own date does not.
 */
export async function promoteRelease(input: {
  paths: ReleasePaths;
  name: string;
  moveCurrent: boolean;
  files: FileEffects;
}): Promise<void> {
  await promoteReleases({ ...input, names: [input.name] });
  if (input.moveCurrent)
    await replaceFile({ files: input.files, path: input.paths.current, bytes: `${input.name}\n` });
}

/** Lets each of some complete builds answer for its date, by one atomic rename. */
export async function promoteReleases({
  paths,
  names,
  files,
}: {
  paths: ReleasePaths;
  names: readonly string[];
  files: FileEffects;
}): Promise<void> {
  const slices = await readSlices(paths);
  const promoted = Object.fromEntries(names.map((name) => [releaseParts(name).sourceDate, name]));
  if (Object.entries(promoted).every(([date, name]) => slices[date] === name)) return;
  await replaceFile({ files, path: paths.slices, bytes: canonicalJson({ ...slices, ...promoted }) });
}
