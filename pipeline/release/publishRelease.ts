import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ArtifactManifest,
  artifactManifest,
  type ManifestEntry,
} from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { releasePacks, storeNames } from '../../data/store/storeFiles.ts';
import type { OwnStore } from '../dataLayout.ts';
import { inStore, type ReleasePaths } from '../dataLayout.ts';
import { type ReleaseArtifact, sha256Hex } from './artifact.ts';
import { draftRelease, manifestEntries, type PutFile, type ReleaseDraft } from './draftRelease.ts';
import { heldObjects } from './heldObjects.ts';
import { openPackWriter, type PackWriter } from './packWriter.ts';
import { promoteRelease, promoteReleases } from './promoteRelease.ts';
import { listReleaseNames, readManifest, releaseParts, standingCurrent } from './releaseStore.ts';
import { type SigningKey, signDocument } from './signingKey.ts';
import { prepareStore } from './storeLayout.ts';
import { verifyRelease } from './verifyRelease.ts';

export type ReleaseContent = {
  readonly sourceDate: string;
  /** The plan's `as_of` instant (I1.21). */
  readonly generatedAt: string;
  readonly sliceStatus: ArtifactManifest['slice_status'];
  readonly artifacts: readonly ReleaseArtifact[];
  /** Files too large to hold together, written one after another; called with the build's name. Null when there are none. */
  readonly streamed?: ((put: PutFile, release: string) => Promise<void>) | null;
  /** Input hashes, parameter and code versions. */
  readonly inputs: Readonly<Record<string, string>>;
};

type Publishing = OwnStore & { readonly key: SigningKey };

export type Published = { readonly release: string; readonly reused: boolean; readonly files: number };

/**
 * Builds a release, verifies what lies on the disk, and promotes it (STORE ST4): its new objects in one pack, then its
 * manifest and where its objects lie, then the gate, then the pointers. Each is written as `*.partial`, synced and
 * renamed; a crash at any effect leaves the old release or the new one. Content that a build of the same date already
 * holds, from the same inputs, is promoted instead of built.
 *
 * @param moveCurrent false for a backfill or a correction of an older date (I3.28)
 * @throws IssuerError `validation_failed` when the staged build does not verify; nothing is promoted then.
 */
export async function publishRelease(
  input: Publishing & { content: ReleaseContent; moveCurrent: boolean },
): Promise<Published> {
  const { paths, content, files } = input;
  await prepareStore(paths, files);
  const name = nameAfter(await listReleaseNames(paths), content.sourceDate);
  const publication = openPublication({ ...input, pack: name });
  try {
    const { draft } = await publication.draft(content);
    await content.streamed?.(draft.put, name);
    const entries = [...manifestEntries(content), ...draft.streamed()].sort((a, b) =>
      compareText(a.key, b.key),
    );
    const same = await sameBuild(input, entries);
    if (same === null) await publication.build([{ name, content, draft, entries }]);
    else await publication.discard();
    const release = same ?? name;
    await promoteRelease({ paths, name: release, moveCurrent: input.moveCurrent, files });
    return { release, reused: same !== null, files: entries.length };
  } catch (error) {
    // the first failure is the one to report; what stays is removed by the next run
    await publication.discard().catch(() => undefined);
    throw error;
  }
}

/**
 * Publishes releases of several dates that never become current (I3.28). They share one pack, are staged, verified and
 * renamed one by one and promoted together: a crash leaves each of them whole or absent.
 *
 * @returns their names, in the order of `contents`
 * @throws IssuerError `validation_failed` when a staged build does not verify; none of them is promoted then.
 */
export async function publishPastReleases(
  input: Publishing & { contents: readonly ReleaseContent[] },
): Promise<string[]> {
  const { paths, contents, files } = input;
  await prepareStore(paths, files);
  const taken = await listReleaseNames(paths);
  const names = contents.map(({ sourceDate }) => nameAfter(taken, sourceDate));
  const [first = ''] = names;
  const pack = names.length > 1 ? `${first}-${names.length}` : first;
  const publication = openPublication({ ...input, pack });
  try {
    const builds: Build[] = [];
    for (const [i, content] of contents.entries()) {
      const { draft } = await publication.draft(content);
      builds.push({ name: names[i] ?? '', content, draft, entries: manifestEntries(content) });
    }
    await publication.build(builds);
    await promoteReleases({ paths, names, files });
    return names;
  } catch (error) {
    await publication.discard().catch(() => undefined);
    throw error;
  }
}

