import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { releaseName } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { sha256 } from '../../data/contract/values/primitives.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { FileEffects } from '../effects.ts';
import type { ReleasePaths } from '../release/releasePaths.ts';
import { parsedFile } from '../release/releaseStore.ts';
import type { LastCopy } from './storeRelation.ts';

/** `copies.json`: by address, what was last known of another store. */
const storeCopies = z.strictObject({
  schema_id: z.literal('store_copies.v1'),
  stores: z.record(
    z.string(),
    z.strictObject({ slices_sha256: sha256, current: releaseName.nullable(), towards: sha256.nullable() }),
  ),
});

/** What was last known of the stores this one was copied to or from. */
export function lastCopies(
  { root }: ReleasePaths,
  files: FileEffects,
): {
  read(address: string): Promise<LastCopy | null>;
  write(address: string, last: LastCopy): Promise<void>;
} {
  const path = join(root, 'copies.json');
  const all = async () => (existsSync(path) ? (await parsedFile(storeCopies, path)).stores : {});
  return {
    read: async (address) => (await all())[address] ?? null,
    async write(address, last) {
      const stores = { ...(await all()), [address]: { ...last } };
      await files.makeDirectory(root);
      await replaceFile({ files, path, bytes: canonicalJson({ schema_id: 'store_copies.v1', stores }) });
    },
  };
}
