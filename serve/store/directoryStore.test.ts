import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleKey, writeSampleRelease } from '../../fixtures/rigs/serveRelease.ts';
import { type Rig, sampleIssuers, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { directoryStore } from './directoryStore.ts';

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
const stress = () => rig.ask('/v1/covenant-stress/MSTR', { headers: { 'x-api-key': key } });

describe('the directory store', () => {
  it.each([
    ['another length', () => truncateSync(file('covenant/2026-02-07/CIK0001050446.json'), 10)],
    [
      'one flipped byte',
      () => {
        const path = file('covenant/2026-02-07/CIK0001050446.json');
        const bytes = readFileSync(path);
        bytes[20] = (bytes[20] ?? 0) ^ 1;
        writeFileSync(path, bytes);
      },
    ],
    ['a missing file', () => rmSync(file('covenant/2026-02-07/CIK0001050446.json'))],
  ])('does not serve an artifact with %s, nor write a receipt for it (A7.6, I9.17)', async (_, damage) => {
    damage();
    const answer = await stress();
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({
      code: 'artifact_unavailable',
      artifact_key: 'covenant/2026-02-07/CIK0001050446.json',
    });
    expect(rig.notes).toEqual([]);
  });

  it('says in /ready and once in the log that a file has the wrong hash, until it is repaired (I4.F10.1)', async () => {
    const path = file('covenant/2026-02-07/CIK0001050446.json');
    const before = readFileSync(path);
    const storeCheck = async () => {
      const answer = await rig.ask('/ready');
      const { ready, checks } = answer.json() as { ready: boolean; checks: Record<string, unknown> };
      return { status: answer.status, ready, store: checks['artifact_store'] };
    };
    const fine = { status: 200, ready: true, store: { status: 'ok', detail: null } };
    expect(await storeCheck()).toEqual(fine);
    writeFileSync(
      path,
      before.map((byte, i) => (i === 20 ? byte ^ 1 : byte)),
    );
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
    writeFileSync(path, before);
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
      artifact_key: 'manifest.json',
    });
    const ready = await rig.ask('/ready');
    expect(ready.status).toBe(503);
    expect((ready.json()['checks'] as { manifest: { status: string } }).manifest.status).toBe('failing');
  });

  it('refuses a row index that does not fit its rows, even when it is signed', async () => {
    const root = rig.artifacts;
    const release = writeSampleRelease(
      { root, sourceDate: '2026-02-08', issuers: sampleIssuers },
      sampleKey(),
    );
    rig.promote(release, { '2026-02-08': release });
    const path = join(root, 'releases', release, 'covenant-slice/2026-02-08.ndjson');
    writeFileSync(path, readFileSync(path).subarray(1));
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
          detail: `Artifact manifest.json cannot be served: it is signed by ${keyId}, which is no published key of this deployment (data/keys/release-ed25519*.pub).`,
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

describe('the last night', () => {
  const run = (status: string, publishedRelease: string | null, degraded?: readonly string[]) =>
    writeFileSync(
      join(rig.artifacts, 'last-run.json'),
      JSON.stringify({
        source_date: '2026-02-08',
        status,
        started_at_utc: '2026-02-08T06:00:00Z',
        finished_at_utc: status === 'running' ? null : '2026-02-08T07:00:00Z',
        exit_code: status === 'ok' ? 0 : 5,
        published_release: publishedRelease,
        reason: status === 'failed' ? 'validation_failed' : null,
        degraded,
      }),
    );
  const readiness = async () => (await rig.ask('/v1/readiness', { headers: { 'x-api-key': key } })).json();

  it('shows in readiness and /ready when it failed (I2.46)', async () => {
    run('failed', null);
    expect(await readiness()).toMatchObject({ ok: false, reason: 'last_run_failed' });
    expect((await rig.ask('/ready')).json()['last_run']).toMatchObject({ status: 'failed', exit_code: 5 });
    run('ok', '2026-02-07.1');
    expect(await readiness()).toMatchObject({ ok: true, reason: null });
  });

  it('shows in /ready what it published without (I3.28)', async () => {
    const degraded = [
      'prices/*.csv is not in the inputs, and no earlier night read it',
      'MSTR has no row any more',
    ];
    run('ok', '2026-02-07.1', degraded);
    const ready = (await rig.ask('/ready')).json();
    expect(ready).toMatchObject({
      ready: true,
      last_run: { degraded },
      checks: {
        slice: { status: 'ok', detail: `the last night is degraded: ${degraded[0]} (and 1 more)` },
      },
    });
  });

  it('matters less than a stale slice and more than a partial one (I2.46)', async () => {
    const partial = rig.release({ sourceDate: '2026-02-08', sliceStatus: 'partial' });
    rig.promote(partial, { '2026-02-08': partial });
    expect(await readiness()).toMatchObject({ reason: 'partial_slice' });
    run('failed', null);
    expect(await readiness()).toMatchObject({ reason: 'last_run_failed' });
    rig.clock.nowMs = Date.parse('2026-02-08T07:12:40Z') + 36 * 3_600_000;
    expect(await readiness()).toMatchObject({ reason: 'last_run_failed', age_minutes: 2160 });
    rig.clock.nowMs += 1;
    expect(await readiness()).toMatchObject({ reason: 'stale_slice' });
  });
});
