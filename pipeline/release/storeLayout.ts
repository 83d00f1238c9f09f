import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { releaseName } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import { layoutHint, layoutProblem, storeLayoutNumber, storeNames } from '../../data/store/storeFiles.ts';
import { inStore, type ReleasePaths } from '../dataLayout.ts';
import type { FileEffects } from '../effects.ts';

/**
 * Refuses a store of another layout (STORE ST13).
 *
 * @throws IssuerError `configuration` with what to do
 */
export async function requireLayout(paths: ReleasePaths): Promise<void> {
  const path = inStore(paths, storeNames.layout);
  // what cannot be read is damaged as what cannot be parsed
  const bytes = existsSync(path) ? await readFile(path).catch(() => Buffer.alloc(0)) : null;
  const message = layoutProblem({ bytes, isEmpty: bytes !== null || (await isEmpty(paths)) });
  if (message !== null) throw new IssuerError({ code: 'configuration', message, hint: layoutHint });
}

/** Makes the store ready to be published into: its folders, its layout, nothing left of a run that died. */
export async function prepareStore(paths: ReleasePaths, files: FileEffects): Promise<void> {
  await requireLayout(paths);
  await files.makeDirectory(paths.releases);
  await files.makeDirectory(paths.packs);
  const path = inStore(paths, storeNames.layout);
  if (!existsSync(path)) {
    const layout = { schema_id: 'store_layout.v1', layout: storeLayoutNumber };
    await replaceFile({ files, path, bytes: canonicalJson(layout) });
  }
  await removeStaged(paths, files);
}

/** Removes what a run that died has left without a name. */
export async function removeStaged(paths: ReleasePaths, files: FileEffects): Promise<void> {
  for (const directory of [paths.releases, paths.packs]) {
    const names = existsSync(directory) ? await readdir(directory) : [];
    for (const name of names) if (name.endsWith('.partial')) await files.remove(join(directory, name));
  }
}

async function isEmpty(paths: ReleasePaths): Promise<boolean> {
  if (!existsSync(paths.releases)) return true;
  return !(await readdir(paths.releases)).some((name) => releaseName.safeParse(name).success);
}
