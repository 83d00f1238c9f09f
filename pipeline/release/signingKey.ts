import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { ArtifactManifest } from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { keyIdOf, publicHalf, publishedKeys, retiredKeyFile } from '../../data/store/files/publishedKeys.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { FileEffects } from '../effects.ts';

export type SigningKey = {
  readonly privateKey: KeyObject;
  /** `ed25519-` and the first 16 hex of SHA-256 of the raw public key. */
  readonly keyId: string;
  /** The 32 bytes of RFC 8032 §5.1.5, base64. */
  readonly publicKey: string;
};

/**
 * Opens the deployment's Ed25519 release key, creating it (mode 0600) on the first run, and keeps its public half
 * beside it.
 *
 * @throws IssuerError `configuration` when the file holds something else.
 */
export async function openSigningKey(input: { path: string; files: FileEffects }): Promise<SigningKey> {
  if (!existsSync(input.path)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    await input.files.makeDirectory(dirname(input.path));
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
    await replaceFile({ ...input, bytes: pem.toString(), mode: 0o600 });
    await publishKey(input, privateKey);
    return describeKey(privateKey);
  }
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(await readFile(input.path, 'utf8'));
  } catch (cause) {
    throw notAKey(input.path, cause);
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') throw notAKey(input.path, undefined);
  await publishKey(input, privateKey);
  return describeKey(privateKey);
}

/**
 * The keys that releases of a deployment may be signed with, base64; null, which takes any, where it has none yet or the
 * next publication writes a damaged half again.
 *
 * @param path of the private key
 */
export function trustedKeys(path: string): readonly string[] | null {
  try {
    const keys = publishedKeys(dirname(path)).map(({ publicKey }) => publicKey);
    return keys.length === 0 ? null : keys;
  } catch (error) {
    if (error instanceof IssuerError) return null;
    throw error;
  }
}

/** Where the public half lies, for the server, which never reads the private one (I4.F02.2). */
export function publicKeyPath(path: string): string {
  return path.replace(/\.pem$/, '.pub');
}

async function publishKey(input: { path: string; files: FileEffects }, privateKey: KeyObject): Promise<void> {
  const path = publicKeyPath(input.path);
  const pem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
  const before = existsSync(path) ? await readFile(path, 'utf8') : pem;
  if (existsSync(path) && before === pem) return;
  // releases of the key before stay good: its public half stays published beside the new one (I9.16a)
  if (before !== pem) await keepRetired(input.files, { path, pem: before });
  await replaceFile({ files: input.files, path, bytes: pem, mode: 0o644 });
}

async function keepRetired(files: FileEffects, { path, pem }: { path: string; pem: string }): Promise<void> {
  const keyId = keyIdIn(pem, path);
  // what holds no key never signed anything
  if (keyId === null) return;
  const kept = join(dirname(path), retiredKeyFile(keyId));
  await replaceFile({ files, path: kept, bytes: pem, mode: 0o644 });
}

function keyIdIn(pem: string, path: string): string | null {
  try {
    return publicHalf(pem, path).keyId;
  } catch {
    return null;
  }
}

type Signature = ArtifactManifest['signature'];

/** Signs the canon-1 form of a document and puts the signature into it (I9.16). */
export function signDocument<T extends object>(document: T, key: SigningKey): T & { signature: Signature } {
  const value = sign(null, Buffer.from(signedForm(document)), key.privateKey).toString('base64');
  return {
    ...document,
    signature: { alg: 'Ed25519', key_id: key.keyId, public_key: key.publicKey, value },
  };
}

/** True when the signature inside a document verifies with the public key inside it. */
export function signatureHolds(signed: { readonly signature: Signature }): boolean {
  const { signature, ...document } = signed;
  const raw = Buffer.from(signature.public_key, 'base64');
  if (raw.length !== 32) return false;
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
  });
  const value = Buffer.from(signature.value, 'base64');
  return verify(null, Buffer.from(signedForm(document)), publicKey, value);
}

function signedForm(document: object): string {
  return canonicalJson(document as CanonicalValue);
}

function describeKey(privateKey: KeyObject): SigningKey {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  const raw = Buffer.from(x ?? '', 'base64url');
  return {
    privateKey,
    keyId: keyIdOf(raw),
    publicKey: raw.toString('base64'),
  };
}

function notAKey(path: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${path} does not hold an Ed25519 private key in PEM form.`,
    hint: 'Restore the key from a backup, or move the file away to have a new key made.',
    cause,
  });
}
