import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../data/store/storePort.ts';
import { type BucketReplica, bucketReplica } from '../../fixtures/replicas/bucketReplica.ts';
import { type SmallStore, smallStore } from '../../fixtures/rigs/smallStore.ts';
import { type VirtualClock, virtualClock } from '../../fixtures/rigs/virtualClock.ts';
import { dataLayout } from '../dataLayout.ts';
import { realFiles } from '../effects.ts';
import { readSlices } from '../release/releaseStore.ts';
import { sequenceProblems } from '../release/sealPointers.ts';
import { checkStore } from './checkStore.ts';
import { withPublishing } from './withPublishing.ts';

// one publisher is frozen, or dies, at each of its calls of the store in turn; another one publishes meanwhile

/** Stands before every call of a store that the first publisher opened. */
const step = vi.hoisted(() => ({ before: async (_call: string): Promise<void> => undefined }));
vi.mock('../../data/store/openStore.ts', async (original) => {
  const { openStore } = await original<typeof import('../../data/store/openStore.ts')>();
  const stepping = (store: Store, before: (call: string) => Promise<void>): Store => ({
    ...store,
    read: (name, range) => before(`read ${name}`).then(() => store.read(name, range)),
    list: (prefix) => before(`list ${prefix}`).then(() => store.list(prefix)),
    pointer: (name) => before(`pointer ${name}`).then(() => store.pointer(name)),
    put: (name, body) => before(`put ${name}`).then(() => store.put(name, body)),
    replace: (name, bytes, o) => before(`replace ${name}`).then(() => store.replace(name, bytes, o)),
    remove: (name) => before(`remove ${name}`).then(() => store.remove(name)),
  });
  return {
    openStore: (request: Parameters<typeof openStore>[0]) => {
      const { before } = step;
      return stepping(openStore(request), before);
    },
  };
});

/** Every n-th call only, so that a short run takes a part; STRIDE=1 takes each. */
const stride = Number(process.env['STRIDE'] ?? 7);

let bucket: BucketReplica;
let scratch: string;
let clock: VirtualClock;
let machines: SmallStore[];
beforeEach(async () => {
  bucket = await bucketReplica();
  scratch = mkdtempSync(join(tmpdir(), 'two-publishers-'));
  clock = virtualClock('2025-11-20T09:30:00Z');
  machines = [];
  step.before = async () => undefined;
});
afterEach(async () => {
  await bucket.close();
  for (const machine of machines) await machine.close();
  rmSync(scratch, { recursive: true, force: true });
});

const night = (n: number) => ({ shared: 'in every night', own: `of night ${n}` });

/** Publishes one day from a machine, or does nothing but catch up. */
function publishFrom(machine: SmallStore, address: string, date: string | null, n = 0): Promise<void> {
  return withPublishing(
    {
      layout: dataLayout(machine.root),
      environment: { ...bucket.environment, II_STORE: address },
      effects: { clock, log: () => undefined, files: realFiles() },
      signal: new AbortController().signal,
    },
    async () => {
      if (date !== null) await machine.publish(date, night(n));
    },
  );
}

/** Two machines that both know one published night, and where it lies. */
async function shared(kind: 'bucket' | 'directory', at: number) {
  const address = kind === 'bucket' ? `s3://bucket/at${at}` : join(scratch, `at${at}`);
  const [one, two] = [await smallStore(), await smallStore()];
  machines.push(one, two);
  await publishFrom(one, address, '2025-11-17', 1);
  await publishFrom(two, address, null);
  return { address, one, two };
}

/** What is wrong with the store, and with the signed sequence as a machine that has just caught up sees it. */
async function problems({ address, one, two }: { address: string; one: SmallStore; two: SmallStore }) {
  const { openStore } = await import('../../data/store/openStore.ts');
  const store = openStore({ address, environment: bucket.environment });
  const { problems: found } = await checkStore({
    store,
    publicKeys: [one.key.publicKey, two.key.publicKey],
    stopIfAsked: () => undefined,
  });
  const pointers = await Promise.all(['current', 'slices.json'].map((name) => store.read(name)));
  store.close();
  const sequence = (await sequenceProblems(dataLayout(two.root))).filter(
    (problem) => !problem.includes('no published key'),
  );
  return { found, sequence, current: String(pointers[0]).trim(), slices: String(pointers[1]) };
}

const cases = (['bucket', 'directory'] as const).flatMap((kind) =>
  (['2025-11-19', '2025-11-18'] as const).map((heirs) => [kind, heirs] as const),
);

describe.each(cases)(
  'two publishers into one %s, the heir of %s, the frozen one of 2025-11-18',
  (kind, heirs) => {
    it('lose nothing, and mix nothing, wherever one of them is frozen for longer than its lease', {
      timeout: 600_000,
    }, async () => {
      const ends = new Map<string, number>();
      for (let at = 1; ; at += stride) {
        const world = await shared(kind, at);
        const { address, one, two } = world;
        let calls = 0;
        let frozenAt = '';
        step.before = async (call) => {
          calls += 1;
          if (calls !== at) return;
          frozenAt = call;
          step.before = async () => undefined;
          clock.advance(16 * 60_000);
          await publishFrom(two, address, heirs, 3);
          clock.advance(60_000);
        };
        const ended = await publishFrom(one, address, '2025-11-18', 2).then(
          () => 'done',
          (error: { code?: string }) => error.code ?? String(error),
        );
        step.before = async () => undefined;
        if (frozenAt === '') break;
        ends.set(ended, (ends.get(ended) ?? 0) + 1);
        const where = `frozen before call ${at}, ${frozenAt}; it ended with ${ended}`;
        const standing = await problems(world);
        expect(standing.found, where).toEqual([]);
        expect(standing.slices, where).toContain(`"${heirs}"`);
        if (ended === 'done') expect(standing.slices, where).toContain('"2025-11-18"');
        expect(['done', 'locked', 'validation_failed'], where).toContain(ended);
        // the heir sees no older state put back, and publishes on
        clock.advance(25 * 3_600_000);
        await publishFrom(two, address, '2025-11-20', 4);
        const after = await problems(world);
        expect(after.found, where).toEqual([]);
        expect(after.sequence, where).toEqual([]);
        expect(after.current, where).toBe('2025-11-20.1');
        const dates = Object.keys(await readSlices(two.paths));
        expect(dates, where).toEqual(expect.arrayContaining(['2025-11-17', heirs, '2025-11-20']));
      }
      if (process.env['STRIDE'] !== undefined)
        process.stdout.write(
          `frozen publishers of a ${kind}, heir of ${heirs}: ${JSON.stringify(Object.fromEntries(ends))}\n`,
        );
      expect(ends.size).toBeGreaterThan(1);
    });
  },
);
