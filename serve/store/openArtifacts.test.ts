import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodePackIndex, encodePackIndex } from '../../data/store/packIndex.ts';
import { sampleKey, writeSampleRelease } from '../../fixtures/rigs/serveRelease.ts';
import { type Rig, sampleIssuers, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { damageArtifact, placeOf } from '../../fixtures/rigs/storedArtifacts.ts';
import type { Artifact } from '../../pipeline/release/artifact.ts';
import { directoryStore, openArtifacts } from './openArtifacts.ts';

let rig: Rig;
let key: string;

beforeEach(async () => {
  rig = await serveRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  key = await rig.key();
});
afterEach(() => rig.close());

const file = (name: string) => join(rig.artifacts, 'releases/2026-02-07.1', name);
const pack = (suffix: 'pack' | 'idx') => join(rig.artifacts, `packs/2026-02-07.1.${suffix}`);
const strategy = () => ({
  root: rig.artifacts,
  release: '2026-02-07.1',
  key: 'covenant/2026-02-07/CIK0001050446.json',
});
/** Changes one byte of a file. */
const flip = (path: string, at: number) => {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
};
/** An index with a right checksum that puts the object somewhere else. */
const lyingIndex = () => {
  const decoded = decodePackIndex(readFileSync(pack('idx')));
  if (!('index' in decoded)) throw new Error(decoded.fault);
  const { packLength } = decoded.index;
  const sha256 = placeOf(strategy()).object.sha256;
  const objects = [...decoded.index.all()].map((object) =>
    object.sha256 === sha256 ? { ...object, offset: object.offset + 1 } : object,
  );
  writeFileSync(pack('idx'), encodePackIndex({ objects, packLength }));
};
const stress = () => rig.ask('/v1/covenant-stress/MSTR', { headers: { 'x-api-key': key } });

describe('the directory store', () => {
  it.each([
    ['one flipped byte', () => damageArtifact(strategy()), 'its hash is not the one in the manifest'],
    [
      'its pack cut short',
      () => truncateSync(pack('pack'), placeOf(strategy()).object.offset + 10),
      'pack 2026-02-07.1 is cut short',
    ],
    ['its pack missing', () => rmSync(pack('pack')), 'pack 2026-02-07.1 is missing'],
    [
      'its index cut short',
      () => truncateSync(pack('idx'), 100),
      'the index of pack 2026-02-07.1 is damaged: it is cut short',
    ],
    [
      'a flipped byte in its index',
      () => flip(pack('idx'), 60),
      'the index of pack 2026-02-07.1 is damaged: its checksum is wrong',
    ],
    ['its index missing', () => rmSync(pack('idx')), 'pack 2026-02-07.1 is missing'],
    ['an index that lies', lyingIndex, 'its hash is not the one in the manifest'],
  ])(
    'does not serve an artifact with %s, nor write a receipt for it (A7.6, I9.17)',
    async (_, damage, why) => {
      damage();
      const answer = await stress();
      expect(answer.status).toBe(503);
      expect(answer.json()).toMatchObject({
        code: 'artifact_unavailable',
        // where the whole pack is hit, the list of issuers is the first that is asked for
        artifact_key: expect.stringMatching(/^covenant\/2026-02-07\/CIK0001050446|^companies\//),
      });
      expect(rig.notes).toEqual([]);
      const { checks } = (await rig.ask('/ready')).json() as { checks: Record<string, { detail: string }> };
      expect(checks['artifact_store']?.detail).toContain(why);
    },
  );

  it.each(['gzip', 'zstd'] as const)(
    'answers right over a damaged stored %s coding, coded anew',
    async (part) => {
      const headers = { 'x-api-key': key, 'accept-encoding': part };
      const sound = await rig.ask('/v1/covenant-stress/MSTR', { headers });
      const other = await serveRig();
      try {
        const release = other.release({ sourceDate: '2026-02-07' });
        damageArtifact({ ...strategy(), root: other.artifacts }, { part });
        other.promote(release, { '2026-02-07': release });
        const answer = await other.ask('/v1/covenant-stress/MSTR', {
          headers: { ...headers, 'x-api-key': await other.key() },
        });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-encoding')).toBe(part);
        expect(answer.headers.get('x-artifact-digest')).toBe(sound.headers.get('x-artifact-digest'));
        const decode = part === 'gzip' ? gunzipSync : zstdDecompressSync;
        const figures = [answer, sound].map(({ bytes }) => JSON.parse(decode(bytes).toString('utf8')));
        expect(figures[0].stress_50pct).toBe(figures[1].stress_50pct);
      } finally {
        other.close();
      }
    },
  );

  it('refuses a store of another layout, says what to do, and charges nothing (STORE ST13)', async () => {
    const layout = join(rig.artifacts, 'layout.json');
    const states = [
      ['has no layout.json; this program reads layout 2', () => rmSync(layout)],
      [
        'has layout 3; this program reads layout 2',
        () => writeFileSync(layout, '{"layout":3,"schema_id":"store_layout.v1"}'),
      ],
      ['layout.json of the artifact store is damaged', () => writeFileSync(layout, 'x')],
    ] as const;
    for (const [what, change] of states) {
      change();
      const answer = await stress();
      expect([answer.status, answer.json()['code']]).toEqual([503, 'artifact_unavailable']);
      expect(answer.json()['detail']).toContain(what);
      const ready = await rig.ask('/ready');
      expect(ready.status).toBe(503);
      const { checks } = ready.json() as { checks: Record<string, { detail: string }> };
      expect(checks['artifact_store']?.detail).toContain(what);
      expect(checks['artifact_store']?.detail).toContain('`issuer backfill` makes past dates again');
    }
    expect(rig.notes).toEqual([]);
    writeFileSync(layout, '{"layout":2,"schema_id":"store_layout.v1"}');
    expect((await stress()).status).toBe(200);
  });

  it('answers again once a damaged pack was put back under its name, without a restart', async () => {
    const sound = readFileSync(pack('pack'));
    damageArtifact(strategy());
    expect((await stress()).status).toBe(503);
    // another file under the same name: the open one is still the damaged
    writeFileSync(`${pack('pack')}.restored`, sound);
    renameSync(`${pack('pack')}.restored`, pack('pack'));
    expect((await stress()).status).toBe(200);
  });

  it('keeps hot what a new release shares: its pack may be gone', async () => {
    expect((await rig.ask('/v1/covenant-stress?limit=1', { headers: { 'x-api-key': key } })).status).toBe(
      200,
    );
    expect((await stress()).status).toBe(200);
    const next = rig.release({ sourceDate: '2026-02-07', build: 2 });
    rig.promote(next, { '2026-02-07': next });
    for (const suffix of ['pack', 'idx']) rmSync(join(rig.artifacts, `packs/${next}.${suffix}`));
    const answer = await stress();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-artifact-version')).not.toBeNull();
  });

  it('finds an object where prune has put it meanwhile', async () => {
    // the release is open, and of its objects none was read
    expect((await rig.ask('/ready')).status).toBe(200);
    for (const suffix of ['pack', 'idx'] as const)
      renameSync(pack(suffix), join(rig.artifacts, `packs/2026-02-07.1-c1.${suffix}`));
    writeFileSync(
      file('packs.json'),
      '{"drawn":{},"packs":["2026-02-07.1-c1"],"schema_id":"release_packs.v1"}',
    );
    expect((await stress()).status).toBe(200);
    expect(existsSync(pack('pack'))).toBe(false);
  });

  it('says in /ready and once in the log that a file has the wrong hash, until it is repaired (I4.F10.1)', async () => {
    const storeCheck = async () => {
      const answer = await rig.ask('/ready');
      const { ready, checks } = answer.json() as { ready: boolean; checks: Record<string, unknown> };
      return { status: answer.status, ready, store: checks['artifact_store'] };
    };
    const fine = { status: 200, ready: true, store: { status: 'ok', detail: null } };
    expect(await storeCheck()).toEqual(fine);
    damageArtifact(strategy());
    await stress();
    await stress();
    expect(await storeCheck()).toEqual({
      status: 200,
      ready: true,
      store: {
        status: 'degraded',
        detail:
          'Artifact covenant/2026-02-07/CIK0001050446.json cannot be served: its hash is not the one in the manifest.',
      },
    });
    const alerts = () => rig.logLines.filter((line) => line.includes('"artifact_fault"'));
    expect(alerts()).toHaveLength(1);
    expect(alerts()[0]).toContain('"artifact_key":"covenant/2026-02-07/CIK0001050446.json"');
    // other answers go on
    expect((await rig.ask('/v1/covenant-stress/MARA', { headers: { 'x-api-key': key } })).status).toBe(200);
    damageArtifact(strategy());
    expect((await storeCheck()).store).toMatchObject({ status: 'degraded' });
    // nobody asks for the file again: half a minute later it is looked at all the same
    rig.clock.nowMs += 30_000;
    expect(await storeCheck()).toEqual(fine);
    expect((await stress()).status).toBe(200);
  });

  it.each([
    ['is signed by nobody', (text: string) => text.replace(/"value":"..../, '"value":"AAAA')],
    ['lists another hash', (text: string) => text.replace(/"sha256":"./, '"sha256":"0')],
    [
      'belongs to another release',
      (text: string) => text.replace('"version":"2026-02-07.1"', '"version":"2026-02-07.2"'),
    ],
    ['is cut off', (text: string) => text.slice(0, 200)],
  ])('trusts no manifest that %s (I9.16)', async (_, change) => {
    const before = readFileSync(file('manifest.json'), 'utf8');
    // a hash that already began with 0 would leave the text unchanged
    const after = change(before) === before ? before.replace(/"sha256":"./, '"sha256":"1') : change(before);
    writeFileSync(file('manifest.json'), after);
    expect((await stress()).json()).toMatchObject({
      code: 'artifact_unavailable',
      artifact_key: 'releases/2026-02-07.1/manifest.json',
    });
    const ready = await rig.ask('/ready');
    expect(ready.status).toBe(503);
    expect((ready.json()['checks'] as { manifest: { status: string } }).manifest.status).toBe('failing');
  });

  it('refuses what does not fit the rows of a list, even when it is signed', async () => {
    const root = rig.artifacts;
    const more: Artifact = {
      key: 'covenant-slice/2026-02-08.about.json',
      mediaType: 'application/json',
      bytes: Buffer.from('{"meta":{},"rows":[{"unranked_reason":null}],"schema_id":"list_about.v1"}'),
      coded: false,
    };
    const release = writeSampleRelease(
      { root, sourceDate: '2026-02-08', issuers: sampleIssuers, more: [more] },
      sampleKey(),
    );
    rig.promote(release, { '2026-02-08': release });
    expect((await rig.ask('/v1/covenant-stress')).json()['code']).toBe('artifact_unavailable');
  });

  it('answers from a new release after its promotion, and lets running answers finish on the old one (I3.19)', async () => {
    const old = await rig.deps.store.snapshot();
    const next = rig.release({ sourceDate: '2026-02-08' });
    const before = await stress();
    rig.promote(next, { '2026-02-07': '2026-02-07.1', '2026-02-08': next });
    const after = await stress();
    expect([before, after].map((answer) => answer.json()['source_date'])).toEqual([
      '2026-02-07',
      '2026-02-08',
    ]);
    expect((await old.current())?.name).toBe('2026-02-07.1');
    expect((await old.ofDate('2026-02-08')) === null).toBe(true);
  });

  it('never mixes two releases while promotions run under load (A3.10)', async () => {
    const next = rig.release({ sourceDate: '2026-02-08' });
    const dates = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const current = round % 2 === 0 ? next : '2026-02-07.1';
      rig.promote(current, { '2026-02-07': '2026-02-07.1', '2026-02-08': next });
      const answers = await Promise.all(Array.from({ length: 8 }, stress));
      for (const answer of answers) {
        const json = answer.json();
        const metadata = json['response_metadata'] as Record<string, string>;
        dates.add(String(json['source_date']));
        expect(metadata['source_date']).toBe(json['source_date']);
        expect(answer.headers.get('x-source-date')).toBe(json['source_date']);
        expect(metadata['artifact_key']).toContain(String(json['source_date']));
      }
    }
    expect([...dates].sort()).toEqual(['2026-02-07', '2026-02-08']);
  });

  it('serves no release that another key has signed, and says whose it is; a published key is enough (I9.16a)', async () => {
    const strange = sampleKey();
    const foreign = writeSampleRelease(
      { root: rig.artifacts, sourceDate: '2026-02-08', issuers: sampleIssuers },
      strange,
    );
    const keys = join(rig.artifacts, '../keys');
    const [published = ''] = readdirSync(keys).filter((name) => name !== 'release-ed25519.pub');
    const keyId = published.split('.')[1];
    const half = readFileSync(join(keys, published));
    rmSync(join(keys, published));
    rig.promote(foreign, { '2026-02-07': '2026-02-07.1', '2026-02-08': foreign });
    const ready = await rig.ask('/ready');
    expect(ready.status).toBe(503);
    expect(ready.json()).toMatchObject({
      ready: false,
      checks: {
        manifest: {
          status: 'failing',
          detail: `Artifact releases/2026-02-08.1/manifest.json cannot be served: it is signed by ${keyId}, which is no published key of this deployment (data/keys/release-ed25519*.pub).`,
        },
      },
    });
    expect((await stress()).status).toBe(503);
    expect(rig.notes).toEqual([]);
    writeFileSync(join(keys, published), half);
    expect((await rig.ask('/ready')).status).toBe(200);
    expect((await stress()).status).toBe(200);
    // the old release is still good: both keys are published
    expect(
      (await rig.ask('/v1/covenant-stress/MSTR?source_date=2026-02-07', { headers: { 'x-api-key': key } }))
        .status,
    ).toBe(200);
  });

  it('is open after the start: what answers first reads no manifest, and a damaged one ends no start', async () => {
    const faults: string[] = [];
    const opened = () =>
      openArtifacts({
        config: { kind: 'directory', root: rig.artifacts },
        cacheBytes: 1e6,
        recheckMs: 60_000,
        time: { nowMs: () => 0, after: () => () => {} },
        trusts: () => ({ published: true, keyId: 'any' }),
        seenPath: join(rig.artifacts, '../seen-promotion.json'),
        tell: () => {},
        onFault: ({ key: damaged }) => faults.push(damaged),
      });
    const started = opened();
    await started.start();
    rmSync(file('manifest.json'));
    expect((await (await started.store.snapshot()).current())?.name).toBe('2026-02-07.1');
    const damaged = opened();
    await damaged.start();
    const { current } = await damaged.store.snapshot();
    await expect(current()).rejects.toMatchObject({ code: 'artifact_unavailable' });
    expect(faults).toEqual([]);
  });

  it('looks at the pointers again only after its interval', async () => {
    let nowMs = 0;
    const store = directoryStore({
      root: rig.artifacts,
      cacheBytes: 1e6,
      recheckMs: 200,
      nowMs: () => nowMs,
      trusts: () => ({ published: true, keyId: 'any' }),
    });
    expect((await store.snapshot()).currentName).toBe('2026-02-07.1');
    const next = rig.release({ sourceDate: '2026-02-08' });
    rig.promote(next, { '2026-02-08': next });
    nowMs = 199;
    expect((await store.snapshot()).currentName).toBe('2026-02-07.1');
    nowMs = 200;
    expect((await store.snapshot()).currentName).toBe('2026-02-08.1');
  });

  it.each([
    ['current', '../../etc/passwd\n'],
    ['slices.json', '{"2026-02-07":"../x"}'],
    ['slices.json', 'not json'],
  ])('says so when the pointer %s holds %j', async (name, text) => {
    writeFileSync(join(rig.artifacts, name), text);
    expect((await stress()).json()).toMatchObject({ code: 'artifact_unavailable', artifact_key: name });
  });
});
