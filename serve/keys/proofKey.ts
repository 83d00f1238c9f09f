import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { didOf } from '../../data/contract/emit/didDocument.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { keyOfPem, type ReleaseKey } from '../../data/store/files/publishedKeys.ts';
import { wrong } from '../config/configProblem.ts';
import { readPrivateFile } from './privateKeyFile.ts';

/** Signs what a buyer may show to others: offers and receipts (P2.57). */
export type ProofKey = {
  readonly published: ReleaseKey;
  /** A JWS in compact form over the canonical text of a payload (RFC 7515, RFC 8037, RFC 8785). */
  jws(payload: CanonicalValue): string;
};

const variable = 'II_PAY_PROOF_KEY_FILE';

/**
 * Opens the key that `II_PAY_PROOF_KEY_FILE` names: an Ed25519 private key in PEM form, readable by its owner alone. Several
 * servers of one origin share it.
 *
 * @throws IssuerError `configuration`, which never says what is in the file
 */
export function openProofKey({ path, baseUrl }: { path: string; baseUrl: string }): ProofKey {
  const key = readKey(path);
  const published = keyOfPem(createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString(), path);
  const header = part({ alg: 'EdDSA', kid: `${didOf(baseUrl)}#${published.keyId}` });
  return {
    published,
    jws(payload) {
      const signed = `${header}.${Buffer.from(canonicalJson(payload)).toString('base64url')}`;
      return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
    },
  };
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function readKey(path: string): KeyObject {
  const key = privateKeyOf(readPrivateFile({ variable, path }));
  if (key?.asymmetricKeyType === 'ed25519') return key;
  const hint = 'Make one: openssl genpkey -algorithm ed25519.';
  throw wrong(variable, 'names a file without an Ed25519 key', hint);
}

function privateKeyOf(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}
