import { indexKeyOf } from '../../data/contract/history/indexKeyOf.ts';
import { readSegmentIndex, type SegmentShare } from '../../data/contract/history/segmentIndex.ts';
import { readSegmentList } from '../../data/contract/history/segmentList.ts';
import type { AnyHistory } from '../../data/contract/payloads/stored.ts';
import type { Artifact } from '../release/artifact.ts';

/** The rows of a history in a release that is being made: of one subject, the newest, oldest first. */
export type StoredRowsOf = (subject: string, o: { readonly most: number }) => readonly Buffer[];

/**
 * Opens a history whose rows have one form, from the artifacts that hold it.
 *
 * @returns null where they hold no list of it
 * @throws RangeError when a segment does not fit its index
 */
export function storedPoints(
  made: ReadonlyMap<string, Artifact>,
  { history, slice }: { history: AnyHistory; slice: string },
): StoredRowsOf | null {
  const list = made.get(history.listKey({ slice }));
  if (list === undefined) return null;
  const segments = read(readSegmentList, list).segments.map(({ key }) => ({
    bytes: bytesOf(artifactAt(made, key)),
    shares: read(readSegmentIndex, artifactAt(made, indexKeyOf(key))).shares,
  }));
  return (subject, { most }) => {
    const newest: Buffer[][] = [];
    let found = 0;
    for (const { bytes, shares } of segments.toReversed()) {
      const share = shares.get(subject);
      if (share === undefined || found >= most) continue;
      const rows = linesOf(bytes, share);
      newest.push(rows);
      found += rows.length;
    }
    return newest.reverse().flat().slice(-most);
  };
}

function artifactAt(made: ReadonlyMap<string, Artifact>, key: string): Artifact {
  const found = made.get(key);
  if (found === undefined) throw new RangeError(`${key} is listed and was not made`);
  return found;
}

function bytesOf({ bytes }: Artifact): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function read<T>(
  reader: (json: unknown) => { readonly value: T } | { readonly fault: string },
  artifact: Artifact,
): T {
  const found = reader(JSON.parse(bytesOf(artifact).toString('utf8')));
  if ('fault' in found) throw new RangeError(`${artifact.key}: ${found.fault}`);
  return found.value;
}

/** Rows without their line ends. */
function linesOf(bytes: Buffer, { start, end }: SegmentShare): Buffer[] {
  const rows: Buffer[] = [];
  for (let at = start; at < end; ) {
    const lineEnd = bytes.indexOf(0x0a, at);
    rows.push(bytes.subarray(at, lineEnd));
    at = lineEnd + 1;
  }
  return rows;
}
