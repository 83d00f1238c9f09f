import { type ArtifactManifest, artifactManifest } from '../../data/contract/release/releaseFiles.ts';
import { type JudgeKey, type SignatureFault, verifySigned } from './verifySigned.ts';

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
