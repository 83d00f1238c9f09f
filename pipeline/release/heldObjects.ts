import type { ObjectName, ObjectReader } from '../../data/store/objectReader.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import { releaseObjects, storePacks } from './openRelease.ts';
import { listReleaseNames, readManifest, releaseParts, standingCurrent } from './releaseStore.ts';

/** Objects that releases hold already: a new release draws on them instead of writing them again. */
export type HeldObjects = {
  /** The release that has an object, of the current one and the builds of the date; null when neither has. */
  holderOf(object: ObjectName): string | null;
  /** The pack in which a release has an object; null when it has none of it. */
  packIn(release: string, object: ObjectName): Promise<string | null>;
  /** Whether the bytes of an object that a release has are what they should be. */
  isWhole(release: string, object: ObjectName): Promise<boolean>;
  /**
   * The pack of an object that the current release or a build of the date holds, whose bytes were read and are whole,
   * with their codings where there should be some; null when there is none.
   */
  wholePackOf(object: ObjectName, o: { readonly coded: boolean }): Promise<string | null>;
};

/**
 * What the current release and the builds of a date hold. Equal bytes are nearly always in one of these; the index of
 * every pack of five years would take longer to read than they take to write (STORE ST2).
 */
export async function heldObjects(
  paths: ReleasePaths,
  { sourceDate }: { sourceDate: string },
): Promise<HeldObjects> {
  const current = await standingCurrent(paths);
  const builds = (await listReleaseNames(paths)).filter(
    (name) => releaseParts(name).sourceDate === sourceDate,
  );
  const library = storePacks(paths);
  const readers = new Map<string, Promise<ObjectReader | null>>();
  const readerOf = (name: string): Promise<ObjectReader | null> => {
    // nothing is read from a damaged build
    const reader = readers.get(name) ?? releaseObjects({ paths, name, library }).catch(() => null);
    readers.set(name, reader);
    return reader;
  };
  const holders = new Map<string, { readonly release: string; readonly reader: ObjectReader }>();
  for (const name of new Set([...(current === null ? [] : [current]), ...builds.reverse()])) {
    const reader = await readerOf(name);
    const entries = await readManifest(paths, name).then(
      ({ manifest }) => manifest.artifacts,
      () => [],
    );
    if (reader === null) continue;
    for (const { sha256 } of entries)
      if (!holders.has(sha256)) holders.set(sha256, { release: name, reader });
  }
  return {
    holderOf: ({ sha256 }) => holders.get(sha256)?.release ?? null,
    packIn: async (release, object) => packOf(await readerOf(release), object),
    isWhole: async (release, object) => isWhole(await readerOf(release), object, { coded: false }),
    async wholePackOf(object, o) {
      const reader = holders.get(object.sha256)?.reader ?? null;
      // what is damaged is written again
      return (await isWhole(reader, object, o)) ? packOf(reader, object) : null;
    },
  };
}

async function packOf(reader: ObjectReader | null, object: ObjectName): Promise<string | null> {
  const place = await reader?.place(object).catch(() => null);
  return place?.pack ?? null;
}

async function isWhole(
  reader: ObjectReader | null,
  object: ObjectName,
  { coded }: { readonly coded: boolean },
): Promise<boolean> {
  if (reader === null) return false;
  try {
    if (!coded) {
      await reader.prove(object);
      return true;
    }
    const { gzip, zstd } = await reader.read(object);
    return gzip !== null && zstd !== null;
  } catch {
    return false;
  }
}
