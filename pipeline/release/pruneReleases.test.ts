import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { costlyRuns } from '../../fixtures/rigs/costlyRuns.ts';
import { faultyFiles } from '../../fixtures/rigs/faultyFiles.ts';
import { type SmallStore, smallStore, type Texts } from '../../fixtures/rigs/smallStore.ts';
import { artifactText, damageArtifact } from '../../fixtures/rigs/storedArtifacts.ts';
import { type FileEffects, realFiles } from '../effects.ts';
import { openRelease } from './openRelease.ts';
import { pruneReleases } from './pruneReleases.ts';
import { listReleaseNames } from './releaseStore.ts';
import { prunedText } from './storeTexts.ts';

let store: SmallStore;
beforeEach(async () => {
  store = await smallStore();
});
afterEach(() => store.close());

const built = new Date('2025-11-20T00:00:00Z');
const weekLater = new Date('2025-11-28T00:00:00Z');
/** Prunes long after everything was built. */
async function prune(o: { dryRun?: boolean; all?: boolean; files?: FileEffects } = {}) {
  const { paths } = store;
  for (const name of await listReleaseNames(paths))
    await utimes(join(paths.releases, name, 'manifest.json'), built, built);
  return pruneReleases({ paths, now: weekLater, files: realFiles(), ...o });
}
const packs = async () =>
  (await readdir(store.paths.packs))
    .filter((name) => name.endsWith('.pack'))
    .map((name) => name.slice(0, -5));

/** Six texts in 2025-11-14.1, of which 2025-11-14.2 keeps some. */
async function superseded(keeps: number): Promise<void> {
  const texts = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`a/${i}.json`, `text ${i}`]));
  await store.publish('2025-11-14', texts);
  const kept = Object.fromEntries(Object.entries(texts).slice(0, keeps));
  await store.publish('2025-11-14', { ...kept, 'b/new.json': 'new' });
}

