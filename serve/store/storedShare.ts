import type { ManifestEntry } from '../../data/contract/release/releaseFiles.ts';
import type { ObjectRange, ObjectReader } from '../../data/store/objectReader.ts';
import { unavailable, unservable } from './artifactFaults.ts';
import type { ShareProof } from './artifactStore.ts';

/** What is cached of a share that was proved. */
export type CachedShare = {
  readonly kind: 'share';
  readonly lineEnds: Uint32Array;
  /** Its bytes; null where it is too long to be cached for the few rows that are asked of it. */
  readonly held: Buffer | null;
};

const heldBytes = 64 * 1024;

/**
 * Reads a range of an artifact and checks its hash. It is not checked again while this is cached: what a pack holds is
 * never written to (STORE ST2).
 */
export async function loadShare(
  objects: ObjectReader,
  entry: ManifestEntry,
  proof: ShareProof,
): Promise<{ value: CachedShare; bytes: number }> {
  const bytes = await readRange(objects, entry, proof);
  const lineEnds = endsOfLines(bytes, proof.lines);
  if (lineEnds === null) throw unavailable(entry.key, 'its rows do not fit its index');
  const held = bytes.length <= heldBytes ? bytes : null;
  return { value: { kind: 'share', lineEnds, held }, bytes: lineEnds.byteLength + (held?.length ?? 0) };
}

/** Where each line ends, and with the last of them the bytes; null where these are not so many lines. */
function endsOfLines(bytes: Buffer, lines: number): Uint32Array | null {
  const ends = new Uint32Array(lines);
  let end = 0;
  for (let line = 0; line < lines; line += 1) {
    end = bytes.indexOf(10, end) + 1;
    if (end === 0) return null;
    ends[line] = end;
  }
  return end === bytes.length ? ends : null;
}

/** A range of an artifact, proved where its hash is known. @throws IssuerError `artifact_unavailable` */
export async function readRange(
  objects: ObjectReader,
  entry: ManifestEntry,
  range: ObjectRange,
): Promise<Buffer> {
  try {
    return await objects.range(entry, range);
  } catch (cause) {
    throw unservable(entry.key, cause);
  }
}
