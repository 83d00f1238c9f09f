import { cpSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NightlyRig, type NightlyStage, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import type { DataLayout } from '../dataLayout.ts';
import { readCurrent, readManifest, readSlices } from '../release/releaseStore.ts';
import { verifyRelease } from '../release/verifyRelease.ts';

const first = '2025-11-14.1';
const next = { date: '2025-11-15', asOf: '2025-11-16T06:00:00Z' };

let rig: NightlyRig;
let standing: NightlyStage;
let published: Readonly<Record<string, string>>;
beforeAll(async () => {
  rig = await nightlyRig({ issuers: ['BTBT'] });
  standing = await rig.published('standing');
  published = await hashesOf(standing.layout, first);
});
afterAll(() => rig.close());

async function hashesOf({ artifacts }: DataLayout, release: string): Promise<Record<string, string>> {
  const { manifest } = await readManifest(artifacts, release);
  return Object.fromEntries(manifest.artifacts.map(({ key, sha256 }) => [key, sha256]));
}

/** A copy of the standing store with one thing broken. */
function damaged(name: string, damage: (root: string) => void): NightlyStage {
  const stage = rig.stage(name.replaceAll(/\W/g, '-'));
  cpSync(standing.data, stage.data, { recursive: true });
  damage(stage.layout.artifacts.root);
  return stage;
}

const manifest = `releases/${first}/manifest.json`;
const packs = `releases/${first}/packs.json`;
const cut = (path: string) => truncateSync(path, 1000);
const damages: Readonly<Record<string, (root: string) => void>> = {
  'its manifest is gone': (root) => rmSync(join(root, manifest)),
  'its manifest is cut short': (root) => cut(join(root, manifest)),
  'its directory is gone': (root) => rmSync(join(root, 'releases', first), { recursive: true }),
  'its packs.json is gone': (root) => rmSync(join(root, packs)),
  'its pack is cut short': (root) => cut(join(root, `packs/${first}.pack`)),
  'the index of its pack is empty': (root) => writeFileSync(join(root, `packs/${first}.idx`), ''),
};

describe('a release that lost a file', () => {
  it.for(Object.entries(damages))(
    'is made again by the next night, byte for byte, when %s',
    async ([name, damage]) => {
      const stage = damaged(name, damage);
      const [night] = await stage.run(next);
      expect(night?.healed).toEqual([
        expect.stringMatching(
          /^release 2025-11-14\.1 was damaged \(.+\): it is made again as 2025-11-14\.\d$/,
        ),
      ]);
      const { artifacts } = stage.layout;
      const answering = (await readSlices(artifacts))['2025-11-14'] ?? '';
      await verifyRelease({ paths: artifacts, name: answering, publicKeys: null });
      expect(await hashesOf(stage.layout, answering)).toEqual(published);
      expect(await readCurrent(artifacts)).toBe('2025-11-15.1');
      expect(await stage.lastRun()).toMatchObject({ exit_code: 0, degraded: [], healed: night?.healed });
    },
  );

  it('is made again by its own night, and by --force', async () => {
    for (const force of [false, true]) {
      const stage = damaged(`own-${force}`, (root) => rmSync(join(root, manifest)));
      const [night] = await stage.run({ force });
      expect(night?.healed).toEqual([
        `release ${first} was damaged (${manifest} is missing): it is published again as 2025-11-14.2`,
      ]);
      expect(await hashesOf(stage.layout, '2025-11-14.2')).toEqual(published);
    }
  });

  it('ends the night in one sentence when its inputs are gone or changed, and nothing is half-written', async () => {
    const faults = {
      gone: () => rmSync(join(rig.root, 'moved'), { recursive: true }),
      changed: () => writeFileSync(join(rig.root, 'moved/prices/BTC.csv'), 'date,close\n'),
    };
    const whole = rig.stage('whole');
    cpSync(rig.source, join(rig.root, 'moved'), { recursive: true });
    await whole.run({ source: join(rig.root, 'moved') });
    for (const [name, fault] of Object.entries(faults)) {
      cpSync(rig.source, join(rig.root, 'moved'), { recursive: true });
      const stage = rig.stage(`unhealable-${name}`);
      cpSync(whole.data, stage.data, { recursive: true });
      rmSync(join(stage.layout.artifacts.root, manifest));
      fault();
      const before = await readFile(stage.layout.artifacts.slices, 'utf8');
      await expect(stage.run(next)).rejects.toMatchObject({
        code: 'input_missing',
        message: expect.stringMatching(
          /^The night needs what was published before: release 2025-11-14\.1 is damaged \(.+ is missing\) and cannot be made again: its inputs .*\.$/,
        ),
        hint: expect.stringContaining('issuer release withdraw 2025-11-14'),
      });
      expect(await readFile(stage.layout.artifacts.slices, 'utf8')).toBe(before);
      expect(readdirSync(stage.layout.artifacts.releases)).toEqual([first]);
      rmSync(join(rig.root, 'moved'), { recursive: true, force: true });
    }
  });

  it('is made again where its signature is of no key of this deployment, a damaged public half aside', async () => {
    const foreign = damaged('foreign', () => undefined);
    const { signature } = (await readManifest(foreign.layout.artifacts, first)).manifest;
    const other = rig.stage('other');
    await other.run();
    cpSync(join(other.layout.artifacts.root, manifest), join(foreign.layout.artifacts.root, manifest));
    const [night] = await foreign.run(next);
    expect(night?.healed).toEqual([expect.stringContaining('which is no published key of this deployment')]);
    const again = await readManifest(foreign.layout.artifacts, '2025-11-14.2');
    expect(again.manifest.signature.key_id).toBe(signature.key_id);
    const half = damaged('half', (root) => writeFileSync(join(root, '../keys/release-ed25519.pub'), 'x'));
    expect((await half.run(next))[0]?.healed).toEqual([]);
  });

  it('is made again when an older slice is needed after all, its manifest cut short', async () => {
    const stage = damaged('older', () => undefined);
    await stage.run(next);
    cut(join(stage.layout.artifacts.root, manifest));
    // without it the issuers of every slice are read again
    rmSync(join(stage.layout.journal, 'history.json'));
    const [night] = await stage.run({ date: '2025-11-17', asOf: '2025-11-18T06:00:00Z' });
    expect(night?.healed).toHaveLength(1);
    expect(await hashesOf(stage.layout, '2025-11-14.2')).toEqual(published);
    expect(Object.keys(await readSlices(stage.layout.artifacts))).toEqual([
      '2025-11-14',
      '2025-11-15',
      '2025-11-17',
    ]);
  });
});

describe('pointers', () => {
  it.each([
    ['was missing', (path: string) => rmSync(path)],
    ['was damaged', (path: string) => writeFileSync(path, '{')],
    ['was damaged', (path: string) => writeFileSync(path, '')],
    ['had lost dates', (path: string) => writeFileSync(path, '{}')],
  ])('slices.json that %s names its dates again', async (was, damage) => {
    const stage = damaged(`slices-${was}-${damage}`, (root) => damage(join(root, 'slices.json')));
    const [night] = await stage.run(next);
    expect(night?.healed).toEqual([`slices.json ${was}: it names 2025-11-14 again`]);
    expect(await readSlices(stage.layout.artifacts)).toEqual({
      '2025-11-14': first,
      '2025-11-15': '2025-11-15.1',
    });
  });

  it('a withdrawn date stays withdrawn', async () => {
    const withdrawals = [
      { release: first, withdrawn_at_utc: '2025-11-15T08:00:00Z', reason: 'closes of another day' },
    ];
    const stage = damaged('withdrawn', (root) => {
      rmSync(join(root, 'current'));
      writeFileSync(
        join(root, 'slices.json'),
        JSON.stringify({ '2025-11-14': { release: null, withdrawals } }),
      );
    });
    const [night] = await stage.run(next);
    expect(night?.healed).toEqual([]);
    expect(Object.keys(await readSlices(stage.layout.artifacts))).toEqual(['2025-11-15']);
  });

  it.each([
    ['is missing', (path: string) => rmSync(path)],
    ['names a release that is not there', (path: string) => writeFileSync(path, '2025-11-14.9\n')],
  ])('current that %s names the newest night again before the next one begins', async (name, damage) => {
    const stage = damaged(`current ${name}`, (root) => damage(join(root, 'current')));
    const [night] = await stage.run(next);
    expect(night?.healed).toEqual([`current named no release: it names ${first} again`]);
  });
});