describe('prune', () => {
  it('removes the pack of a superseded build that nothing draws on', async () => {
    await superseded(0);
    const told = await prune();
    expect(told).toMatchObject({ builds: ['2025-11-14.1'], removed: ['2025-11-14.1'], rewritten: [] });
    expect(await packs()).toEqual(['2025-11-14.2']);
    expect(await store.check()).toMatchObject({ unreachable_bytes: 0, problems: [] });
  });

  it('writes a pack anew that is less than half alive, and keeps one that is more', async () => {
    await superseded(2);
    const before = (await store.check()).bytes;
    const told = await prune();
    expect(told).toMatchObject({
      removed: [],
      rewritten: [{ from: '2025-11-14.1', to: '2025-11-14.1-c1' }],
    });
    expect(prunedText(told, { dryRun: false })).toMatch(
      /^Pruned 1 superseded build: 2025-11-14\.1; pack 2025-11-14\.1 but for what is needed of it, now 2025-11-14\.1-c1 \(\d+ bytes\)\.\n$/,
    );
    expect((await packs()).sort()).toEqual(['2025-11-14.1-c1', '2025-11-14.2']);
    const after = await store.check();
    expect(after).toMatchObject({ objects: 3, unreachable_bytes: 0, problems: [] });
    expect(after.bytes).toBeLessThan(before);
    const stored = await (await openRelease(store.paths, '2025-11-14.2')).readCoded('a/1.json');
    expect(stored?.payload.toString()).toBe('{"text":"text 1"}');
    expect([stored?.gzip, stored?.zstd]).not.toContain(null);
    // nothing is left to do
    expect(prunedText(await prune({ all: true }), { dryRun: false })).toBe('Nothing to prune.\n');
  });

  it('keeps a pack that is more than half alive as it is', async () => {
    await superseded(5);
    expect(await prune()).toMatchObject({ builds: ['2025-11-14.1'], removed: [], rewritten: [] });
    const check = await store.check();
    expect(check.problems).toEqual([]);
    expect(check.unreachable_bytes).toBeGreaterThan(0);
  });

  it('looks once at a pack whose own build is gone, and again when a build that drew on it goes', async () => {
    await superseded(4);
    expect(await prune()).toMatchObject({ builds: ['2025-11-14.1'], removed: [], rewritten: [] });
    const judged = join(store.paths.root, 'judged.json');
    expect(JSON.parse(await readFile(judged, 'utf8'))).toMatchObject({ packs: ['2025-11-14.1'] });
    // a night that removes nothing does not read where the objects of all releases lie
    const listed = join(store.paths.releases, '2025-11-14.2', 'packs.json');
    const kept = await readFile(listed, 'utf8');
    await writeFile(listed, '{');
    expect(prunedText(await prune(), { dryRun: false })).toBe('Nothing to prune.\n');
    await rm(judged);
    await expect(prune()).rejects.toMatchObject({ code: 'validation_failed' });
    await writeFile(listed, kept);
    await prune();
    // what drew on it is superseded in its turn
    await store.publish('2025-11-14', { 'c/other.json': 'other' });
    expect(await prune()).toMatchObject({
      builds: ['2025-11-14.2'],
      removed: ['2025-11-14.1', '2025-11-14.2'],
    });
    expect(await packs()).toEqual(['2025-11-14.3']);
    expect(JSON.parse(await readFile(judged, 'utf8'))).toMatchObject({ packs: [] });
    expect(await store.check()).toMatchObject({ unreachable_bytes: 0, problems: [] });
  });

  it('says in a rehearsal what it would do, and does nothing', async () => {
    await superseded(2);
    const before = await store.check();
    const would = await prune({ dryRun: true });
    expect(prunedText(would, { dryRun: true })).toMatch(/^Would prune 1 superseded build/);
    expect(await store.check()).toEqual(before);
    expect(await prune()).toEqual(would);
  });

  it('sweeps what a publication that died has left', async () => {
    await store.publish('2025-11-14', { 'a/1.json': 'one' });
    for (const suffix of ['idx', 'pack']) {
      const bytes = await readFile(join(store.paths.packs, `2025-11-14.1.${suffix}`));
      await writeFile(join(store.paths.packs, `2025-11-15.1.${suffix}`), bytes);
    }
    expect(await store.check()).toMatchObject({ packs: 2, duplicate_objects: 1 });
    expect(await prune()).toMatchObject({ builds: [], removed: ['2025-11-15.1'] });
    expect(await store.check()).toMatchObject({ packs: 1, duplicate_objects: 0, unreachable_bytes: 0 });
  });

  it('leaves a pack whose bytes are damaged, and every pack while a release cannot be read', async () => {
    await superseded(2);
    const kept = { root: store.paths.root, release: '2025-11-14.2', key: 'a/1.json' };
    damageArtifact(kept, { at: 3 });
    expect(await prune()).toMatchObject({ builds: ['2025-11-14.1'], removed: [], rewritten: [] });
    expect((await packs()).sort()).toEqual(['2025-11-14.1', '2025-11-14.2']);
    damageArtifact(kept, { at: 3 });
    await writeFile(join(store.paths.releases, '2025-11-14.2/packs.json'), '{}');
    await expect(prune({ all: true })).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await packs()).sort()).toEqual(['2025-11-14.1', '2025-11-14.2']);
  });

  it.each(['before', 'after', 'torn'] as const)(
    'that fails at any effect (%s) leaves a store that fsck accepts, and goes on',
    async (when) => {
      const fail = (effect: string): never => {
        throw new Error(`EIO, ${effect}`);
      };
      await superseded(2);
      const probe = faultyFiles(realFiles(), { at: -1, when, strike: fail });
      await prune({ files: probe });
      const effects = probe.count();
      expect(effects).toBeGreaterThan(8);
      for (let at = 1; at <= effects; at += 1) {
        await rm(store.paths.root, { recursive: true, force: true });
        await superseded(2);
        const files = faultyFiles(realFiles(), { at, when, strike: fail });
        await prune({ files }).catch((error: Error) => expect(error.message).toContain('EIO'));
        expect((await store.check()).problems).toEqual([]);
        await prune({ all: true });
        expect(await store.check()).toMatchObject({ objects: 3, problems: [], unreachable_bytes: 0 });
      }
    },
    60_000,
  );

  it('keeps exactly what is reachable, whatever was published', async () => {
    const texts = fc
      .uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 })
      .map((ids) => Object.fromEntries(ids.map((id) => [`a/${id}.json`, `text ${id}`])));
    const step = fc.record({ date: fc.constantFrom('2025-11-13', '2025-11-14', '2025-11-15'), texts });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await rm(store.paths.root, { recursive: true, force: true });
        const held = new Map<string, Texts>();
        for (const { date, texts } of steps) {
          const { release } = await store.publish(date, texts);
          held.set(release, texts);
        }
        const { builds } = await prune({ all: true });
        for (const name of builds) held.delete(name);
        expect(await listReleaseNames(store.paths)).toEqual([...held.keys()].sort());
        for (const [release, texts] of held) {
          for (const [key, text] of Object.entries(texts))
            expect(await artifactText({ root: store.paths.root, release, key })).toBe(
              JSON.stringify({ text }),
            );
        }
        const check = await store.check();
        expect(check.problems).toEqual([]);
        const size = await Promise.all(
          (await packs()).map(
            async (name) => (await readFile(join(store.paths.packs, `${name}.pack`))).length,
          ),
        );
        // what stays unreachable is less than half of the packs
        expect(2 * check.unreachable_bytes).toBeLessThanOrEqual(size.reduce((sum, one) => sum + one, 0));
      }),
      costlyRuns(25),
    );
  });
});
