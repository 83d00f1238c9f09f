import { Buffer } from 'node:buffer';
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IssuerError } from '../../contract/errors/issuerError.ts';

// A deployment signs its releases with one key. Public halves lie beside it: `release-ed25519.pub` is that of the key
// in use, `release-ed25519.<key id>.pub` those of the keys before it. What lies there is published and trusted.

/** Public half of a key that releases are signed with (I9.16). */
export type ReleaseKey = {
  /** `ed25519-` and the first 16 hex of SHA-256 of the raw public key. */
  readonly keyId: string;
  /** The 32 bytes of RFC 8032 §5.1.5, base64. */
  readonly publicKey: string;
};

const current = 'release-ed25519.pub';
const retired = /^release-ed25519\.[0-9A-Za-z-]{1,64}\.pub$/;

/** File name of the public half of a key that signs no more. */
export function retiredKeyFile(keyId: string): string {
  return `release-ed25519.${keyId}.pub`;
}

/**
 * The published keys of a deployment, the one in use first; none before the first night.
 *
 * @throws IssuerError `configuration` when a file of that name holds something else.
 */
export function publishedKeys(directory: string): readonly ReleaseKey[] {
  const names = namesIn(directory).filter((name) => name === current || retired.test(name));
  const rank = (name: string): string => (name === current ? '' : name);
  const keys = names
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map((name) => publicHalf(readFileSync(join(directory, name), 'utf8'), join(directory, name)));
  return keys.filter((key, i) => keys.findIndex(({ keyId }) => keyId === key.keyId) === i);
}

/** The key of a file that is published: a private one in its place is never read, kept or copied. */
export function publicHalf(pem: string, path: string): ReleaseKey {
  if (pem.includes('PRIVATE KEY')) throw notAKey(path, undefined);
  return keyOfPem(pem, path);
}

/** The public half in a PEM text; `path` names it in the error. */
export function keyOfPem(pem: string, path: string): ReleaseKey {
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch (cause) {
    throw notAKey(path, cause);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw notAKey(path, undefined);
  const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
  return { keyId: keyIdOf(raw), publicKey: raw.toString('base64') };
}

/** Name of a key by its 32 raw bytes. */
export function keyIdOf(raw: Uint8Array): string {
  return `ed25519-${createHash('sha256').update(raw).digest('hex').slice(0, 16)}`;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
    throw new IssuerError({
      code: 'configuration',
      message: `The directory of the release keys, ${directory}, cannot be read.`,
      hint: 'Let the server read it: it holds public halves it needs, and never reads the private one.',
      cause,
    });
  }
}

function notAKey(path: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${path} does not hold an Ed25519 public key in PEM form.`,
    hint: 'Remove it; the next night writes that of the key in use anew from the private one.',
    cause,
  });
}
