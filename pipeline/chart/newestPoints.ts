import type { z } from 'zod';
import { indexKeyOf } from '../../data/contract/history/indexKeyOf.ts';
import { readSegmentIndex } from '../../data/contract/history/segmentIndex.ts';
import { readSegmentList } from '../../data/contract/history/segmentList.ts';
import type { OpenRelease } from '../release/openRelease.ts';

/**
 * The newest points of a subject, oldest first, out of the segments that a release lists (STORE ST8).
 *
 * @param listKey of the history's list; a release without it has no point
 * @throws RangeError when a list or an index is none, or a segment is missing
 */
export async function newestPoints<Point>(
  release: OpenRelease,
  { listKey, subject, row, most }: { listKey: string; subject: string; row: z.ZodType<Point>; most: number },
): Promise<Point[]> {
  const list = await release.read(listKey);
  const segments = list === null ? [] : sound(readSegmentList(JSON.parse(list.toString('utf8')))).segments;
  const lines: string[] = [];
  for (const { key } of segments.toReversed()) {
    if (lines.length >= most) break;
    const [body, index] = await Promise.all([release.read(key), release.read(indexKeyOf(key))]);
    if (body === null || index === null) throw new RangeError(`${key} is listed and is not stored whole`);
    const share = sound(readSegmentIndex(JSON.parse(index.toString('utf8')))).shares.get(subject);
    if (share === undefined) continue;
    const text = body.subarray(share.start, share.end).toString('utf8');
    lines.unshift(...text.split('\n').filter((line) => line !== ''));
  }
  return lines.slice(-most).map((line) => row.parse(JSON.parse(line)));
}

function sound<T>(found: { readonly value: T } | { readonly fault: string }): T {
  if ('fault' in found) throw new RangeError(`a stored field map cannot be read: ${found.fault}`);
  return found.value;
}
