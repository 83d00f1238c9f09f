import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryStore } from '../../data/store/directoryStore.ts';
import type { Store } from '../../data/store/storePort.ts';
import { faultyStore } from '../../fixtures/rigs/objectStore/faultyStore.ts';
import { type SmallStore, smallStore } from '../../fixtures/rigs/smallStore.ts';
import { realFiles, systemClock } from '../effects.ts';
import { pruneReleases } from '../release/pruneReleases.ts';
import { listReleaseNames } from '../release/releaseStore.ts';
import { checkStore } from './checkStore.ts';
import { copyStores, sweepStored } from './copyStores.ts';
import { readStoreState } from './storedDocuments.ts';

let scratch: string;
let own: SmallStore;
beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sweep-stored-'));
  own = await smallStore();
  const texts = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`a/${i}.json`, `text ${i}`]));
  await own.publish('2025-11-14', texts);
  await own.publish('2025-11-14', { 'a/0.json': 'text 0', 'b/new.json': 'new' });
  await own.publish('2025-11-15', { whole: 'other' });
  await copyStores({
    paths: own.paths,
    store: directory('start'),
    direction: 'push',
    dryRun: false,
    effects: { clock: systemClock(), log: () => undefined, files: realFiles() },
    stopIfAsked: () => undefined,
    assertHeld: async () => undefined,
  });
  const built = new Date('2025-11-15T00:00:00Z');
  for (const name of await listReleaseNames(own.paths))
    await utimes(join(own.paths.releases, name, 'manifest.json'), built, built);
  // the superseded build goes, and its pack is written again with the one object that is still needed
  const now = new Date('2025-11-28T00:00:00Z');
  const pruned = await pruneReleases({ paths: own.paths, now, files: realFiles() });
  expect(pruned.rewritten).toEqual([{ from: '2025-11-14.1', to: '2025-11-14.1-c1' }]);
});
afterEach(async () => {
  await own.close();
  rmSync(scratch, { recursive: true, force: true });
});

const directory = (name: string) => directoryStore({ root: join(scratch, name), keepOpen: 0 });
const sweep = async (to: Store, now: string) => {
  const from = directoryStore({ root: own.paths.root, keepOpen: 0 });
  const state = await readStoreState(from);
  return sweepStored({
    from,
    to,
    state,
    scratch: join(scratch, 'transfer'),
    now: new Date(now),
    assertHeld: async () => undefined,
  });
};
const copyOf = (name: string): string => {
  cpSync(join(scratch, 'start'), join(scratch, name), { recursive: true });
  return name;
};
const packs = (name: string) =>
  readdirSync(join(scratch, name, 'packs'))
    .filter((file) => file.endsWith('.pack'))
    .sort();
const check = (name: string) =>
  checkStore({
    store: directory(name),
    publicKeys: [own.key.publicKey],
    stopIfAsked: () => undefined,
  });

describe('prune in another store', () => {
  it('follows the local one, and removes a pack 24 hours after it was last needed', async () => {
    const name = copyOf('other');
    const first = await sweep(directory(name), '2025-11-28T01:00:00Z');
    expect(first).toEqual({ releases: ['2025-11-14.1'], packs: [] });
    expect(packs(name)).toEqual([
      '2025-11-14.1-c1.pack',
      '2025-11-14.1.pack',
      '2025-11-14.2.pack',
      '2025-11-15.1.pack',
    ]);
    expect((await check(name)).problems).toEqual([]);
    expect(await sweep(directory(name), '2025-11-29T00:59:00Z')).toEqual({ releases: [], packs: [] });
    expect(await sweep(directory(name), '2025-11-29T01:00:00Z')).toEqual({
      releases: [],
      packs: ['2025-11-14.1'],
    });
    expect(packs(name)).toEqual(['2025-11-14.1-c1.pack', '2025-11-14.2.pack', '2025-11-15.1.pack']);
    expect(await check(name)).toMatchObject({ problems: [], unreachable_bytes: 0, releases: 2 });
    expect(await sweep(directory(name), '2025-12-29T01:00:00Z')).toEqual({ releases: [], packs: [] });
  });

  it('keeps a pack that is needed again', async () => {
    const name = copyOf('other');
    const other = directory(name);
    await sweep(other, '2025-11-28T01:00:00Z');
    const packsFile = 'releases/2025-11-14.2/packs.json';
    const moved = await other.read(packsFile);
    await other.replace(packsFile, (await directory('start').read(packsFile)) ?? Buffer.alloc(0));
    expect((await sweep(other, '2025-11-30T01:00:00Z')).packs).toEqual([]);
    await other.replace(packsFile, moved ?? Buffer.alloc(0));
    expect((await check(name)).problems).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    'killed %s any change leaves a whole store, and goes on',
    async (when) => {
      for (let at = 1, done = false; !done; at += 1) {
        const name = copyOf(`killed-${at}`);
        const faulty = faultyStore(directory(name), { at, when });
        done = await sweep(faulty, '2025-11-28T01:00:00Z').then(
          () => true,
          () => false,
        );
        expect((await check(name)).problems).toEqual([]);
        await sweep(directory(name), '2025-11-28T02:00:00Z');
        await sweep(directory(name), '2025-11-30T02:00:00Z');
        expect(await check(name)).toMatchObject({
          problems: [],
          unreachable_bytes: 0,
          releases: 2,
          packs: 3,
        });
        rmSync(join(scratch, name), { recursive: true });
      }
    },
  );
});
