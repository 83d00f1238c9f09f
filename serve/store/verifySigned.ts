import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Says whether a raw public key is published, and what its name is (I9.16a). */
export type JudgeKey = (raw: Uint8Array) => { readonly published: boolean; readonly keyId: string };

/** A document with its signature inside it (I9.16). */
type Signed = { readonly signature: { readonly public_key: string; readonly value: string } };

/** What is wrong with a signature; `keyId` names a key that is not published. */
export type SignatureFault = {
  readonly fault: 'bad_signature' | 'foreign_key';
  readonly keyId: string | null;
};

/**
 * Verifies the Ed25519 signature inside a document, over its canonical form without `signature`, and that a key which
 * this deployment publishes made it (I9.16, I9.16a); null when it is right.
 */
export function verifySigned(document: Signed, trusts: JudgeKey): SignatureFault | null {
  const { signature, ...signed } = document;
  const key = publicKey(signature.public_key);
  const text = canonicalJson(signed as CanonicalValue);
  if (key === null || !verify(null, Buffer.from(text), key, Buffer.from(signature.value, 'base64')))
    return { fault: 'bad_signature', keyId: null };
  // named by its own bytes: what the document calls its key is the signer's word
  const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
  const { published, keyId } = trusts(raw);
  return published ? null : { fault: 'foreign_key', keyId };
}

// published either as the 32 raw bytes or as SubjectPublicKeyInfo
function publicKey(base64: string): KeyObject | null {
  const bytes = Buffer.from(base64, 'base64');
  const der = bytes.length === 32 ? Buffer.concat([spkiPrefix, bytes]) : bytes;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
