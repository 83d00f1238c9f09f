import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { AuditRun } from '../../data/contract/payloads/audit/auditRun.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { keyOfPem } from '../../data/store/files/publishedKeys.ts';

/**
 * Signs a run with the deployment's release key, over its canon-1 form without `signature` (I9.16, I3.22). The
 * key is made by the first night and only read here.
 *
 * @throws IssuerError `input_missing` without a key, `configuration` when the file holds something else.
 */
export function signedRun(run: Omit<AuditRun, 'signature'>, keyPath: string): AuditRun {
  const key = releaseKey(keyPath);
  const pem = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();
  const { keyId, publicKey } = keyOfPem(pem, keyPath);
  const value = sign(null, Buffer.from(canonicalJson(run as CanonicalValue)), key).toString('base64');
  return { ...run, signature: { alg: 'Ed25519', key_id: keyId, public_key: publicKey, value } };
}

function releaseKey(path: string): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new IssuerError({
      code: 'input_missing',
      message: 'The release key cannot be read, so the audit cannot be signed.',
      hint: 'Run the audit where the nightly runs, as the user who owns its keys directory.',
      cause,
    });
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw notAKey(path, cause);
  }
  throw notAKey(path, undefined);
}

function notAKey(path: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `${path} does not hold an Ed25519 private key in PEM form.`,
    hint: 'Restore the key of the releases from a backup.',
    cause,
  });
}
