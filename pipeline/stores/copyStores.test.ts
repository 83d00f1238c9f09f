import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryStore } from '../../data/store/directoryStore.ts';
import type { Store } from '../../data/store/storePort.ts';
import { faultyStore } from '../../fixtures/rigs/objectStore/faultyStore.ts';
import { type SmallStore, smallStore } from '../../fixtures/rigs/smallStore.ts';
import { type ReleasePaths, releasePaths } from '../dataLayout.ts';
import { realFiles, systemClock } from '../effects.ts';
import { readCurrent, readSlices } from '../release/releaseStore.ts';
import { checkStore } from './checkStore.ts';
import { copyStores, type StoresCopied } from './copyStores.ts';

let scratch: string;
let own: SmallStore;
beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'copy-stores-'));
  own = await smallStore();
});
afterEach(async () => {
  await own.close();
  rmSync(scratch, { recursive: true, force: true });
});

const effects = { clock: systemClock(), log: () => undefined, files: realFiles() };
const directory = (name: string) => directoryStore({ root: join(scratch, name), keepOpen: 2 });
const copy = (
  direction: 'push' | 'pull',
  store: Store,
  { paths = own.paths, dryRun = false }: { paths?: ReleasePaths; dryRun?: boolean } = {},
): Promise<StoresCopied> =>
  copyStores({
    paths,
    store,
    direction,
    dryRun,
    effects,
    stopIfAsked: () => undefined,
    assertHeld: async () => undefined,
  });
const problemsOf = async (root: string) =>
  (
    await checkStore({
      store: directoryStore({ root, keepOpen: 2 }),
      publicKeys: [own.key.publicKey],
      stopIfAsked: () => undefined,
    })
  ).problems;
const night = (n: number) => ({ shared: 'in every night', own: `of night ${n}`, more: 'x'.repeat(n * 100) });

