import type { ManifestEntry } from '../../contract/release/releaseFiles.ts';
import type { ObjectRange, ObjectReader } from '../../contract/store/objectReader.ts';
import type { ShareProof } from './artifactStore.ts';
import { unavailable, unservable } from './unavailable.ts';

/** What is kept of a share that was proved. */
export type CachedShare = {
  readonly kind: 'share';
  readonly lineEnds: Uint32Array;
  /** Its bytes; null where it is too long to be kept for the few rows that are asked of it. */
  readonly held: Buffer | null;
};

const heldBytes = 64 * 1024;

/**
 * Reads a range of an artifact and checks its hash. It is not checked again while this is kept: what a pack holds is
 * never written to (STORE ST2).
 */
export async function loadShare(
  objects: ObjectReader,
  entry: ManifestEntry,
  proof: ShareProof,
): Promise<{ value: CachedShare; bytes: number }> {
  const bytes = await readRange(objects, entry, proof);
  const lineEnds = Uint32Array.from(endsOfLines(bytes));
  if (lineEnds.length !== proof.lines || lineEnds.at(-1) !== bytes.length)
    throw unavailable(entry.key, 'its rows do not fit its index');
  const held = bytes.length <= heldBytes ? bytes : null;
  return { value: { kind: 'share', lineEnds, held }, bytes: lineEnds.byteLength + (held?.length ?? 0) };
}

function* endsOfLines(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) yield at + 1;
}

/** A range of an artifact, proved where its hash is given. @throws IssuerError `artifact_unavailable` */
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
