import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ArtifactManifest } from '../../data/contract/release/releaseFiles.ts';
import type { ObjectRange, ObjectReader } from '../../data/store/objectReader.ts';
import { artifactFaults } from './artifactFaults.ts';
import { byteCache } from './byteCache.ts';
import { packedRelease } from './packedRelease.ts';

const line = `${'x'.repeat(9_999)}\n`;
const rows = Buffer.from(line.repeat(10));
const sha256 = createHash('sha256').update(rows).digest('hex');
const key = 'calc-history/2026-02.ndjson';

/** A release of one segment whose share is too long to be held, and the ranges that are read of it. */
function longShare(reproves: boolean) {
  const ranges: ObjectRange[] = [];
  const objects = {
    range: async (_: unknown, range: ObjectRange) => {
      ranges.push(range);
      return rows.subarray(range.start, range.end);
    },
  } as unknown as ObjectReader;
  const entry = { key, version: 'v', sha256, bytes: rows.length, media_type: 'x', source_date: null };
  const release = packedRelease({
    manifest: {
      version: '2026-02-07.1',
      signature: {},
      inputs: {},
      artifacts: [entry],
    } as unknown as ArtifactManifest,
    manifestBytes: Buffer.alloc(0),
    objects,
    cache: byteCache(1e6),
    loading: new Map(),
    faults: artifactFaults({ onFault: () => {}, nowMs: () => 0 }),
    reproves,
  });
  return { ranges, share: () => release.share(key, { start: 0, end: rows.length, sha256, lines: 10 }) };
}

describe('a share of a segment that is too long to be held', () => {
  it.each([
    ['is read by rows, once proved, where its bytes never change', false, { start: 10_000, end: 20_000 }],
    ['is proved whole each time where they come over a network', true, { start: 0, end: 100_000, sha256 }],
  ])('%s (STORE ST10, ST15)', async (_, reproves, read) => {
    const { ranges, share } = longShare(reproves);
    const found = await share();
    expect(String(await found?.read(10_000, 20_000))).toBe(line);
    expect(ranges).toEqual([
      expect.objectContaining({ start: 0, end: 100_000, sha256 }),
      expect.objectContaining(read),
    ]);
  });
});
