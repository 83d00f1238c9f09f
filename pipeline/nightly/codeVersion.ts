import { join } from 'node:path';
import { programRoot, programVersion } from '../programRoot.ts';
import { digestOf, hashTree } from '../source/inputHashes.ts';

const roomsThatDecide = ['calculators', 'data/contract', 'data/store', 'data/sql', 'pipeline'];

/**
 * `<package version>+<12 hex>` over the sources a release follows from: two releases with one code version
 * were made by the same program. Tests are excluded.
 */
export async function codeVersion(): Promise<string> {
  const hashes: Record<string, string> = {};
  for (const room of roomsThatDecide) {
    hashes[room] = await hashTree(
      join(programRoot, room),
      (name) => /\.(ts|sql)$/.test(name) && !/\.test\.ts$/.test(name),
    );
  }
  return `${await programVersion()}+${digestOf(hashes).slice(0, 12)}`;
}
