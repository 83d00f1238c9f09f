import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { isOfHistory, segmentProblems } from '../../contract/history/segmentProblems.ts';
import {
  type ArtifactManifest,
  artifactManifest,
  type ManifestEntry,
  rowStoreIndex,
} from '../../contract/release/releaseFiles.ts';
import { artifactVersion, sha256Hex } from './artifact.ts';
import { type FileReader, fileReader } from './fileReader.ts';
import { withoutLastBrace } from './openBodies.ts';
import { parsedFile } from './releaseStore.ts';
import { manifestSignatureHolds } from './signingKey.ts';

export type VerifiedRelease = { readonly manifest: ArtifactManifest; readonly bytes: number };

/**
 * Reads every file of a build again and compares it with its manifest: signature, hashes, sizes, versions,
 * order of entries, row store offsets, stored codings, and that nothing else lies there (I3.18, I9.16).
 *
 * @param directory the build, staged or final
 * @param publicKeys base64 keys the signature may come from; null accepts the one inside
 * @throws IssuerError `validation_failed` naming every problem found.
 */
export async function verifyRelease(input: {
  directory: string;
  name: string;
  publicKeys: readonly string[] | null;
}): Promise<VerifiedRelease> {
  const manifest = await parsedFile(artifactManifest, join(input.directory, 'manifest.json'));
  const problems = manifestProblems(manifest, input);
  let bytes = 0;
  const expected = new Set(['manifest.json']);
  const shared = { expected, decoded: new Set<string>(), readBody: fileReader() };
  const readPayload = fileReader();
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  for (const [i, entry] of manifest.artifacts.entries()) {
    // reading is synchronous: let signals and timers in
    if (i % filesATurn === 0) await nextTurn();
    expected.add(entry.key);
    const path = join(input.directory, entry.key);
    // histories are long, and nothing but their hash is asked of a row store
    const isStore = entry.key.endsWith('.ndjson');
    const payload = isStore && existsSync(path) ? Buffer.alloc(0) : readPayload(path);
    if (payload === null) {
      problems.push(`${entry.key} is missing`);
      continue;
    }
    const found = isStore ? hashFile(path, chunk) : { bytes: payload.length, sha256: sha256Hex(payload) };
    bytes += found.bytes;
    if (found.bytes !== entry.bytes)
      problems.push(`${entry.key} has ${found.bytes} bytes, not ${entry.bytes}`);
    if (found.sha256 !== entry.sha256) problems.push(`${entry.key} has another hash than the manifest says`);
    problems.push(...codingProblems({ ...shared, path, key: entry.key, payload, sha256: found.sha256 }));
    if (/\.(index|segments)\.json$/.test(entry.key))
      problems.push(...indexProblems(entry, payload, manifest));
  }
  for (const file of await filesBelow(input.directory)) {
    if (!expected.has(file)) problems.push(`${file} is not in the manifest`);
  }
  if (problems.length > 0) throw refused(input.name, problems);
  return { manifest, bytes };
}

function manifestProblems(
  manifest: ArtifactManifest,
  { name, publicKeys }: { name: string; publicKeys: readonly string[] | null },
): string[] {
  const problems: string[] = [];
  if (manifest.version !== name) problems.push(`the manifest is of ${manifest.version}`);
  if (!manifestSignatureHolds(manifest)) problems.push('the signature does not hold');
  else if (publicKeys !== null && !publicKeys.includes(manifest.signature.public_key)) {
    problems.push(
      `it is signed by ${manifest.signature.key_id}, which is no published key of this deployment`,
    );
  }
  if (manifest.artifact_count !== manifest.artifacts.length) problems.push('artifact_count is wrong');
  manifest.artifacts.forEach((entry, i) => {
    const before = manifest.artifacts[i - 1];
    if (before !== undefined && before.key >= entry.key) problems.push(`${entry.key} is out of order`);
    if (entry.version !== artifactVersion(manifest.source_date, entry.sha256)) {
      problems.push(`${entry.key} has version ${entry.version}`);
    }
  });
  return problems;
}

function codingProblems({
  path,
  key,
  payload,
  sha256,
  expected,
  decoded,
  readBody,
}: {
  path: string;
  key: string;
  payload: Uint8Array;
  sha256: string;
  expected: Set<string>;
  /** Payloads and bodies that were compared already. */
  decoded: Set<string>;
  readBody: FileReader;
}): string[] {
  const problems: string[] = [];
  const decoders = { '.gz': inflateOpenGzip, '.zst': zstdDecompressSync };
  for (const [suffix, decode] of Object.entries(decoders)) {
    const body = readBody(path + suffix);
    if (body === null) continue;
    expected.add(key + suffix);
    // variants without optional parts are often the same bytes: decode each once
    const pair = `${sha256} ${sha256Hex(body)}`;
    if (!decoded.has(pair) && !decodes({ body, decode, payload })) {
      problems.push(`${key}${suffix} does not decode to the artifact`);
    }
    decoded.add(pair);
  }
  return problems;
}

function decodes({
  body,
  decode,
  payload,
}: {
  body: Buffer;
  decode: (body: Buffer) => Buffer;
  payload: Uint8Array;
}): boolean {
  try {
    return decode(body).equals(withoutLastBrace(payload));
  } catch {
    return false;
  }
}

const chunkBytes = 1 << 20;
const filesATurn = 64;

/** Size and SHA-256 of a file that is never whole in memory. */
function hashFile(path: string, chunk: Buffer): { bytes: number; sha256: string } {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    let bytes = 0;
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, read));
      bytes += read;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(file);
  }
}

/** Decodes an open gzip body: what a receiver has before the suffix arrives. */
function inflateOpenGzip(body: Uint8Array): Buffer {
  return inflateRawSync(body.subarray(10), { finishFlush: constants.Z_SYNC_FLUSH });
}

function indexProblems(entry: ManifestEntry, payload: Uint8Array, manifest: ArtifactManifest): string[] {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return [`${entry.key} is not JSON`];
  }
  if (isOfHistory(entry, value)) return segmentProblems(entry, { json: value, manifest });
  const parsed = rowStoreIndex.safeParse(value);
  if (!parsed.success) return [`${entry.key} is not a row store index`];
  const store = manifest.artifacts.find((e) => e.key === entry.key.replace(/\.index\.json$/, '.ndjson'));
  const { rows, offsets, columns } = parsed.data;
  const ascending = offsets.every((offset, i) => i === 0 || offset > (offsets[i - 1] ?? 0));
  const whole = offsets.length === rows + 1 && offsets[0] === 0 && offsets[rows] === store?.bytes;
  const full = Object.values(columns).every((column) => column.length === rows);
  return ascending && whole && full ? [] : [`${entry.key} does not fit its row store`];
}

async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

function refused(name: string, problems: readonly string[]): IssuerError {
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return new IssuerError({
    code: 'validation_failed',
    message: `Release ${name} does not verify: ${problems[0]}${more}.`,
    hint: 'Do not serve it: restore it from a backup, or publish the slice again with `issuer nightly --date <date> --force`.',
    details: { release: name, problems: problems.slice(0, 50) },
  });
}
