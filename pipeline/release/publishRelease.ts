import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CanonicalValue, canonicalJson } from '../../contract/canonicalJson.ts';
import { type ArtifactManifest, artifactManifest, type ManifestEntry } from '../../contract/releaseFiles.ts';
import type { FileEffects } from '../effects.ts';
import { type Artifact, artifactVersion, type MediaType, sha256Hex } from './artifact.ts';
import { openGzipBody, openZstdBody } from './openBodies.ts';
import { promoteRelease, promoteReleases } from './promoteRelease.ts';
import {
  listReleaseNames,
  type ReleasePaths,
  readCurrent,
  readManifest,
  releaseParts,
} from './releaseStore.ts';
import { type SigningKey, signManifest } from './signingKey.ts';
import { verifyRelease } from './verifyRelease.ts';

export type ReleaseContent = {
  readonly sourceDate: string;
  /** The plan's `as_of` instant (I1.21). */
  readonly generatedAt: string;
  readonly sliceStatus: ArtifactManifest['slice_status'];
  readonly artifacts: readonly Artifact[];
  /** Files too large to hold together, written one after another; null when there are none. */
  readonly streamed?: ((put: PutFile) => Promise<void>) | null;
  /** Input hashes, parameter and code versions. */
  readonly inputs: Readonly<Record<string, string>>;
};

/** Writes one file of a release; who knows its hash already says so. */
export type PutFile = (file: {
  key: string;
  mediaType: MediaType;
  /** Parts of the file, in order. */
  bytes: readonly Uint8Array[];
  sha256?: string;
}) => Promise<void>;

export type Published = { readonly release: string; readonly reused: boolean; readonly files: number };

const writesAtOnce = 16;

/**
 * Builds a release, verifies what lies on the disk, and promotes it. The build is staged as `*.partial`, made
 * durable by one filesystem sync and renamed; a crash at any effect leaves the old release or the new one.
 * Content that a build of the same date already holds, from the same inputs, is promoted instead of copied.
 *
 * @param o.moveCurrent false for a backfill or a correction of an older date (I3.28)
 * @throws IssuerError `validation_failed` when the staged build does not verify; nothing is promoted then.
 */
export async function publishRelease(o: {
  paths: ReleasePaths;
  content: ReleaseContent;
  key: SigningKey;
  moveCurrent: boolean;
  files: FileEffects;
}): Promise<Published> {
  await o.files.makeDirectory(o.paths.releases);
  await removeStaged(o.paths, o.files);
  const name = await nextName(o.paths, o.content.sourceDate);
  const staged = join(o.paths.releases, `${name}.partial`);
  try {
    const streamed = await writeStreamed({ ...o, staged });
    const entries = [...manifestEntries(o.content), ...streamed].sort((a, b) => (a.key < b.key ? -1 : 1));
    const same = await sameBuild(o, entries);
    if (same === null) await buildRelease({ ...o, name, staged }, entries);
    else if (streamed.length > 0) await o.files.remove(staged);
    const release = same ?? name;
    await promoteRelease({ paths: o.paths, name: release, moveCurrent: o.moveCurrent, files: o.files });
    return { release, reused: same !== null, files: entries.length };
  } catch (error) {
    // the first failure is the one to report; whatever stays is removed by the next run
    await o.files.remove(staged).catch(() => undefined);
    throw error;
  }
}

/**
 * Publishes releases of several dates that never become current, made durable by one filesystem sync (I3.28). They
 * are staged, verified and renamed one by one and promoted together: a crash leaves each of them whole or absent.
 *
 * @returns their names, in the order of `contents`
 * @throws IssuerError `validation_failed` when a staged build does not verify; none of them is promoted then.
 */
