import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FaultyReads,
  faultyReads,
  type ReadFault,
} from '../../fixtures/rigs/objectStore/faultyReads.ts';
import { writeSampleRelease } from '../../fixtures/rigs/serveRelease.ts';
import { type Rig, sampleIssuers, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { damageArtifact, placeOf } from '../../fixtures/rigs/storedArtifacts.ts';

// servers over a directory that stands for a bucket; their replica lies beside it

let root: string;
let remote: FaultyReads;
let rig: Rig;
let key: string;
let timers: { readonly ms: number; readonly task: () => void }[];

const first = '2026-02-07.1';
const open = async (): Promise<Rig> => {
  const opened = await serveRig({
    root,
    remote,
    after: (ms, task) => {
      timers.push({ ms, task });
      return () => {
        timers = timers.filter((one) => one.task !== task);
      };
    },
  });
  key = await opened.key();
  return opened;
};
/** The same data directory in a new process. */
const restart = async (): Promise<void> => {
  timers = [];
  remote.seen.length = 0;
  rig = await open();
};

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'issuer-remote-'));
  timers = [];
  remote = faultyReads(join(root, 'artifacts'));
  rig = await open();
  rig.promote(rig.release({ sourceDate: '2026-02-07' }), { '2026-02-07': first });
  await rig.look();
});
afterEach(() => rig.close());

const stress = (ticker = 'MSTR') =>
  rig.ask(`/v1/covenant-stress/${ticker}`, { headers: { 'x-api-key': key } });
const stressKey = 'covenant/2026-02-07/CIK0001050446.json';
const replica = (name: string) => join(root, 'replica', name);
const ranged = () => remote.seen.filter((name) => name.includes('.pack '));
const storeCheck = async () => {
  const answer = await rig.ask('/ready');
  const { checks } = answer.json() as {
    checks: Record<string, { status: string; detail: string | null }>;
  };
  return { status: answer.status, ...checks['artifact_store'] };
};
const told = (event: string) => rig.logLines.filter((line) => line.includes(`"${event}"`)).length;
/** Lets every wait for a range end; a pointer is waited for 8 s, a range longer. */
const waitsEnd = async (): Promise<void> => {
  for (let round = 0; round < 20; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    for (const { task } of timers.filter(({ ms }) => ms > 8_000)) task();
  }
};
const rangeOf = (release: string, artifact: string): string => {
  const { object } = placeOf({ root: rig.artifacts, release, key: artifact });
  const length = object.length + (object.gzip?.length ?? 0) + (object.zstd?.length ?? 0);
  return `packs/${release}.pack/${object.offset}-${length}`;
};

