import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releasePacks } from '../../data/store/storeFiles.ts';
import { faultyFiles } from '../../fixtures/rigs/faultyFiles.ts';
import { type SmallStore, smallStore } from '../../fixtures/rigs/smallStore.ts';
import { artifactText, damageArtifact } from '../../fixtures/rigs/storedArtifacts.ts';
import { realFiles } from '../effects.ts';
import { sha256Hex } from './artifact.ts';
import type { PutFile } from './draftRelease.ts';
import { listReleaseNames, readCurrent, readManifest } from './releaseStore.ts';
import { verifyRelease } from './verifyRelease.ts';

let store: SmallStore;
beforeEach(async () => {
  store = await smallStore();
});
afterEach(() => store.close());

const packsOf = async (release: string) =>
  releasePacks.parse(JSON.parse(await readFile(join(store.paths.releases, release, 'packs.json'), 'utf8')));
const packFiles = async () => (await readdir(store.paths.packs)).sort();
const text = (release: string, key: string) => artifactText({ root: store.paths.root, release, key });
const fullDisk = (effect: string): never => {
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${effect}`), { code: 'ENOSPC' });
};

describe('a publication', () => {
  it('writes six files, whatever it holds', async () => {
    const written = new Set<string>();
    const real = realFiles();
    const noted = (path: string) => void written.add(path.replace(/\.partial(?=\/|$)/, ''));
    const files = {
      ...real,
      write(...args: Parameters<typeof real.write>) {
        noted(args[0]);
        return real.write(...args);
      },
      append(...args: Parameters<typeof real.append>) {
        noted(args[0]);
        return real.append(...args);
      },
    };
    await store.publish('2025-11-13', { 'a/1.json': 'one' });
    const texts = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`a/${i}.json`, `text ${i}`]));
    await store.publish('2025-11-14', texts, { files });
    expect([...written].map((path) => path.slice(store.paths.root.length + 1)).sort()).toEqual([
      'current',
      'packs/2025-11-14.1.idx',
      'packs/2025-11-14.1.pack',
      'releases/2025-11-14.1/manifest.json',
      'releases/2025-11-14.1/packs.json',
      'slices.json',
    ]);
  });

  it('writes equal bytes once: within itself, and where the current release or a build of its date holds them', async () => {
    await store.publish('2025-11-13', { 'a/1.json': 'same', 'a/2.json': 'same', 'a/3.json': 'other' });
    expect(await store.check()).toMatchObject({ objects: 2, duplicate_objects: 0, unreachable_bytes: 0 });
    await store.publish('2025-11-14', { 'a/1.json': 'same', 'b/1.json': 'new' });
    await store.publish('2025-11-14', { 'a/1.json': 'same', 'b/1.json': 'new', 'b/2.json': 'newer' });
    expect(await packsOf('2025-11-14.2')).toEqual({
      schema_id: 'release_packs.v1',
      packs: ['2025-11-14.2', '2025-11-13.1', '2025-11-14.1'],
      drawn: {
        [sha256Hex('{"text":"same"}')]: 1,
        [sha256Hex('{"text":"new"}')]: 2,
      },
    });
    expect(await store.check()).toMatchObject({ objects: 4, duplicate_objects: 0, problems: [] });
  });

  it('whose bytes are all there already writes no pack', async () => {
    await store.publish('2025-11-13', { 'a/1.json': 'same' });
    const { release } = await store.publish('2025-11-14', { 'a/9.json': 'same' });
    expect(await packsOf(release)).toMatchObject({ packs: ['2025-11-13.1'], drawn: {} });
    expect(await packFiles()).toEqual(['2025-11-13.1.idx', '2025-11-13.1.pack']);
    expect(await text(release, 'a/9.json')).toBe('{"text":"same"}');
  });

  it('draws on no damaged bytes: it writes them again', async () => {
    await store.publish('2025-11-13', { 'a/1.json': 'one', 'a/2.json': 'two', 'a/3.json': 'three' });
    const old = { root: store.paths.root, release: '2025-11-13.1' };
    damageArtifact({ ...old, key: 'a/1.json' }, { at: 9 });
    damageArtifact({ ...old, key: 'a/2.json' }, { at: 12, part: 'gzip' });
    const { release } = await store.publish('2025-11-14', {
      'a/1.json': 'one',
      'a/2.json': 'two',
      'a/3.json': 'three',
    });
    expect(Object.values((await packsOf(release)).drawn)).toEqual([1]);
    await verifyRelease({ paths: store.paths, name: release, publicKeys: null });
    expect((await store.check()).problems).toEqual([
      '2025-11-13.1: a/1.json: its hash is not the one in the manifest',
      '2025-11-13.1: a/2.json.gz does not decode to the artifact',
    ]);
  });

  it('may refer to an object of the release it names; what that release wrote itself is read again', async () => {
    const sha256 = sha256Hex('{"text":"kept"}');
    const referring = (release: string) => ({
      streamed: (put: PutFile) =>
        put({ key: 'a/kept.json', mediaType: 'application/json', held: { release, sha256, bytes: 15 } }),
    });
    await store.publish('2025-11-12', { 'a/1.json': 'kept' });
    await store.publish('2025-11-13', { 'a/1.json': 'else' });
    await expect(store.publish('2025-11-14', {}, referring('2025-11-13.1'))).rejects.toThrow(
      'a/kept.json is missing or has another hash',
    );
    const { release } = await store.publish('2025-11-14', {}, referring('2025-11-12.1'));
    expect(await text(release, 'a/kept.json')).toBe('{"text":"kept"}');
    const { manifest } = await readManifest(store.paths, release);
    expect(manifest.artifacts).toMatchObject([{ key: 'a/kept.json', sha256, bytes: 15 }]);
    expect(await packsOf(release)).toMatchObject({ packs: ['2025-11-12.1'], drawn: {} });
    damageArtifact({ root: store.paths.root, release: '2025-11-12.1', key: 'a/1.json' }, { at: 9 });
    await expect(store.publish('2025-11-15', {}, referring('2025-11-12.1'))).rejects.toThrow('another hash');
    // a night costs what the one before added: what is older is found by fsck, and by the server before it is served
    const later = await store.publish('2025-11-15', {}, referring('2025-11-14.1'));
    await expect(text(later.release, 'a/kept.json')).rejects.toThrow('its hash is not the one');
    expect((await store.check()).problems[0]).toMatch(/^2025-11-12\.1: a\/1\.json: its hash/);
  });

  it('of past dates is one pack that they share', async () => {
    await store.publish('2025-11-14', { 'a/1.json': 'today' });
    const names = await store.publishPast({
      '2025-11-11': { 'a/1.json': 'one', 'a/2.json': 'shared' },
      '2025-11-12': { 'a/1.json': 'two', 'a/2.json': 'shared' },
      '2025-11-13': { 'a/1.json': 'today' },
    });
    expect(names).toEqual(['2025-11-11.1', '2025-11-12.1', '2025-11-13.1']);
    expect(await packFiles()).toEqual([
      '2025-11-11.1-3.idx',
      '2025-11-11.1-3.pack',
      '2025-11-14.1.idx',
      '2025-11-14.1.pack',
    ]);
    expect(await text('2025-11-12.1', 'a/2.json')).toBe('{"text":"shared"}');
    expect(await readCurrent(store.paths)).toBe('2025-11-14.1');
    expect(await store.check()).toMatchObject({ releases: 4, packs: 2, objects: 4, problems: [] });
  });

  it.each(['before', 'after', 'torn'] as const)(
    'of past dates that fails at any effect (%s) leaves a store that fsck accepts, and can be run again',
    async (when) => {
      const past = { '2025-11-11': { 'a/1.json': 'one' }, '2025-11-12': { 'a/1.json': 'two' } };
      const fresh = async () => {
        await rm(store.paths.root, { recursive: true, force: true });
        await store.publish('2025-11-14', { 'a/1.json': 'today' });
      };
      await fresh();
      const probe = faultyFiles(realFiles(), { at: -1, when, strike: fullDisk });
      await store.publishPast(past, probe);
      const effects = probe.count();
      expect(effects).toBeGreaterThan(15);
      for (let at = 1; at <= effects; at += 1) {
        await fresh();
        const files = faultyFiles(realFiles(), { at, when, strike: fullDisk });
        await store.publishPast(past, files).catch((error: Error) => expect(error.message).toMatch('ENOSPC'));
        expect((await store.check()).problems).toEqual([]);
        expect((await store.publishPast(past)).length).toBe(2);
        expect((await store.check()).problems).toEqual([]);
        expect((await packFiles()).filter((name) => name.endsWith('.partial'))).toEqual([]);
      }
    },
  );

  it('into a store of another layout is refused with what to do, and changes nothing', async () => {
    await store.publish('2025-11-13', { 'a/1.json': 'one' });
    const layout = join(store.paths.root, 'layout.json');
    for (const [what, change] of [
      ['has no layout.json; this program reads layout 2', () => rm(layout)],
      ['has layout 3; this program', () => writeFile(layout, '{"schema_id":"store_layout.v1","layout":3}')],
      ['layout.json of the artifact store is damaged', () => writeFile(layout, '')],
    ] as const) {
      await change();
      await expect(store.publish('2025-11-14', { 'a/1.json': 'two' })).rejects.toMatchObject({
        code: 'configuration',
        message: expect.stringContaining(what),
        hint: expect.stringContaining('`issuer backfill` makes past dates again from the warehouse'),
      });
    }
    expect(await listReleaseNames(store.paths)).toEqual(['2025-11-13.1']);
  });
});
