import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type BucketReplica, bucketReplica } from '../../fixtures/replicas/bucketReplica.ts';
import { type SmallStore, smallStore } from '../../fixtures/rigs/smallStore.ts';
import { type VirtualClock, virtualClock } from '../../fixtures/rigs/virtualClock.ts';
import { dataLayout } from '../dataLayout.ts';
import { realFiles } from '../effects.ts';
import { readCurrent, readSlices } from '../release/releaseStore.ts';
import { withPublishing } from './withPublishing.ts';

let bucket: BucketReplica;
let clock: VirtualClock;
let one: SmallStore;
let two: SmallStore;
let told: string[];
beforeEach(async () => {
  bucket = await bucketReplica();
  clock = virtualClock('2025-11-20T09:30:00Z');
  [one, two] = [await smallStore(), await smallStore()];
  told = [];
});
afterEach(async () => {
  await bucket.close();
  await one.close();
  await two.close();
});

const night = (n: number) => ({ shared: 'in every night', own: `of night ${n}` });
const on = <T>(
  machine: SmallStore,
  act: (restored: readonly string[]) => Promise<T>,
  store = 's3://bucket/store',
) =>
  withPublishing(
    {
      layout: dataLayout(machine.root),
      environment: { ...bucket.environment, II_STORE: store },
      effects: { clock, log: ({ message }) => told.push(message), files: realFiles() },
      signal: new AbortController().signal,
    },
    act,
  );
const current = () => bucket.objects.get('store/current')?.toString() ?? null;

describe('what a store lost that the bucket has', () => {
  const files = {
    'slices.json': '{',
    current: 'x',
    'releases/2025-11-19.1/manifest.json': '{',
    'releases/2025-11-18.1/packs.json': '',
    'packs/2025-11-19.1.pack': 'x',
    'packs/2025-11-19.1.idx': 'x',
  };
  it.each(Object.entries(files))('%s comes back byte for byte before the night', async (name, text) => {
    await on(one, () => one.publish('2025-11-18', night(1)));
    await on(one, () => one.publish('2025-11-19', night(2)));
    const path = join(one.paths.root, name);
    const before = readFileSync(path);
    writeFileSync(path, text);
    const restored = await on(one, async (said) => {
      expect(readFileSync(path).equals(before)).toBe(true);
      await one.publish('2025-11-20', night(3));
      return said;
    });
    expect(restored).toEqual([expect.stringMatching(/copied back from s3:\/\/bucket\/store$/)]);
    expect(current()).toBe('2025-11-20.1\n');
  });
});