describe('copying releases between two stores', () => {
  it('brings an empty store up, sends nothing twice, and adds one pack for one more night', async () => {
    await own.publish('2025-11-18', night(1));
    await own.publish('2025-11-19', night(2));
    const first = await copy('push', directory('other'));
    expect(first.copied?.releases).toEqual(['2025-11-18.1', '2025-11-19.1']);
    expect(first.copied?.packs).toEqual(['2025-11-18.1', '2025-11-19.1']);
    expect(await problemsOf(join(scratch, 'other'))).toEqual([]);
    expect(await copy('push', directory('other'))).toEqual({ relation: 'same', copied: null });
    await own.publish('2025-11-20', night(3));
    expect((await copy('push', directory('other'))).copied).toMatchObject({
      releases: ['2025-11-20.1'],
      packs: ['2025-11-20.1'],
    });
    expect(await readCurrent(releasePaths(join(scratch, 'other')))).toBe('2025-11-20.1');
    expect(readdirSync(own.paths.root)).not.toContain('transfer');
  });

  it('says what it would copy, and changes nothing', async () => {
    await own.publish('2025-11-18', night(1));
    const said = await copy('push', directory('other'), { dryRun: true });
    expect(said.copied).toEqual({ releases: ['2025-11-18.1'], packs: ['2025-11-18.1'], bytes: 0 });
    expect(existsSync(join(scratch, 'other'))).toBe(false);
    expect(existsSync(join(own.paths.root, 'copies.json'))).toBe(false);
  });

  it('brings up a fresh machine, which then publishes on', async () => {
    await own.publish('2025-11-18', night(1));
    await own.publishPast({ '2025-10-31': { past: 'one' }, '2025-09-30': { past: 'two' } });
    await copy('push', directory('other'));
    const fresh = await smallStore();
    await copy('pull', directory('other'), { paths: fresh.paths });
    expect((await fresh.check()).problems.filter((problem) => !problem.includes('signed by'))).toEqual([]);
    expect(await readSlices(fresh.paths)).toEqual(await readSlices(own.paths));
    await fresh.publish('2025-11-19', night(2));
    expect((await copy('push', directory('other'), { paths: fresh.paths })).relation).toBe('ahead');
    expect((await copy('pull', directory('other'))).copied?.releases).toEqual(['2025-11-19.1']);
    expect(await readCurrent(own.paths)).toBe('2025-11-19.1');
    await fresh.close();
  });

  it('refuses two stores that were published into apart', async () => {
    await own.publish('2025-11-18', night(1));
    await copy('push', directory('other'));
    const second = await smallStore();
    await copy('pull', directory('other'), { paths: second.paths });
    await own.publish('2025-11-19', night(2));
    await second.publish('2025-11-20', night(3));
    await copy('push', directory('other'));
    const refused = { code: 'validation_failed', message: expect.stringContaining('published into apart') };
    await expect(copy('push', directory('other'), { paths: second.paths })).rejects.toMatchObject(refused);
    await expect(copy('pull', directory('other'), { paths: second.paths })).rejects.toMatchObject(refused);
    await second.close();
  });

  it('pulls nothing of a store whose pack has another object’s bytes', async () => {
    await own.publish('2025-11-18', night(1));
    await copy('push', directory('other'));
    const path = join(scratch, 'other/packs/2025-11-18.1.pack');
    const bytes = readFileSync(path);
    bytes.copy(bytes, 0, 40, 60);
    writeFileSync(path, bytes);
    const fresh = await smallStore();
    await expect(copy('pull', directory('other'), { paths: fresh.paths })).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('Pack 2025-11-18.1 of'),
    });
    expect(await readCurrent(fresh.paths)).toBeNull();
    expect(readdirSync(fresh.paths.root).sort()).toEqual(['copies.json', 'layout.json']);
    await fresh.close();
  });

  it('overwrites what a publisher left that died for good, and no release of the same name', async () => {
    await own.publish('2025-11-18', night(1));
    const other = directory('other');
    await other.put('packs/2025-11-18.1.pack', Buffer.from('of a machine that is gone'));
    await other.put('releases/2025-11-18.1/packs.json', Buffer.from('{}'));
    await copy('push', other);
    expect(await problemsOf(join(scratch, 'other'))).toEqual([]);
    const second = await smallStore();
    await second.publish('2025-11-18', { entirely: 'other figures' });
    const refused = { code: 'validation_failed', message: expect.stringContaining('published into apart') };
    await expect(copy('push', other, { paths: second.paths })).rejects.toMatchObject(refused);
    await expect(copy('pull', other, { paths: second.paths })).rejects.toMatchObject(refused);
    await second.close();
  });

  it.each(['before', 'after'] as const)(
    'killed %s any change, leaves the old releases or the new ones, and goes on',
    async (when) => {
      await own.publish('2025-11-18', night(1));
      await own.publish('2025-11-19', night(2));
      await copy('push', directory('start'));
      await own.publish('2025-11-20', night(3));
      await own.publishPast({ '2025-10-31': { past: 'one' }, '2025-09-30': { past: 'two' } });
      const counted = faultyStore(directory('counted'), { at: 0, when });
      cpSync(join(scratch, 'start'), join(scratch, 'counted'), { recursive: true });
      cpSync(join(own.paths.root, 'copies.json'), join(scratch, 'copies.json'));
      await copy('push', counted);
      const changes = counted.count();
      // two packs with an index, three releases with two documents, two pointers
      expect(changes).toBe(12);
      for (let at = 1; at <= changes; at += 1) {
        const name = `killed-${at}`;
        cpSync(join(scratch, 'start'), join(scratch, name), { recursive: true });
        const paths = releasePaths(join(scratch, name));
        await expect(copy('push', faultyStore(directory(name), { at, when }))).rejects.toThrow('killed');
        expect(await problemsOf(paths.root)).toEqual([]);
        expect(['2025-11-19.1', '2025-11-20.1']).toContain(await readCurrent(paths));
        await copy('push', directory(name));
        expect(await problemsOf(paths.root)).toEqual([]);
        expect(await readCurrent(paths)).toBe('2025-11-20.1');
        expect(await readSlices(paths)).toEqual(await readSlices(own.paths));
        rmSync(paths.root, { recursive: true });
      }
    },
  );
});