describe('a server over object storage (STORE ST15)', () => {
  it('reads a cold object with one ranged read, and after a restart with none', async () => {
    remote.seen.length = 0;
    expect((await stress()).status).toBe(200);
    expect(remote.seen).toHaveLength(1);
    expect(ranged()).toHaveLength(1);
    await restart();
    await rig.look();
    expect((await stress()).status).toBe(200);
    expect(remote.seen.sort()).toEqual([
      'audit/2026-02-07.json 0+16777217',
      'current',
      'last-run.json',
      'layout.json',
      'promotion.json',
      'slices.json',
    ]);
  });

  it('reads once what many ask for together', async () => {
    remote.seen.length = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => stress()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(ranged()).toHaveLength(1);
  });

  it.each<[ReadFault, RegExp, string]>([
    ['short', /\.pack$/, 'is cut short'],
    ['forbidden', /\.pack$/, 'the object store does not answer'],
    ['failing', /\.pack$/, 'the object store does not answer'],
    ['other', /\.pack$/, 'its hash is not the one in the manifest'],
    ['missing', /\.pack$/, 'pack 2026-02-07.1 is missing'],
    ['late', /\.pack$/, 'the object store does not answer'],
  ])('answers 503 to what a store that is %s hits, charges nothing, and goes on', async (fault, of, why) => {
    expect((await stress('MARA')).status).toBe(200);
    remote.misbehave(fault, of);
    const asked = stress();
    if (fault === 'late') await waitsEnd();
    const answer = await asked;
    expect([answer.status, answer.json()['code']]).toEqual([503, 'artifact_unavailable']);
    expect(answer.json()['detail']).toContain(why);
    expect(rig.notes).toHaveLength(1);
    expect((await stress('MARA')).status).toBe(200);
    const { status, detail } = await storeCheck();
    expect([status, detail]).toEqual(['degraded', expect.stringContaining(stressKey)]);
    expect(told('artifact_fault')).toBe(1);
    remote.misbehave(null);
    expect((await stress()).status).toBe(200);
    expect((await storeCheck()).detail).toBeNull();
  });

  it.each<[string, ReadFault]>([
    ['short', 'short'],
    ['of other bytes', 'other'],
    ['missing', 'missing'],
  ])('takes up a first release whose index is %s, and answers once it is right', async (_, fault) => {
    rmSync(join(root, 'replica'), { recursive: true });
    remote.misbehave(fault, /\.idx$/);
    await restart();
    await rig.look();
    expect((await stress()).json()).toMatchObject({ code: 'artifact_unavailable' });
    expect(rig.notes).toEqual([]);
    expect((await rig.ask('/ready')).status).toBe(200);
    remote.misbehave(null);
    expect((await stress()).status).toBe(200);
  });

  it('fetches anew, once, what is damaged in the replica', async () => {
    expect((await stress()).status).toBe(200);
    const kept = replica(rangeOf(first, stressKey));
    for (const [name, damage] of [
      ['changed', (bytes: Buffer) => bytes.fill('x', 5, 9)],
      ['cut', (bytes: Buffer) => bytes.subarray(0, 10)],
    ] as const) {
      writeFileSync(kept, damage(readFileSync(kept)));
      await restart();
      await rig.look();
      expect((await stress()).status, name).toBe(200);
      expect(ranged(), name).toHaveLength(1);
    }
    for (const name of [
      'packs/2026-02-07.1.idx',
      `releases/${first}/manifest.json`,
      `releases/${first}/packs.json`,
    ]) {
      writeFileSync(replica(name), readFileSync(replica(name)).fill('x', 30, 40));
      await restart();
      await rig.look();
      expect((await stress()).status, name).toBe(200);
      expect(
        remote.seen.filter((one) => one === name),
        name,
      ).toHaveLength(1);
    }
  });

  it('says 503 when what is fetched anew is wrong as well', async () => {
    damageArtifact({ root: rig.artifacts, release: first, key: stressKey });
    remote.seen.length = 0;
    expect((await stress()).status).toBe(503);
    expect(ranged()).toHaveLength(2);
    damageArtifact({ root: rig.artifacts, release: first, key: stressKey });
    expect((await stress()).status).toBe(200);
  });

  it('goes on with the old release while the store is away, says so once, and takes the new one up after', async () => {
    expect((await stress()).status).toBe(200);
    const next = rig.release({ sourceDate: '2026-02-08' });
    rig.promote(next, { '2026-02-07': first, '2026-02-08': next });
    remote.misbehave('failing');
    for (let look = 0; look < 3; look += 1) await rig.look();
    const hot = await stress();
    expect([hot.status, hot.json()['source_date']]).toEqual([200, '2026-02-07']);
    expect(await storeCheck()).toEqual({
      status: 'degraded',
      detail:
        'The object store does not answer since 2026-02-07T10:00:00.000Z; what is kept here is served, the rest is 503.',
    });
    expect((await rig.ask('/ready')).status).toBe(200);
    // what is cold is refused at once, and no fault of the artifact
    remote.seen.length = 0;
    expect((await stress('MARA')).json()).toMatchObject({ code: 'artifact_unavailable' });
    expect([remote.seen, told('artifact_fault')]).toEqual([[], 0]);
    expect([told('store_away'), told('store_back')]).toEqual([1, 0]);
    remote.misbehave(null);
    rig.clock.nowMs += 30_000;
    await rig.look();
    expect(await storeCheck()).toEqual({ status: 'ok', detail: null });
    expect((await stress()).json()['source_date']).toBe('2026-02-08');
    expect([told('store_away'), told('store_back'), told('release_taken')]).toEqual([1, 1, 2]);
  });

  it('has what was hot ready before a new release answers', async () => {
    expect((await stress()).status).toBe(200);
    expect((await rig.ask('/v1/covenant-stress?limit=2', { headers: { 'x-api-key': key } })).status).toBe(
      200,
    );
    const next = rig.release({ sourceDate: '2026-02-08' });
    rig.promote(next, { '2026-02-07': first, '2026-02-08': next });
    expect((await stress()).json()['source_date']).toBe('2026-02-07');
    await rig.look();
    remote.seen.length = 0;
    expect((await stress()).json()['source_date']).toBe('2026-02-08');
    expect((await rig.ask('/v1/covenant-stress?limit=2', { headers: { 'x-api-key': key } })).status).toBe(
      200,
    );
    expect(remote.seen).toEqual([]);
  });

  it('holds back a release whose manifest or indexes cannot be had, and says which', async () => {
    const next = rig.release({ sourceDate: '2026-02-08' });
    rig.promote(next, { '2026-02-07': first, '2026-02-08': next });
    remote.misbehave('other', /2026-02-08\.1\/manifest/);
    for (let look = 0; look < 5; look += 1) await rig.look();
    expect((await stress()).json()['source_date']).toBe('2026-02-07');
    expect(await storeCheck()).toEqual({
      status: 'degraded',
      detail:
        'A promoted release is not taken up, the one before it is served: 2026-02-08.1: Artifact releases/2026-02-08.1/manifest.json cannot be served: not json.',
    });
    expect(told('release_not_taken')).toBe(1);
    // an index that stays away holds it back for a while only
    remote.misbehave('failing', /2026-02-08\.1\.idx/);
    for (let look = 0; look < 2; look += 1) {
      await rig.look();
      expect((await stress()).json()['source_date']).toBe('2026-02-07');
    }
    await rig.look();
    expect((await stress()).status).toBe(503);
    remote.misbehave(null);
    expect((await stress()).json()['source_date']).toBe('2026-02-08');
  });

  it('lets a withdrawal take effect though the release that came with it cannot be read', async () => {
    const next = rig.release({ sourceDate: '2026-02-06' });
    const withdrawn = { release: first, withdrawn_at_utc: '2026-02-07T09:00:00Z', reason: 'wrong closes' };
    rig.promote(next, { '2026-02-06': next, '2026-02-07': { release: null, withdrawals: [withdrawn] } });
    remote.misbehave('other', /2026-02-06\.1\/manifest/);
    await rig.look();
    expect((await stress()).status).toBe(503);
    remote.misbehave(null);
    await rig.look();
    expect((await stress()).json()['source_date']).toBe('2026-02-06');
  });

  it.each([
    ['current', 'not a release'],
    ['slices.json', '{'],
    ['layout.json', '{"layout":3,"schema_id":"store_layout.v1"}'],
  ])('keeps serving when %s holds %j, and says so', async (name, text) => {
    writeFileSync(join(rig.artifacts, name), text);
    await rig.look();
    expect((await stress()).status).toBe(200);
    expect((await storeCheck()).status).toBe('degraded');
  });

  it('starts without the store from a replica that has a release whole, and says so', async () => {
    expect((await stress()).status).toBe(200);
    remote.misbehave('failing');
    await restart();
    await rig.look();
    expect((await stress()).status).toBe(200);
    expect((await rig.ask('/ready')).status).toBe(200);
    expect([told('started_without_store'), told('store_away')]).toEqual([1, 1]);
    // cold: only the store has it
    expect((await stress('MARA')).status).toBe(503);
    remote.misbehave(null);
    await rig.look();
    expect((await stress('MARA')).status).toBe(200);
    expect(told('release_taken')).toBe(0);
  });

  it.each(['packs/2026-02-07.1.idx', `releases/${first}/manifest.json`, 'pointers.json'])(
    'does not start without the store when the replica lacks %s',
    async (name) => {
      rmSync(replica(name));
      remote.misbehave('failing');
      await restart();
      await rig.look();
      expect((await stress()).json()).toMatchObject({
        code: 'artifact_unavailable',
        artifact_key: 'current',
      });
      const ready = await rig.ask('/ready');
      expect(ready.status).toBe(503);
      remote.misbehave(null);
      await rig.look();
      expect((await stress()).status).toBe(200);
    },
  );

  it('goes on when its replica is removed while it runs', async () => {
    expect((await stress()).status).toBe(200);
    rmSync(join(root, 'replica'), { recursive: true });
    expect((await stress('MARA')).status).toBe(200);
    expect(existsSync(replica(rangeOf(first, 'covenant/2026-02-07/CIK0001507605.json')))).toBe(true);
    expect((await storeCheck()).detail).toBeNull();
  });

  it('serves without keeping anything where its disk takes nothing, and says so', async () => {
    rmSync(join(root, 'replica'), { recursive: true });
    writeFileSync(join(root, 'replica'), '');
    expect((await stress('MARA')).status).toBe(200);
    expect((await stress()).status).toBe(200);
    expect((await storeCheck()).detail).toBe(
      'The local replica keeps nothing more: it cannot be written (ENOTDIR).',
    );
    expect(told('replica_not_kept')).toBe(1);
    expect(rig.deps.store.remote()).toMatchObject({ unkept: 'it cannot be written (ENOTDIR)' });
  });

  it('finds an object where prune has put it meanwhile', async () => {
    for (const suffix of ['pack', 'idx'])
      renameSync(
        join(rig.artifacts, `packs/${first}.${suffix}`),
        join(rig.artifacts, `packs/${first}-c1.${suffix}`),
      );
    writeFileSync(
      join(rig.artifacts, `releases/${first}/packs.json`),
      `{"drawn":{},"packs":["${first}-c1"],"schema_id":"release_packs.v1"}`,
    );
    expect((await stress()).status).toBe(200);
  });

  it('finishes an answer of the old release after the new one was taken up (I3.19)', async () => {
    const old = await rig.deps.store.snapshot();
    const next = writeSampleRelease({
      root: rig.artifacts,
      sourceDate: '2026-02-08',
      issuers: sampleIssuers,
    });
    rig.promote(next, { '2026-02-07': first, '2026-02-08': next });
    await rig.look();
    const release = await old.current();
    expect(release?.name).toBe(first);
    expect((await release?.object(stressKey))?.entry.key).toBe(stressKey);
  });
});
