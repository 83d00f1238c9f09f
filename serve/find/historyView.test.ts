import { truncateSync } from 'node:fs';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSegmentIndex } from '../../data/contract/history/segmentIndex.ts';
import { sampleHistory } from '../../fixtures/rigs/sampleHistory.ts';
import { type Rig, sampleIssuers, serveRig } from '../../fixtures/rigs/serveRig.ts';
import {
  artifactText,
  damageArtifact,
  drawOn,
  placeOf,
  type StoredArtifact,
} from '../../fixtures/rigs/storedArtifacts.ts';

const dates = ['2024-12-31', '2026-02-03', '2026-02-04', '2026-02-06', '2026-02-07'];
const datesOf: Readonly<Record<string, readonly string[]>> = {
  MSTR: dates,
  MARA: dates.slice(2),
  UPXI: ['2024-12-31', '2026-02-04', '2026-02-06'],
};

let rig: Rig;
let key: string;

beforeAll(async () => {
  rig = await serveRig();
  const release = rig.release({
    sourceDate: '2026-02-07',
    more: sampleHistory({
      sourceDate: '2026-02-07',
      issuers: sampleIssuers.flatMap((issuer) => {
        const known = datesOf[issuer.ticker ?? ''];
        return known === undefined ? [] : [{ issuer, dates: known }];
      }),
    }),
  });
  rig.promote(release, { '2026-02-07': release });
  key = await rig.key();
});
beforeEach(() => {
  rig.notes.length = 0;
});
afterAll(() => rig.close());

const ask = (path: string, headers: Record<string, string> = {}) =>
  rig.ask(path, { headers: { 'x-api-key': key, ...headers } });
/** Where an issuer's rows lie in a segment. */
const shareOf = async (segment: StoredArtifact, cik: string) => {
  const key = segment.key.replace('.ndjson', '.index.json');
  const { shares } = segmentOf(JSON.parse(await artifactText({ ...segment, key })));
  const { start = 0, end = 0 } = shares.get(cik) ?? {};
  return { start, end };
};
const segmentOf = (json: unknown) => {
  const found = readSegmentIndex(json);
  if ('fault' in found) throw new Error(found.fault);
  return found.value;
};

describe('a view of history', () => {
  const path = '/v1/core-history/MSTR?limit=3';

  it('has headers without body on HEAD and a 304 for its tag (I4.5, I4.19)', async () => {
    const full = await ask(path);
    const head = await rig.ask(path, { method: 'HEAD', headers: { 'x-api-key': key } });
    expect(head.bytes).toHaveLength(0);
    const etag = full.headers.get('etag') ?? '';
    expect(head.headers.get('etag')).toBe(etag);
    const again = await ask(path, { 'if-none-match': etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const other = await ask('/v1/core-history/MSTR?limit=2', { 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  it('is the same in every coding', async () => {
    const lengthOf = async (coding: string, decode: (bytes: Buffer) => Buffer) => {
      const answer = await ask(path, { 'accept-encoding': coding });
      expect(answer.headers.get('content-encoding')).toBe(coding);
      const json = JSON.parse(decode(answer.bytes).toString()) as Record<string, unknown>;
      return (json['response_metadata'] as Record<string, unknown>)['payload_sha256'];
    };
    const plain = (await ask(path)).json()['response_metadata'] as Record<string, unknown>;
    expect(await lengthOf('gzip', gunzipSync)).toBe(plain['payload_sha256']);
    expect(await lengthOf('zstd', zstdDecompressSync)).toBe(plain['payload_sha256']);
  });

  it('asks for its price before anybody pays', async () => {
    for (const [asked, price] of [
      [path, '0.150000'],
      ['/v1/core7/calculation-history?ticker=MSTR', '0.200000'],
    ] as const) {
      const answer = await rig.ask(asked);
      expect([answer.status, answer.headers.get('x-quoted-cost-usd')]).toEqual([402, price]);
    }
  });

  it.each([
    [
      'with a flipped byte',
      (held: StoredArtifact, at: number) => damageArtifact(held, { at }),
      'the hash of a range is not the one in its index',
    ],
    [
      'whose pack is cut short',
      (held: StoredArtifact, at: number) => {
        const { path, object } = placeOf(held);
        truncateSync(path, object.offset + at);
      },
      'pack 2026-02-06.1 is cut short',
    ],
  ])(
    'of a month that an earlier pack holds, %s: 503 to whom it hits, others go on (I4.9)',
    async (_, damage, why) => {
      const other = await serveRig();
      try {
        const issuers = sampleIssuers.filter(({ ticker }) => ticker === 'MSTR' || ticker === 'MARA');
        const [, second = ''] = ['2026-02-06', '2026-02-07'].map((sourceDate) => {
          const known = issuers.map((issuer) => ({
            issuer,
            dates: ['2026-01-30', '2026-01-31', sourceDate],
          }));
          return other.release({ sourceDate, more: sampleHistory({ sourceDate, issuers: known }) });
        });
        other.promote(second, { '2026-02-07': second });
        const held = { root: other.artifacts, release: second, key: 'core-history/2026-01.ndjson' };
        const { start } = await shareOf(held, '0001507605');
        drawOn(other.artifacts, { release: second, from: '2026-02-06.1', key: held.key });
        damage(held, start + 20);
        const headers = { 'x-api-key': await other.key() };
        const answer = await other.ask('/v1/core-history/MARA', { headers });
        expect([answer.status, answer.json()['code']]).toEqual([503, 'artifact_unavailable']);
        expect(other.notes).toEqual([]);
        expect((await other.ask('/v1/core-history/MSTR', { headers })).status).toBe(200);
        expect((await other.ask('/v1/covenant-stress/MARA', { headers })).status).toBe(200);
        const ready = await other.ask('/ready');
        expect([ready.status, ready.json()['checks']]).toMatchObject([
          200,
          {
            artifact_store: { status: 'degraded', detail: `Artifact ${held.key} cannot be served: ${why}.` },
          },
        ]);
      } finally {
        other.close();
      }
    },
  );

  it('is 503 when a segment was tampered with, and nothing is charged (I4.9)', async () => {
    const other = await serveRig();
    try {
      const issuers = sampleIssuers.slice(0, 2);
      const release = other.release({
        sourceDate: '2026-02-07',
        more: sampleHistory({
          sourceDate: '2026-02-07',
          issuers: issuers.map((issuer) => ({ issuer, dates: ['2026-02-07'] })),
        }),
      });
      other.promote(release, { '2026-02-07': release });
      const target = { root: other.artifacts, release, key: 'calc-history/2026-02-07.ndjson' };
      const { start } = await shareOf(target, '0001507605');
      damageArtifact(target, { at: start + 20 });
      const answer = await other.ask('/v1/core7/calculation-history?ticker=MARA', {
        headers: { 'x-api-key': await other.key() },
      });
      expect([answer.status, answer.json()['code']]).toEqual([503, 'artifact_unavailable']);
      expect(other.notes).toEqual([]);
      damageArtifact(target, { at: start + 20 });
      const repaired = await other.ask('/v1/core7/calculation-history?ticker=MARA', {
        headers: { 'x-api-key': await other.key() },
      });
      expect(repaired.status).toBe(200);
    } finally {
      other.close();
    }
  });
});
