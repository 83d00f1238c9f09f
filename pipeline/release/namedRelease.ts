import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { publishedKeys } from '../../data/store/files/publishedKeys.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import { type DataLayout, inStore } from '../dataLayout.ts';
import { realFiles } from '../effects.ts';
import { readCurrent } from './releaseStore.ts';
import { openSigningKey } from './signingKey.ts';
import { requireLayout } from './storeLayout.ts';

/**
 * The release that a command names, or the current one.
 *
 * @throws IssuerError `input_missing` when there is none, `configuration` over a store of another layout
 */
export async function releaseOrCurrent(layout: DataLayout, name: string | undefined): Promise<string> {
  await requireLayout(layout.artifacts);
  const wanted = name ?? (await readCurrent(layout.artifacts));
  if (wanted === null) {
    throw new IssuerError({
      code: 'input_missing',
      message: 'No release has been published yet.',
      hint: 'Run `issuer nightly --source fixtures`.',
    });
  }
  const isName = /^[\d-]{10}\.\d+$/.test(wanted);
  if (isName && existsSync(inStore(layout.artifacts, storeNames.manifest(wanted)))) return wanted;
  throw new IssuerError({
    code: 'input_missing',
    message: `There is no release ${wanted.slice(0, 64)}.`,
    hint: 'See which ones there are with `issuer release list`.',
  });
}

/** Every published key of this deployment; null where it has none (I9.16a). */
export async function ownPublicKeys(layout: DataLayout): Promise<readonly string[] | null> {
  if (existsSync(layout.signingKey)) await openSigningKey({ path: layout.signingKey, files: realFiles() });
  const keys = publishedKeys(dirname(layout.signingKey));
  return keys.length === 0 ? null : keys.map(({ publicKey }) => publicKey);
}
