import { open } from 'node:fs/promises';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import type { ManifestEntry } from '../../contract/release/releaseFiles.ts';
import { sha256Hex } from '../body/openBodies.ts';
import type { ShareProof } from './artifactStore.ts';
import { unavailable, unreadable } from './unavailable.ts';

/** What is kept of a share that was proved. */
export type CachedShare = {
  readonly kind: 'share';
  readonly lineEnds: Uint32Array;
  /** Its bytes; null where it is too long to be kept for the few rows that are asked of it. */
  readonly held: Buffer | null;
};

const heldBytes = 64 * 1024;

/**
 * Reads a range of a file and checks its hash. It is not checked again while this is kept: what a promoted release
 * lists is never written to (I3.24).
 */
export async function loadShare(
  path: string,
  entry: ManifestEntry,
  proof: ShareProof,
): Promise<{ value: CachedShare; bytes: number }> {
  const bytes = await readRange(path, entry, proof);
  if (sha256Hex(bytes) !== proof.sha256)
    throw unavailable(entry.key, 'the hash of a range is not the one in its index');
  const lineEnds = Uint32Array.from(endsOfLines(bytes));
  if (lineEnds.length !== proof.lines || lineEnds.at(-1) !== bytes.length)
    throw unavailable(entry.key, 'its rows do not fit its index');
  const held = bytes.length <= heldBytes ? bytes : null;
  return { value: { kind: 'share', lineEnds, held }, bytes: lineEnds.byteLength + (held?.length ?? 0) };
}

function* endsOfLines(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) yield at + 1;
}

/** Bytes of a file from `start` to before `end`. @throws IssuerError `artifact_unavailable` */
export async function readRange(
  path: string,
  entry: ManifestEntry,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Buffer> {
  if (start < 0 || end < start || end > entry.bytes) throw unavailable(entry.key, 'a row lies outside of it');
  const bytes = Buffer.alloc(end - start);
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      if (bytesRead !== bytes.length) throw unavailable(entry.key, 'it ends early');
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof IssuerError) throw cause;
    throw unreadable(entry.key, cause);
  }
  return bytes;
}
