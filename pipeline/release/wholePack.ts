import { type ObjectReader, objectReader, type StoredObjectBytes } from '../../data/store/objectReader.ts';
import type { PackedObject } from '../../data/store/packIndex.ts';
import type { PackLibrary } from '../../data/store/packLibrary.ts';
import type { ReleasePacks } from '../../data/store/storeFiles.ts';

/** Reads a pack that was just written, all of it: only then may another be removed for it. */
export async function isWholePack(pack: string, library: PackLibrary): Promise<boolean> {
  library.forget(pack);
  const reader = packReader(pack, library);
  const index = await library.index(pack).catch(() => null);
  if (index === null) return false;
  for (const object of index.all()) if ((await readWholeObject(reader, object)) === null) return false;
  return true;
}

/** Reads objects of one pack, as if a release had nothing else. */
export function packReader(pack: string, library: PackLibrary): ObjectReader {
  const packs: ReleasePacks = { schema_id: 'release_packs.v1', packs: [pack], drawn: {} };
  return objectReader({ library, packs, again: async () => packs });
}

/** An object with every coding its index names; null when any of it is damaged. */
export async function readWholeObject(
  reader: ObjectReader,
  { sha256, length, gzip, zstd }: PackedObject,
): Promise<StoredObjectBytes | null> {
  try {
    const stored = await reader.read({ sha256, bytes: length });
    const lacks = (gzip !== null && stored.gzip === null) || (zstd !== null && stored.zstd === null);
    return lacks ? null : stored;
  } catch {
    return null;
  }
}
