import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { moveInto } from '../../contract/files/replaceFile.ts';
import {
  type ArtifactManifest,
  artifactManifest,
  type ManifestEntry,
} from '../../contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../contract/values/canonicalJson.ts';
import { compareText } from '../../contract/values/compareText.ts';
import type { FileEffects } from '../effects.ts';
import { type Artifact, artifactVersion, type MediaType, sha256Hex } from './artifact.ts';
import { openGzipBody, openZstdBody } from './openBodies.ts';
import { promoteRelease, promoteReleases } from './promoteRelease.ts';
import type { ReleasePaths } from './releasePaths.ts';
import { listReleaseNames, readCurrent, readManifest, releaseParts } from './releaseStore.ts';
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

/** Adds one file to a release. */
export type PutFile = (file: NewFile | HeldFile) => Promise<void>;

/** A file to be written; its hash where it is known already. */
export type NewFile = {
  readonly key: string;
  readonly mediaType: MediaType;
  /** Parts of the file, in order. */
  readonly bytes: readonly Uint8Array[];
  readonly sha256?: string;
};

/** A file that an earlier release holds under the same key: it is not written again (STORE ST9). */
export type HeldFile = {
  readonly key: string;
  readonly mediaType: MediaType;
  readonly held: { readonly release: string; readonly sha256: string; readonly bytes: number };
};

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
export async function publishRelease(input: {
  paths: ReleasePaths;
  content: ReleaseContent;
  key: SigningKey;
  moveCurrent: boolean;
  files: FileEffects;
}): Promise<Published> {
  await input.files.makeDirectory(input.paths.releases);
  await removeStaged(input.paths, input.files);
  const name = await nextName(input.paths, input.content.sourceDate);
  const staged = join(input.paths.releases, `${name}.partial`);
  try {
    const streamed = await writeStreamed({ ...input, staged });
    const entries = [...manifestEntries(input.content), ...streamed].sort((a, b) =>
      compareText(a.key, b.key),
    );
    const same = await sameBuild(input, entries);
    if (same === null) await buildRelease({ ...input, name, staged }, entries);
    else if (streamed.length > 0) await input.files.remove(staged);
    const release = same ?? name;
    await promoteRelease({
      paths: input.paths,
      name: release,
      moveCurrent: input.moveCurrent,
      files: input.files,
    });
    return { release, reused: same !== null, files: entries.length };
  } catch (error) {
    // the first failure is the one to report; whatever stays is removed by the next run
    await input.files.remove(staged).catch(() => undefined);
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
export async function publishPastReleases(input: {
  paths: ReleasePaths;
  contents: readonly ReleaseContent[];
  key: SigningKey;
  files: FileEffects;
}): Promise<string[]> {
  await input.files.makeDirectory(input.paths.releases);
  await removeStaged(input.paths, input.files);
  const taken = await listReleaseNames(input.paths);
  const previous = await currentManifestHash(input.paths);
  const staged: { name: string; directory: string }[] = [];
  try {
    for (const content of input.contents) {
      const name = nameAfter(taken, content.sourceDate);
      const directory = join(input.paths.releases, `${name}.partial`);
      staged.push({ name, directory });
      const entries = manifestEntries(content);
      await stageRelease({ ...input, content, name, staged: directory, previous }, entries);
    }
    await input.files.syncTree(input.paths.releases);
    for (const { name, directory } of staged) {
      await verifyRelease({ directory, name, publicKeys: [input.key.publicKey] });
    }
    for (const { name, directory } of staged)
      await input.files.rename(directory, join(input.paths.releases, name));
    await input.files.syncDirectory(input.paths.releases);
    const names = staged.map(({ name }) => name);
    await promoteReleases({ paths: input.paths, names, files: input.files });
    return names;
  } catch (error) {
    for (const { directory } of staged) await input.files.remove(directory).catch(() => undefined);
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

async function buildRelease(staging: Staging, entries: readonly ManifestEntry[]): Promise<void> {
  const { name, staged } = staging;
  await stageRelease({ ...staging, previous: await currentManifestHash(staging.paths) }, entries);
  await staging.files.syncTree(staged);
  await verifyRelease({ directory: staged, name, publicKeys: [staging.key.publicKey] });
  await moveInto({ files: staging.files, from: staged, to: join(staging.paths.releases, name) });
}

/** Writes a build and its signed manifest; nothing is durable yet. */
async function stageRelease(
  { name, staged, content, files, previous, key }: Staging & { readonly previous: string | null },
  entries: readonly ManifestEntry[],
): Promise<void> {
  await writeArtifacts({ staged, artifacts: content.artifacts, entries, files });
  const manifest = signManifest(
    {
      schema_id: 'artifact_manifest.v1',
      version: name,
      generated_at: content.generatedAt,
      source_date: content.sourceDate,
      slice_status: content.sliceStatus,
      artifact_count: entries.length,
      artifacts: [...entries],
      previous_manifest_sha256: previous,
      inputs: { ...content.inputs },
    },
    key,
  );
  const bytes = canonicalJson(artifactManifest.parse(manifest) as CanonicalValue);
  await files.write(join(staged, 'manifest.json'), bytes);
}

function readHeld(releases: string, { key, held }: HeldFile): Promise<Buffer> {
  return readFile(join(releases, held.release, key));
}

/** Writes what is too large to hold together; returns the manifest entries of it. */
async function writeStreamed({
  paths: { releases },
  staged,
  content,
  files,
}: {
  paths: ReleasePaths;
  staged: string;
  content: ReleaseContent;
  files: FileEffects;
}): Promise<ManifestEntry[]> {
  // a file that is written again replaces what was there
  const entries = new Map<string, ManifestEntry>();
  const made = new Set<string>();
  await content.streamed?.(async (file) => {
    const path = join(staged, file.key);
    if (!made.has(dirname(path))) await files.makeDirectory(dirname(path));
    made.add(dirname(path));
    const bytes = 'held' in file ? [await readHeld(releases, file)] : file.bytes;
    await files.write(path, bytes);
    entries.set(file.key, entryOf({ ...file, bytes }, content.sourceDate));
  });
  return [...entries.values()];
}

async function writeArtifacts({
  staged,
  artifacts,
  entries,
  files,
}: {
  staged: string;
  artifacts: readonly Artifact[];
  entries: readonly ManifestEntry[];
  files: FileEffects;
}): Promise<void> {
  const directories = new Set(artifacts.map((artifact) => dirname(join(staged, artifact.key))));
  await files.makeDirectory(staged);
  for (const directory of directories) await files.makeDirectory(directory);
  const hashes = new Map(entries.map((entry) => [entry.key, entry.sha256]));
  // variants without optional parts are often the same bytes: compress each payload once
  const codings = new Map<string, { gz: Uint8Array; zst: Uint8Array }>();
  const writes: { path: string; bytes: Uint8Array }[] = [];
  for (const artifact of artifacts) {
    const path = join(staged, artifact.key);
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
    const batch = writes.slice(i, i + writesAtOnce).map((w) => files.write(w.path, w.bytes));
    // all settle before the first failure travels on, so that clean-up meets no late write
    const failed = (await Promise.allSettled(batch)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

/** Manifest entries in key order (I9.16). */
export function manifestEntries(content: Pick<ReleaseContent, 'artifacts' | 'sourceDate'>): ManifestEntry[] {
  return content.artifacts
    .map(({ bytes, ...artifact }) => entryOf({ ...artifact, bytes: [bytes] }, content.sourceDate))
    .sort((a, b) => compareText(a.key, b.key));
}

function entryOf(file: NewFile, sourceDate: string): ManifestEntry {
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
  { paths, content, key }: { paths: ReleasePaths; content: ReleaseContent; key: SigningKey },
  entries: readonly ManifestEntry[],
): Promise<string | null> {
  const wanted = identity({ ...content, artifacts: entries });
  for (const name of (await listReleaseNames(paths)).reverse()) {
    if (releaseParts(name).sourceDate !== content.sourceDate) continue;
    try {
      const { manifest } = await readManifest(paths, name);
      const found = identity({
        generatedAt: manifest.generated_at,
        sliceStatus: manifest.slice_status,
        inputs: manifest.inputs,
        artifacts: manifest.artifacts,
      });
      if (found !== wanted) continue;
      await verifyRelease({ directory: join(paths.releases, name), name, publicKeys: [key.publicKey] });
      return name;
    } catch {
      // a damaged build is never reused: the new one takes the next number
    }
  }
  return null;
}

function identity({
  generatedAt,
  sliceStatus,
  inputs,
  artifacts,
}: {
  generatedAt: string;
  sliceStatus: string;
  inputs: Readonly<Record<string, string>>;
  artifacts: readonly ManifestEntry[];
}): string {
  return canonicalJson({
    generated_at: generatedAt,
    slice_status: sliceStatus,
    inputs,
    artifacts: artifacts.map((entry) => [entry.key, entry.sha256]),
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
