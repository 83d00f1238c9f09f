import { createHash } from 'node:crypto';
import type { ManifestEntry } from '../../data/contract/release/releaseFiles.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { ReleasePacks } from '../../data/store/storeFiles.ts';
import {
  artifactBytes,
  artifactVersion,
  type MediaType,
  type ReleaseArtifact,
  sha256Hex,
} from './artifact.ts';
import type { HeldObjects } from './heldObjects.ts';
import { openGzipBody, openZstdBody } from './openBodies.ts';
import type { PackWriter } from './packWriter.ts';
import { releaseParts } from './releaseStore.ts';

/** Adds one file to a release. @throws DamagedHeld when an object that is referred to cannot be relied on */
export type PutFile = (file: NewFile | HeldFile) => Promise<void>;

/** A file to be written; its hash where it is known already. */
type NewFile = {
  readonly key: string;
  readonly mediaType: MediaType;
  /** Parts of the file, in order. */
  readonly bytes: readonly Uint8Array[];
  readonly sha256?: string;
};

/** A file that an earlier release holds: it is not written again (STORE ST9). */
type HeldFile = {
  readonly key: string;
  readonly mediaType: MediaType;
  readonly held: { readonly release: string; readonly sha256: string; readonly bytes: number };
};

/** The store does not hold what is referred to, or holds it damaged. */
export class DamagedHeld extends Error {}

/** A release whose objects are being written or read. */
export type ReleaseDraft = {
  readonly put: PutFile;
  /** Entries of what was put, of each key the last. */
  streamed(): ManifestEntry[];
  /** Writes an artifact with its codings, or draws on where it stands. */
  add(artifact: ReleaseArtifact, entry: ManifestEntry): Promise<void>;
  /** Where the objects of the entries lie; `own` says whether the release's own pack was written. */
  packs(entries: readonly ManifestEntry[], o: { readonly own: boolean }): ReleasePacks;
};

/** @param writer the pack of the publication, which several releases may share */
export function draftRelease({
  writer,
  held,
  sourceDate,
}: {
  writer: PackWriter;
  held: HeldObjects;
  sourceDate: string;
}): ReleaseDraft {
  const drawn = new Map<string, string>();
  // a file that is put again replaces what was there
  const streamed = new Map<string, ManifestEntry>();
  /** Whether an object needs no writing any more. */
  const has = async (entry: ManifestEntry, o: { coded: boolean }): Promise<boolean> => {
    if (writer.has(entry.sha256) || drawn.has(entry.sha256)) return true;
    const pack = await held.wholePackOf(entry, o);
    if (pack !== null) drawn.set(entry.sha256, pack);
    return pack !== null;
  };
  /**
   * Draws on an object of an earlier release; false where it cannot be relied on. What that release wrote itself is read
   * again. What it drew on was read when it was published and by the release after that one: a night reads what the
   * night before wrote, however long the history is. `issuer release fsck` reads all, and the server proves what it serves.
   */
  const draw = async (release: string, entry: ManifestEntry): Promise<boolean> => {
    if (writer.has(entry.sha256) || drawn.has(entry.sha256)) return true;
    const pack = await held.packIn(release, entry);
    if (pack === null) return false;
    const isItsOwn = writtenFor(pack) >= releaseParts(release).sourceDate;
    if (isItsOwn && !(await held.isWhole(release, entry))) return false;
    drawn.set(entry.sha256, pack);
    return true;
  };
  return {
    async put(file) {
      const entry = putEntry(file, sourceDate);
      streamed.set(file.key, entry);
      const { sha256 } = entry;
      if ('bytes' in file) {
        if (await has(entry, { coded: false })) return;
        return writer.add({ sha256, bytes: file.bytes, gzip: null, zstd: null });
      }
      if (!(await draw(file.held.release, entry)))
        throw new DamagedHeld(`${file.key} is missing or has another hash`);
    },
    streamed: () => [...streamed.values()],
    async add(artifact, entry) {
      const coded = 'bytes' in artifact && artifact.coded;
      const release = 'standing' in artifact ? held.holderOf(entry) : null;
      if (release === null ? await has(entry, { coded }) : await draw(release, entry)) return;
      const bytes = await artifactBytes(artifact);
      await writer.add({
        sha256: entry.sha256,
        bytes: [bytes],
        gzip: coded ? openGzipBody(bytes) : null,
        zstd: coded ? openZstdBody(bytes) : null,
      });
    },
    packs(entries, { own }) {
      const packs = own ? [writer.name] : [];
      const elsewhere = new Map<string, number>();
      for (const { sha256 } of entries) {
        const pack = drawn.get(sha256);
        if (pack === undefined) continue;
        if (!packs.includes(pack)) packs.push(pack);
        const position = packs.indexOf(pack);
        if (position > 0) elsewhere.set(sha256, position);
      }
      return { schema_id: 'release_packs.v1', packs, drawn: Object.fromEntries(elsewhere) };
    },
  };
}

/** Manifest entries in key order (I9.16). */
export function manifestEntries({
  artifacts,
  sourceDate,
}: {
  readonly artifacts: readonly ReleaseArtifact[];
  readonly sourceDate: string;
}): ManifestEntry[] {
  return artifacts
    .map((artifact) => manifestEntry(artifact, sourceDate))
    .sort((a, b) => compareText(a.key, b.key));
}

function manifestEntry(artifact: ReleaseArtifact, sourceDate: string): ManifestEntry {
  if ('standing' in artifact) return entryOf(artifact, { ...artifact.standing, sourceDate });
  const { bytes } = artifact;
  return entryOf(artifact, { sha256: sha256Hex(bytes), bytes: bytes.length, sourceDate });
}

function putEntry(file: NewFile | HeldFile, sourceDate: string): ManifestEntry {
  if ('held' in file) return entryOf(file, { ...file.held, sourceDate });
  const bytes = file.bytes.reduce((sum, part) => sum + part.length, 0);
  return entryOf(file, { sha256: file.sha256 ?? hashOf(file.bytes), bytes, sourceDate });
}

function entryOf(
  { key, mediaType }: { readonly key: string; readonly mediaType: MediaType },
  { sha256, bytes, sourceDate }: { sha256: string; bytes: number; sourceDate: string },
): ManifestEntry {
  return {
    key,
    version: artifactVersion(sourceDate, sha256),
    sha256,
    bytes,
    media_type: mediaType,
    source_date: sourceDate,
  };
}

/** The date of the publication that a pack was written for, also where prune wrote it again. */
function writtenFor(pack: string): string {
  return pack.slice(0, 10);
}

function hashOf(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
