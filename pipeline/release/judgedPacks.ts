import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import { packName } from '../../data/store/storeFiles.ts';
import type { FileEffects } from '../effects.ts';
import type { ReleasePaths } from './releasePaths.ts';
import { parsedFile } from './releaseStore.ts';

const judgedPacks = z.strictObject({ schema_id: z.literal('judged_packs.v1'), packs: z.array(packName) });

/**
 * `judged.json`: packs whose own release is gone, and that a sweep left because other releases need them (STORE ST5).
 * Nothing but the removal of a release changes that, and what a removed release drew on is judged again then; so a night
 * that removes nothing does not read where the objects of all releases lie. It only saves work.
 */
export function judgedPacksOf(
  { root }: ReleasePaths,
  files: FileEffects,
): { read(): Promise<ReadonlySet<string>>; write(packs: readonly string[]): Promise<void> } {
  const path = join(root, 'judged.json');
  const read = async () => new Set((await parsedFile(judgedPacks, path).catch(() => null))?.packs ?? []);
  return {
    read,
    async write(packs) {
      const known = await read();
      if (known.size === packs.length && packs.every((pack) => known.has(pack))) return;
      const bytes = canonicalJson({ schema_id: 'judged_packs.v1', packs: [...packs] });
      await replaceFile({ files, path, bytes });
    },
  };
}
