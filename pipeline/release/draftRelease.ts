import { createHash } from 'node:crypto';
import type { ManifestEntry } from '../../contract/release/releaseFiles.ts';
import type { ReleasePacks } from '../../contract/store/storeFiles.ts';
import { compareText } from '../../contract/values/compareText.ts';
import { type Artifact, artifactVersion, type MediaType, sha256Hex } from './artifact.ts';
import type { HeldObjects } from './heldObjects.ts';
import { openGzipBody, openZstdBody } from './openBodies.ts';
import type { PackWriter } from './packWriter.ts';

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

/**
 * What was written so long before the date of a release is drawn on unread: with it a night would cost as much as the
 * history is long. `issuer release fsck` reads it, and the server proves it before it is served.
 */
const readAgainMs = 31 * 86_400_000;

/** A release whose objects are being written or drawn on. */
export type ReleaseDraft = {
  readonly put: PutFile;
  /** Entries of what was put, of each key the last. */
  streamed(): ManifestEntry[];
  /** Writes an artifact held in memory with its codings. */
  add(artifact: Artifact, entry: ManifestEntry): Promise<void>;
  /** Where the objects of the entries lie; `own` says whether the release's own pack was written. */
  packs(entries: readonly ManifestEntry[], o: { readonly own: boolean }): ReleasePacks;
};

/** @param o.writer the pack of the publication, which several releases may share */
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
  return {
    async put(file) {
      const entry = entryOf(file, sourceDate);
      streamed.set(file.key, entry);
      const { sha256 } = entry;
      if ('bytes' in file) {
        if (await has(entry, { coded: false })) return;
        return writer.add({ sha256, bytes: file.bytes, gzip: null, zstd: null });
      }
      if (writer.has(sha256) || drawn.has(sha256)) return;
      const pack = await held.packIn(file.held.release, entry);
      const written = Date.parse(pack?.slice(0, 10) ?? '');
      const isOld = Date.parse(sourceDate) - written > readAgainMs;
      if (pack === null || !(isOld || (await held.isWhole(file.held.release, entry))))
        throw new DamagedHeld(`${file.key} is missing or has another hash`);
      drawn.set(sha256, pack);
    },
    streamed: () => [...streamed.values()],
    async add({ bytes, coded }, entry) {
      if (await has(entry, { coded })) return;
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
  readonly artifacts: readonly Artifact[];
  readonly sourceDate: string;
}): ManifestEntry[] {
  return artifacts
    .map(({ key, mediaType, bytes }) =>
      entryOf({ key, mediaType, bytes: [bytes], sha256: sha256Hex(bytes) }, sourceDate),
    )
    .sort((a, b) => compareText(a.key, b.key));
}

function entryOf(file: NewFile | HeldFile, sourceDate: string): ManifestEntry {
  const { sha256, bytes } =
    'held' in file
      ? file.held
      : {
          sha256: file.sha256 ?? hashOf(file.bytes),
          bytes: file.bytes.reduce((sum, part) => sum + part.length, 0),
        };
  return {
    key: file.key,
    version: artifactVersion(sourceDate, sha256),
    sha256,
    bytes,
    media_type: file.mediaType,
    source_date: sourceDate,
  };
}

function hashOf(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