describe('publishing into a bucket', () => {
  it('goes on from any machine, with what the other one published', async () => {
    await on(one, () => one.publish('2025-11-18', night(1)));
    expect(current()).toBe('2025-11-18.1\n');
    const seen = await on(two, async () => {
      const before = await readCurrent(two.paths);
      await two.publish('2025-11-19', night(2));
      return before;
    });
    expect(seen).toBe('2025-11-18.1');
    expect(current()).toBe('2025-11-19.1\n');
    await on(one, () => one.publish('2025-11-20', night(3)));
    expect(await readSlices(one.paths)).toEqual({
      '2025-11-18': '2025-11-18.1',
      '2025-11-19': '2025-11-19.1',
      '2025-11-20': '2025-11-20.1',
    });
    const names = [...bucket.objects.keys()].filter((name) => name.endsWith('.pack')).sort();
    expect(names).toEqual(['18', '19', '20'].map((day) => `store/packs/2025-11-${day}.1.pack`));
  });

  it('lets one of two nights that begin at once run, and ends the other with 75', async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const first = on(one, async () => {
      begun.resolve();
      await go.promise;
      await one.publish('2025-11-18', night(1));
    });
    await begun.promise;
    let ran = false;
    const second = on(two, async () => {
      ran = true;
    });
    const refused = await second.catch((error: unknown) => error);
    expect((refused as IssuerError).toCli()).toMatchObject({ code: 'locked', exitCode: 75 });
    expect(ran).toBe(false);
    go.resolve();
    await first;
    expect(current()).toBe('2025-11-18.1\n');
    await on(two, () => two.publish('2025-11-19', night(2)));
    expect(current()).toBe('2025-11-19.1\n');
  });

  it('publishes nothing once another machine took the right over', async () => {
    await on(one, () => one.publish('2025-11-18', night(1)));
    const late = on(one, async () => {
      await one.publish('2025-11-19', night(2));
      clock.advance(16 * 60_000);
      await on(two, () => two.publish('2025-11-20', night(3)));
    });
    await expect(late).rejects.toMatchObject({ code: expect.stringMatching(/^(locked|validation_failed)$/) });
    expect(current()).toBe('2025-11-20.1\n');
    await expect(on(one, async () => undefined)).rejects.toMatchObject({
      message: expect.stringContaining('published into apart'),
    });
  });

  it('publishes the nights that stand when a later one fails, and reports its failure', async () => {
    const failed = on(one, async () => {
      await one.publish('2025-11-18', night(1));
      throw new IssuerError({ code: 'source_refused', message: 'No archive.', hint: 'Wait.' });
    });
    await expect(failed).rejects.toMatchObject({ code: 'source_refused' });
    expect(current()).toBe('2025-11-18.1\n');
  });

  it('goes on when the credentials expired half-way', async () => {
    await on(one, () => one.publish('2025-11-18', night(1)));
    const expiring = on(one, async () => {
      await one.publish('2025-11-19', night(2));
      bucket.misbehave((asked) =>
        asked.method === 'PUT' && asked.key.endsWith('manifest.json')
          ? { status: 400, code: 'ExpiredToken' }
          : null,
      );
    });
    await expect(expiring).rejects.toMatchObject({
      code: 'configuration',
      message: 'The credentials for bucket bucket have expired.',
    });
    expect(current()).toBe('2025-11-18.1\n');
    bucket.misbehave(() => null);
    await on(one, async () => undefined);
    expect(current()).toBe('2025-11-19.1\n');
  });

  it('moves no pointer when the bucket gives back other bytes than it was sent', async () => {
    await on(one, () => one.publish('2025-11-18', night(1)));
    const lying = on(one, async () => {
      await one.publish('2025-11-19', night(2));
      bucket.misbehave(({ method, key }) =>
        method === 'GET' && key.endsWith('2025-11-19.1.pack') ? 'other bytes' : null,
      );
    });
    await expect(lying).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('Release 2025-11-19.1 does not verify'),
    });
    expect(current()).toBe('2025-11-18.1\n');
    expect(await readCurrent(one.paths)).toBe('2025-11-19.1');
  });

  it('brings how the night ended and its audit along', async () => {
    await on(one, async () => {
      await one.publish('2025-11-18', night(1));
      mkdirSync(join(one.paths.root, 'audit'));
      writeFileSync(join(one.paths.root, 'audit/2025-11-18.json'), '{"audit":1}');
      writeFileSync(one.paths.lastRun, '{"status":"ok"}');
    });
    expect(bucket.objects.get('store/audit/2025-11-18.json')?.toString()).toBe('{"audit":1}');
    expect(bucket.objects.get('store/last-run.json')?.toString()).toBe('{"status":"ok"}');
    expect(told.at(-1)).toMatch(/^published to s3:\/\/bucket\/store: 1 releases, \d+ bytes$/);
  });

  it('refuses a service that ignores conditions, before the night begins', async () => {
    const careless = await bucketReplica({ ignoresConditions: true });
    const request = {
      layout: dataLayout(one.root),
      environment: { ...careless.environment, II_STORE: 's3://bucket/store' },
      effects: { clock, log: () => undefined, files: realFiles() },
      signal: new AbortController().signal,
    };
    let ran = false;
    const night = withPublishing(request, async () => {
      ran = true;
    });
    await expect(night).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('ignores conditions'),
    });
    expect(ran).toBe(false);
    await careless.close();
  });

  it('asks no bucket where none is named', async () => {
    await on(one, () => one.publish('2025-11-18', night(1)), '');
    expect(bucket.asked).toEqual([]);
  });
});
