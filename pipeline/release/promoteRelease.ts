import { canonicalJson } from '../../contract/canonicalJson.ts';
import { type FileEffects, replaceFile } from '../effects.ts';
import { type ReleasePaths, readSlices, releaseParts } from './releaseStore.ts';

/**
 * Points `slices.json` and, when asked, `current` at a complete build; each is one atomic rename (I3.19).
 * Dates first, so that `current` never names a release its own date does not.
 */
export async function promoteRelease(o: {
  paths: ReleasePaths;
  name: string;
  moveCurrent: boolean;
  files: FileEffects;
}): Promise<void> {
  await promoteReleases({ ...o, names: [o.name] });
  if (o.moveCurrent) await replaceFile(o.files, { path: o.paths.current, bytes: `${o.name}\n` });
}

/** Lets each of some complete builds answer for its date, by one atomic rename. */
export async function promoteReleases(o: {
  paths: ReleasePaths;
  names: readonly string[];
  files: FileEffects;
}): Promise<void> {
  const slices = await readSlices(o.paths);
  const promoted = Object.fromEntries(o.names.map((name) => [releaseParts(name).sourceDate, name]));
  if (Object.entries(promoted).every(([date, name]) => slices[date] === name)) return;
  await replaceFile(o.files, { path: o.paths.slices, bytes: canonicalJson({ ...slices, ...promoted }) });
}
