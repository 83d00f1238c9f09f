import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IssuerError } from '../../contract/errors/issuerError.ts';

/** Public half of the key releases are signed with (I9.16). */
export type ReleaseKey = { readonly keyId: string; readonly publicKey: string };

/**
 * Reads the public release key the nightly keeps beside its private one; null before the first night.
 *
 * @throws IssuerError `configuration` when the file holds something else.
 */
export function releaseKey(dataRoot: string): ReleaseKey | null {
  const path = join(dataRoot, 'keys', 'release-ed25519.pub');
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw notAKey(path, cause);
  }
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch (cause) {
    throw notAKey(path, cause);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw notAKey(path, undefined);
  const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
  const digest = createHash('sha256').update(raw).digest('hex');
  return { keyId: `ed25519-${digest.slice(0, 16)}`, publicKey: raw.toString('base64') };
}

function notAKey(path: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${path} does not hold an Ed25519 public key in PEM form.`,
    hint: 'Remove it; the next night writes it anew from the private key.',
    cause,
  });
}