export async function publishPastReleases(o: {
  paths: ReleasePaths;
  contents: readonly ReleaseContent[];
  key: SigningKey;
  files: FileEffects;
}): Promise<string[]> {
  await o.files.makeDirectory(o.paths.releases);
  await removeStaged(o.paths, o.files);
  const taken = await listReleaseNames(o.paths);
  const previous = await currentManifestHash(o.paths);
  const staged: { name: string; directory: string }[] = [];
  try {
    for (const content of o.contents) {
      const name = nameAfter(taken, content.sourceDate);
      const directory = join(o.paths.releases, `${name}.partial`);
      staged.push({ name, directory });
      const entries = manifestEntries(content);
      await stageRelease({ ...o, content, name, staged: directory, previous }, entries);
    }
    await o.files.syncTree(o.paths.releases);
    for (const { name, directory } of staged) {
      await verifyRelease({ directory, name, publicKey: o.key.publicKey });
    }
    for (const { name, directory } of staged) await o.files.rename(directory, join(o.paths.releases, name));
    await o.files.syncDirectory(o.paths.releases);
    const names = staged.map(({ name }) => name);
    await promoteReleases({ paths: o.paths, names, files: o.files });
    return names;
  } catch (error) {
    for (const { directory } of staged) await o.files.remove(directory).catch(() => undefined);
    throw error;
  }
}

type Staging = {
  readonly paths: ReleasePaths;
  readonly content: ReleaseContent;
  readonly key: SigningKey;
  readonly files: FileEffects;
  readonly name: string;
  readonly staged: string;
};

async function buildRelease(o: Staging, entries: readonly ManifestEntry[]): Promise<void> {
  const { name, staged } = o;
  await stageRelease({ ...o, previous: await currentManifestHash(o.paths) }, entries);
  await o.files.syncTree(staged);
  await verifyRelease({ directory: staged, name, publicKey: o.key.publicKey });
  await o.files.rename(staged, join(o.paths.releases, name));
  await o.files.syncDirectory(o.paths.releases);
}

/** Writes a build and its signed manifest; nothing is durable yet. */
async function stageRelease(
  o: Staging & { readonly previous: string | null },
  entries: readonly ManifestEntry[],
): Promise<void> {
  const { name, staged } = o;
  await writeArtifacts({ staged, artifacts: o.content.artifacts, entries, files: o.files });
  const manifest = signManifest(
    {
      schema_id: 'artifact_manifest.v1',
      version: name,
      generated_at: o.content.generatedAt,
      source_date: o.content.sourceDate,
      slice_status: o.content.sliceStatus,
      artifact_count: entries.length,
      artifacts: [...entries],
      previous_manifest_sha256: o.previous,
      inputs: { ...o.content.inputs },
    },
    o.key,
  );
  const bytes = canonicalJson(artifactManifest.parse(manifest) as CanonicalValue);
  await o.files.write(join(staged, 'manifest.json'), bytes);
}

/** Writes what is too large to hold together; returns the manifest entries of it. */
async function writeStreamed(o: {
  staged: string;
  content: ReleaseContent;
  files: FileEffects;
}): Promise<ManifestEntry[]> {
  // a file that is written again replaces what was there
  const entries = new Map<string, ManifestEntry>();
  const made = new Set<string>();
  await o.content.streamed?.(async (file) => {
    const path = join(o.staged, file.key);
    if (!made.has(dirname(path))) await o.files.makeDirectory(dirname(path));
    made.add(dirname(path));
    await o.files.write(path, file.bytes);
    entries.set(file.key, entryOf(file, o.content.sourceDate));
  });
  return [...entries.values()];
}