/** A release on its way: what it holds, and its objects as far as they were put. */
type Build = {
  readonly name: string;
  readonly content: ReleaseContent;
  readonly draft: ReleaseDraft;
  readonly entries: readonly ManifestEntry[];
};

type Publication = {
  draft(content: ReleaseContent): Promise<{ draft: ReleaseDraft }>;
  /** Writes what is missing of the releases, verifies them and gives them their names. */
  build(builds: readonly Build[]): Promise<void>;
  /** Removes what no release of the store needs. */
  discard(): Promise<void>;
};

function openPublication({ paths, key, files, pack }: Publishing & { pack: string }): Publication {
  const writer = openPackWriter({ paths, name: pack, files });
  const staged: { readonly from: string; readonly to: string }[] = [];
  return {
    async draft({ sourceDate }) {
      const held = await heldObjects(paths, { sourceDate });
      return { draft: draftRelease({ writer, held, sourceDate }) };
    },
    async build(builds) {
      const own = await writePack(writer, builds);
      const previous = await currentManifestHash(paths);
      for (const build of builds) {
        const partial = `${build.name}.partial`;
        const from = join(paths.releases, partial);
        staged.push({ from, to: join(paths.releases, build.name) });
        await files.makeDirectory(from);
        const manifest = canonicalJson(signedManifest(build, { previous, key }) as CanonicalValue);
        await files.write(inStore(paths, storeNames.manifest(partial)), manifest, { sync: true });
        const packs = releasePacks.parse(build.draft.packs(build.entries, { own }));
        await files.write(inStore(paths, storeNames.packs(partial)), canonicalJson(packs), { sync: true });
        await files.syncDirectory(from);
      }
      const gate = { paths, publicKeys: [key.publicKey], staged: true, written: pack };
      for (const { name } of builds) await verifyRelease({ ...gate, name });
      for (const one of staged) await files.rename(one.from, one.to);
      await files.syncDirectory(paths.releases);
    },
    async discard() {
      for (const { from } of staged) await files.remove(from);
      await writer.discard();
      if (staged.some(({ to }) => existsSync(to))) return;
      await files.remove(inStore(paths, storeNames.index(pack)));
      await files.remove(inStore(paths, storeNames.pack(pack)));
    },
  };
}

/** Writes the objects that no pack holds yet, and says whether there were any. */
async function writePack(writer: PackWriter, builds: readonly Build[]): Promise<boolean> {
  const needed = new Set<string>();
  for (const { content, draft, entries } of builds) {
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    for (const { sha256 } of entries) needed.add(sha256);
    for (const artifact of content.artifacts) {
      const entry = byKey.get(artifact.key);
      if (entry !== undefined) await draft.add(artifact, entry);
    }
  }
  return writer.finish({ keep: (sha256) => needed.has(sha256) });
}

function signedManifest(
  { name, content, entries }: Build,
  { previous, key }: { readonly previous: string | null; readonly key: SigningKey },
): ArtifactManifest {
  return artifactManifest.parse(
    signDocument(
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
    ),
  );
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
      await verifyRelease({ paths, name, publicKeys: [key.publicKey] });
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

function nameAfter(taken: readonly string[], sourceDate: string): string {
  const numbers = taken
    .map(releaseParts)
    .filter((release) => release.sourceDate === sourceDate)
    .map((release) => release.number);
  return `${sourceDate}.${Math.max(0, ...numbers) + 1}`;
}

/** Hash of the manifest of the current release; null where there is none that can be read. */
async function currentManifestHash(paths: ReleasePaths): Promise<string | null> {
  const current = await standingCurrent(paths);
  const read = current === null ? null : await readManifest(paths, current).catch(() => null);
  return read === null ? null : sha256Hex(read.bytes);
}
