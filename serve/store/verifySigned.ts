import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type ArtifactManifest, artifactManifest } from '../../data/contract/release/releaseFiles.ts';
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

/** A stored JSON value; undefined where the bytes are none, null where there are none. */
export function parsedJson(bytes: Buffer | null): unknown {
  if (bytes === null) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Why a manifest is not trusted. */
export type ManifestFault = 'not_json' | 'wrong_shape' | 'wrong_release' | SignatureFault['fault'];

/** Parses the manifest of a release and verifies its signature (I9.16, I9.16a). */
export function verifyManifest({
  bytes,
  release,
  trusts,
}: {
  bytes: Buffer;
  release: string;
  trusts: JudgeKey;
}):
  | { readonly ok: true; readonly manifest: ArtifactManifest }
  | { readonly ok: false; readonly fault: ManifestFault; readonly keyId: string | null } {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { ok: false, fault: 'not_json', keyId: null };
  }
  const parsed = artifactManifest.safeParse(json);
  if (!parsed.success) return { ok: false, fault: 'wrong_shape', keyId: null };
  const manifest = parsed.data;
  if (
    manifest.version !== release ||
    !release.startsWith(`${manifest.source_date}.`) ||
    manifest.artifact_count !== manifest.artifacts.length
  ) {
    return { ok: false, fault: 'wrong_release', keyId: null };
  }
  const wrong = verifySigned(manifest, trusts);
  return wrong === null ? { ok: true, manifest } : { ok: false, ...wrong };
}
