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
  const slices = await readSlices(o.paths);
  const { sourceDate } = releaseParts(o.name);
  if (slices[sourceDate] !== o.name) {
    const bytes = canonicalJson({ ...slices, [sourceDate]: o.name });
    await replaceFile(o.files, { path: o.paths.slices, bytes });
  }
  if (o.moveCurrent) await replaceFile(o.files, { path: o.paths.current, bytes: `${o.name}\n` });
}
