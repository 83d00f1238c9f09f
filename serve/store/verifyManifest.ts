import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type ArtifactManifest, artifactManifest } from '../../contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Says whether a raw public key is published, and what its name is (I9.16a). */
export type JudgeKey = (raw: Uint8Array) => { readonly published: boolean; readonly keyId: string };

/** Why a manifest is not trusted. */
export type ManifestFault = 'not_json' | 'wrong_shape' | 'wrong_release' | 'bad_signature' | 'foreign_key';

/**
 * Parses a manifest and verifies the Ed25519 signature inside it over the canonical form without `signature`, made by
 * a key this deployment publishes (I9.16, I9.16a).
 */
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
  const { signature, ...signed } = manifest;
  const key = publicKey(signature.public_key);
  const text = canonicalJson(signed satisfies CanonicalValue);
  if (key === null || !verify(null, Buffer.from(text), key, Buffer.from(signature.value, 'base64'))) {
    return { ok: false, fault: 'bad_signature', keyId: null };
  }
  // named by its own bytes: what the manifest calls its key is the signer's word
  const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
  const { published, keyId } = trusts(raw);
  if (!published) return { ok: false, fault: 'foreign_key', keyId };
  return { ok: true, manifest };
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
