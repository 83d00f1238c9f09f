import { join } from 'node:path';
import { keyIdOf, publishedKeys, type ReleaseKey } from '../../data/store/files/publishedKeys.ts';

/** The keys whose releases this deployment serves (I9.16a). */
export type ReleaseKeys = {
  /** The one in use first; the same list as long as nothing changed. */
  current(): readonly ReleaseKey[];
  /** Whether a raw key is published, as the directory is now, and what its name is. */
  trusts(raw: Uint8Array): { readonly published: boolean; readonly keyId: string };
};

/**
 * Reads them at once, and again whenever a release is opened: a night may have made the first one, or another, since.
 *
 * @throws IssuerError `configuration` when a file holds no key
 */
export function releaseKeys(dataRoot: string): ReleaseKeys {
  const directory = join(dataRoot, 'keys');
  let known = publishedKeys(directory);

  function look(): readonly ReleaseKey[] {
    let found: readonly ReleaseKey[];
    try {
      found = publishedKeys(directory);
    } catch {
      // half a file, or one put there by mistake, withdraws nothing
      return known;
    }
    if (names(found) !== names(known)) known = found;
    return known;
  }

  return {
    current: () => known,
    trusts(raw) {
      const publicKey = Buffer.from(raw).toString('base64');
      return { published: look().some((key) => key.publicKey === publicKey), keyId: keyIdOf(raw) };
    },
  };
}

function names(keys: readonly ReleaseKey[]): string {
  return keys.map(({ keyId }) => keyId).join(' ');
}
