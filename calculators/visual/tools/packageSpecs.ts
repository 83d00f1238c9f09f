import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { renderFiles, type StoredRender } from '../../../data/contract/visual/renderReceipt.ts';
import type { SpecPackageData } from '../../../data/contract/visual/visualToolData.ts';
import { textHash, visualVersions } from './renderAnswer.ts';

type PackageFile = SpecPackageData['package']['files'][number];

/** Those of each render in a folder named by its receipt, ordered by path. */
function packageFiles(renders: readonly StoredRender[]): PackageFile[] {
  return renders
    .flatMap((render) =>
      renderFiles(render).map(([name, mediaType, text]) =>
        packageFile(`${render.receipt.receipt_id}/${name}`, { mediaType, text }),
      ),
    )
    .sort((a, b) => compareText(a.path, b.path));
}

/** A file of a package with its hash and its bytes in base64. */
function packageFile(path: string, { mediaType, text }: { mediaType: string; text: string }): PackageFile {
  const bytes = new TextEncoder().encode(text);
  return {
    path,
    media_type: mediaType,
    sha256: textHash(text),
    bytes: bytes.length,
    content_base64: bytes.toBase64(),
  };
}

/** The list of a package's files and hashes, which the caller signs like a release manifest (I4.VIS.19, I9.16). */
export type PackageManifest = {
  readonly schema_id: 'visual_package_manifest.v1';
  readonly package_id: string;
  readonly package_name: string;
  readonly created_at_utc: string;
  readonly files: readonly Omit<PackageFile, 'content_base64'>[];
};

const mostBytes = 4 * 1024 * 1024;

export type SpecPackage =
  | { readonly ok: false; readonly code: 'result_too_large'; readonly bytes: number; readonly limit: number }
  | { readonly ok: true; readonly manifest: PackageManifest; readonly files: readonly PackageFile[] };

/** Files and unsigned manifest of a package, or how far it is over 4 MiB. */
export function packageSpecs(
  renders: readonly StoredRender[],
  named: Omit<PackageManifest, 'schema_id' | 'files'>,
): SpecPackage {
  const files = packageFiles(renders);
  const manifest: PackageManifest = {
    schema_id: 'visual_package_manifest.v1',
    ...named,
    files: files.map(({ path, media_type, sha256, bytes }) => ({ path, media_type, sha256, bytes })),
  };
  const bytes = sizeOf(files) + new TextEncoder().encode(canonicalJson(manifest)).length + signatureBytes;
  return bytes > mostBytes
    ? { ok: false, code: 'result_too_large', bytes, limit: mostBytes }
    : { ok: true, manifest, files };
}

/** The signature of a package, as that of a release manifest (I9.16). */
export type PackageSignature = {
  readonly alg: 'Ed25519';
  readonly key_id: string;
  readonly public_key: string;
  readonly value: string;
};

// `,"signature":{"alg":"Ed25519","key_id":"<24>","public_key":"<44>","value":"<88>"}`
const signatureBytes = 225;

/** The data of `visual_spec_package` once its manifest is signed (I4.VIS.19). */
export function packageAnswer(
  { manifest, files }: Extract<SpecPackage, { ok: true }>,
  signature: PackageSignature,
): SpecPackageData {
  const text = canonicalJson({ ...manifest, signature });
  const all = [...files, packageFile('manifest.json', { mediaType: 'application/json', text })];
  return {
    package: {
      package_id: manifest.package_id,
      files: all,
      manifest_sha256: textHash(text),
      total_bytes: sizeOf(all),
    },
    provenance: { ...visualVersions },
  };
}

const sizeOf = (files: readonly PackageFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
