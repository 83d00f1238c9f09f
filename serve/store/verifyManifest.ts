import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type ArtifactManifest, artifactManifest } from '../../contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Why a manifest is not trusted. */
export type ManifestFault = 'not_json' | 'wrong_shape' | 'wrong_release' | 'bad_signature';

/**
 * Parses a manifest and verifies the Ed25519 signature inside it over the canonical form without `signature`
 * (I9.16).
 */
export function verifyManifest({
  bytes,
  release,
}: {
  bytes: Buffer;
  release: string;
}):
  | { readonly ok: true; readonly manifest: ArtifactManifest }
  | { readonly ok: false; readonly fault: ManifestFault } {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { ok: false, fault: 'not_json' };
  }
  const parsed = artifactManifest.safeParse(json);
  if (!parsed.success) return { ok: false, fault: 'wrong_shape' };
  const manifest = parsed.data;
  if (
    manifest.version !== release ||
    !release.startsWith(`${manifest.source_date}.`) ||
    manifest.artifact_count !== manifest.artifacts.length
  ) {
    return { ok: false, fault: 'wrong_release' };
  }
  const { signature, ...signed } = manifest;
  const key = publicKey(signature.public_key);
  const text = canonicalJson(signed satisfies CanonicalValue);
  if (key === null || !verify(null, Buffer.from(text), key, Buffer.from(signature.value, 'base64'))) {
    return { ok: false, fault: 'bad_signature' };
  }
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