async function writeArtifacts(o: {
  staged: string;
  artifacts: readonly Artifact[];
  entries: readonly ManifestEntry[];
  files: FileEffects;
}): Promise<void> {
  const directories = new Set(o.artifacts.map((artifact) => dirname(join(o.staged, artifact.key))));
  await o.files.makeDirectory(o.staged);
  for (const directory of directories) await o.files.makeDirectory(directory);
  const hashes = new Map(o.entries.map((entry) => [entry.key, entry.sha256]));
  // variants without optional parts are often the same bytes: compress each payload once
  const codings = new Map<string, { gz: Uint8Array; zst: Uint8Array }>();
  const writes: { path: string; bytes: Uint8Array }[] = [];
  for (const artifact of o.artifacts) {
    const path = join(o.staged, artifact.key);
    writes.push({ path, bytes: artifact.bytes });
    if (!artifact.coded) continue;
    const hash = hashes.get(artifact.key) ?? '';
    const coded = codings.get(hash) ?? {
      gz: openGzipBody(artifact.bytes),
      zst: openZstdBody(artifact.bytes),
    };
    codings.set(hash, coded);
    writes.push({ path: `${path}.gz`, bytes: coded.gz }, { path: `${path}.zst`, bytes: coded.zst });
  }
  for (let i = 0; i < writes.length; i += writesAtOnce) {
    const batch = writes.slice(i, i + writesAtOnce).map((w) => o.files.write(w.path, w.bytes));
    // all settle before the first failure travels on, so that clean-up meets no late write
    const failed = (await Promise.allSettled(batch)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

/** Manifest entries in key order (I9.16). */
export function manifestEntries(content: Pick<ReleaseContent, 'artifacts' | 'sourceDate'>): ManifestEntry[] {
  return content.artifacts
    .map(({ bytes, ...artifact }) => entryOf({ ...artifact, bytes: [bytes] }, content.sourceDate))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function entryOf(file: Parameters<PutFile>[0], sourceDate: string): ManifestEntry {
  const sha256 = file.sha256 ?? hashOf(file.bytes);
  return {
    key: file.key,
    version: artifactVersion(sourceDate, sha256),
    sha256,
    bytes: file.bytes.reduce((sum, part) => sum + part.length, 0),
    media_type: file.mediaType,
    source_date: sourceDate,
  };
}

function hashOf(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** A whole build of the date with the same content from the same inputs, newest first; null when there is none. */
async function sameBuild(
  o: { paths: ReleasePaths; content: ReleaseContent; key: SigningKey },
  entries: readonly ManifestEntry[],
): Promise<string | null> {
  const wanted = identity({ ...o.content, artifacts: entries });
  for (const name of (await listReleaseNames(o.paths)).reverse()) {
    if (releaseParts(name).sourceDate !== o.content.sourceDate) continue;
    try {
      const { manifest } = await readManifest(o.paths, name);
      const found = identity({
        generatedAt: manifest.generated_at,
        sliceStatus: manifest.slice_status,
        inputs: manifest.inputs,
        artifacts: manifest.artifacts,
      });
      if (found !== wanted) continue;
      await verifyRelease({ directory: join(o.paths.releases, name), name, publicKey: o.key.publicKey });
      return name;
    } catch {
      // a damaged build is never reused: the new one takes the next number
    }
  }
  return null;
}

function identity(o: {
  generatedAt: string;
  sliceStatus: string;
  inputs: Readonly<Record<string, string>>;
  artifacts: readonly ManifestEntry[];
}): string {
  return canonicalJson({
    generated_at: o.generatedAt,
    slice_status: o.sliceStatus,
    inputs: o.inputs,
    artifacts: o.artifacts.map((entry) => [entry.key, entry.sha256]),
  });
}

async function nextName(paths: ReleasePaths, sourceDate: string): Promise<string> {
  return nameAfter(await listReleaseNames(paths), sourceDate);
}

function nameAfter(taken: readonly string[], sourceDate: string): string {
  const numbers = taken
    .map(releaseParts)
    .filter((release) => release.sourceDate === sourceDate)
    .map((release) => release.number);
  return `${sourceDate}.${Math.max(0, ...numbers) + 1}`;
}

async function currentManifestHash(paths: ReleasePaths): Promise<string | null> {
  const current = await readCurrent(paths);
  if (current === null || !existsSync(join(paths.releases, current))) return null;
  return sha256Hex((await readManifest(paths, current)).bytes);
}

async function removeStaged(paths: ReleasePaths, files: FileEffects): Promise<void> {
  for (const name of await readdir(paths.releases)) {
    if (name.endsWith('.partial')) await files.remove(join(paths.releases, name));
  }
}
