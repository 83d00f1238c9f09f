import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { segmentProblems } from '../../data/contract/history/segmentProblems.ts';
import {
  type ArtifactManifest,
  artifactManifest,
  type ManifestEntry,
} from '../../data/contract/release/releaseFiles.ts';
import type { ObjectReader } from '../../data/store/objectReader.ts';
import { packLibrary } from '../../data/store/packLibrary.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import { directoryReads, StoreFault } from '../../data/store/storeReads.ts';
import { inStore } from '../dataLayout.ts';
import { artifactVersion } from './artifact.ts';
import { withoutLastBrace } from './openBodies.ts';
import { releaseObjects } from './openRelease.ts';
import type { NamedRelease } from './releaseStore.ts';
import { parsedFile } from './releaseStore.ts';
import { signatureHolds } from './signingKey.ts';

export type VerifiedRelease = { readonly manifest: ArtifactManifest; readonly bytes: number };

/** Whose signature is accepted. */
export type Trusted = {
  /** Keys it may come from, base64; null accepts the one inside the document. */
  readonly publicKeys: readonly string[] | null;
};

/** Packs of one release that stay open while it is read. */
const keepOpen = 8;

/**
 * Reads every object of a build again, through the reader of the server, and compares it with its manifest: signature,
 * hashes, sizes, versions, order of entries, segments and their indexes, stored codings, and that nothing else lies beside it
 * (I3.18, I9.16).
 *
 * @param staged true for a build that has no name yet
 * @param written the pack that the build was written with: objects of older packs, read when those were written, are
 *   only looked up, so that a night costs what it adds. Without it everything is read.
 * @throws IssuerError `validation_failed` naming every problem found.
 */
export async function verifyRelease(
  input: NamedRelease & Trusted & { staged?: boolean; written?: string },
): Promise<VerifiedRelease> {
  const { paths, name, written } = input;
  const stored = input.staged === true ? `${name}.partial` : name;
  const manifest = await parsedFile(artifactManifest, inStore(paths, storeNames.manifest(stored)));
  const problems = manifestProblems(manifest, input);
  const reads = directoryReads({ root: paths.root, keepOpen });
  try {
    const objects = await releaseObjects({ paths, name: stored, library: packLibrary(reads) });
    const isOlder = (pack: string) => written !== undefined && pack !== written;
    for await (const problem of artifactProblems({ manifest, objects, isOlder })) problems.push(problem);
  } finally {
    reads.close();
  }
  const known = new Set(['manifest.json', 'packs.json']);
  for (const file of await readdir(join(paths.releases, stored))) {
    if (!known.has(file)) problems.push(`${file} is no part of a release`);
  }
  if (problems.length > 0) throw refusedRelease(name, problems);
  return { manifest, bytes: manifest.artifacts.reduce((sum, entry) => sum + entry.bytes, 0) };
}

/**
 * Reads every object of a release, in the order of its manifest, and yields what is wrong.
 *
 * @param isOlder packs whose objects are only looked up
 */
export async function* artifactProblems({
  manifest,
  objects,
  isOlder,
}: {
  manifest: ArtifactManifest;
  objects: ObjectReader;
  isOlder: (pack: string) => boolean;
}): AsyncGenerator<string> {
  const seen = new Map<string, ObjectFindings>();
  for (const entry of manifest.artifacts) {
    const found = seen.get(entry.sha256) ?? (await objectFindings(entry, { objects, isOlder }));
    seen.set(entry.sha256, { ...found, payload: null });
    for (const problem of found.problems) yield `${entry.key}${problem}`;
    if (/\.(index|segments)\.json$/.test(entry.key) && found.isRead) {
      const payload = found.payload ?? (await objects.read(entry)).payload;
      yield* segmentFindings(entry, payload, manifest);
    }
  }
}

/** What is wrong with a manifest by itself: its signature, its order, its versions. */
export function manifestProblems(
  manifest: ArtifactManifest,
  { name, publicKeys }: Trusted & { name: string },
): string[] {
  const problems: string[] = [];
  if (manifest.version !== name) problems.push(`the manifest is of ${manifest.version}`);
  if (!signatureHolds(manifest)) problems.push('the signature does not hold');
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

/** What was found of one object; problems go on after its key. */
export type ObjectFindings = {
  readonly problems: readonly string[];
  /** True when its bytes were read and are right. */
  readonly isRead: boolean;
  readonly payload: Buffer | null;
};

/** Reads one object, all of it, and its codings; of an older pack it is only looked up. */
export async function objectFindings(
  entry: ManifestEntry,
  {
    objects,
    isOlder = () => false,
  }: { readonly objects: ObjectReader; readonly isOlder?: (pack: string) => boolean },
): Promise<ObjectFindings> {
  try {
    const place = await objects.place(entry);
    if (isOlder(place.pack)) return { problems: [], isRead: false, payload: null };
    // histories are long, and nothing but their hash is asked of rows
    if (entry.key.endsWith('.ndjson')) {
      await objects.prove(entry);
      return { problems: [], isRead: true, payload: null };
    }
    const { payload, gzip, zstd } = await objects.read(entry);
    const problems = [
      ...codingProblems({ suffix: '.gz', body: gzip, isStored: place.object.gzip !== null, payload }),
      ...codingProblems({ suffix: '.zst', body: zstd, isStored: place.object.zstd !== null, payload }),
    ];
    return { problems, isRead: true, payload };
  } catch (error) {
    const why = error instanceof StoreFault ? error.message : unreadable(error);
    return { problems: [`: ${why}`], isRead: false, payload: null };
  }
}

/** A read that the system refused, such as of a directory in the place of a pack. */
function unreadable(error: unknown): string {
  // a store that is away says nothing about its objects
  if (error instanceof IssuerError) throw error;
  if (!(error instanceof Error && 'code' in error)) throw error;
  return `it cannot be read (${error.code})`;
}

function codingProblems({
  suffix,
  body,
  isStored,
  payload,
}: {
  suffix: '.gz' | '.zst';
  body: Buffer | null;
  isStored: boolean;
  payload: Buffer;
}): string[] {
  if (!isStored) return [];
  const decode = suffix === '.gz' ? inflateOpenGzip : zstdDecompressSync;
  try {
    if (body !== null && decode(body).equals(withoutLastBrace(payload))) return [];
  } catch {
    // said below
  }
  return [`${suffix} does not decode to the artifact`];
}

/** Decodes an open gzip body: what a receiver has before the suffix arrives. */
function inflateOpenGzip(body: Uint8Array): Buffer {
  return inflateRawSync(body.subarray(10), { finishFlush: constants.Z_SYNC_FLUSH });
}

function segmentFindings(entry: ManifestEntry, payload: Uint8Array, manifest: ArtifactManifest): string[] {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return [`${entry.key} is not JSON`];
  }
  return segmentProblems(entry, { json, manifest });
}

/** The error of a release that does not verify. */
export function refusedRelease(name: string, problems: readonly string[]): IssuerError {
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return new IssuerError({
    code: 'validation_failed',
    message: `Release ${name} does not verify: ${problems[0]}${more}.`,
    hint: 'Do not serve it: restore it from a backup, or publish the slice again with `issuer nightly --date <date> --force`.',
    details: { release: name, problems: problems.slice(0, 50) },
  });
}
