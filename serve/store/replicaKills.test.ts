import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FaultyReads, faultyReads } from '../../fixtures/rigs/objectStore/faultyReads.ts';
import { type SmallStore, smallStore, type Texts } from '../../fixtures/rigs/smallStore.ts';
import { remoteStore } from './remoteStore.ts';
import { replicaFiles } from './replicaFiles.ts';

// a server is killed at each change it makes to its replica; the next one starts over what that left, with the store and without

type When = 'before' | 'torn' | 'after';
/** The changes below the replica are counted; at the n-th the process dies, and nothing works from then on. */
const death = vi.hoisted(() => ({
  root: '/none',
  at: 0,
  when: 'before' as 'before' | 'torn' | 'after',
  count: 0,
  isDead: false,
}));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  async function around<T>(path: unknown, act: () => Promise<T>, tear?: () => Promise<unknown>): Promise<T> {
    if (!String(path).startsWith(death.root)) return act();
    if (death.isDead) throw new Error('the process is dead');
    death.count += 1;
    if (death.count !== death.at) return act();
    death.isDead = true;
    if (death.when === 'torn') await tear?.();
    if (death.when === 'after') await act();
    throw new Error(`killed at change ${death.at}`);
  }
  const mocked: Partial<typeof real> = {
    mkdir: ((path, o) => around(path, () => real.mkdir(path, o))) as typeof real.mkdir,
    rm: (path, o) => around(path, () => real.rm(path, o)),
    rename: (from, to) => around(from, () => real.rename(from, to)),
    writeFile: (path, data, o) =>
      around(
        path,
        () => real.writeFile(path, data, o),
        () => real.writeFile(path, Buffer.from(data as Uint8Array).subarray(0, 7), o),
      ),
  };
  return { ...real, ...mocked };
});

let store: SmallStore;
let remote: FaultyReads;
let published: Map<string, Texts>;
/** Whether the release before was taken up whole before the kill. */
let tookUp: boolean;
const counts = { kills: 0, answers: 0, startsWithout: 0, startsNeither: 0 };
beforeEach(async () => {
  store = await smallStore();
  remote = faultyReads(store.paths.root);
  published = new Map();
  await publish('2025-11-13', 1);
});
afterEach(() => store.close());

async function publish(date: string, n: number): Promise<void> {
  const texts = Object.fromEntries(
    ['a/1.json', 'a/2.json', 'b/1.json'].map((key) => [key, `${key} ${n} ${'x'.repeat(300 * n)}`]),
  );
  published.set((await store.publish(date, texts)).release, texts);
}

/** A server of its own over the same replica; room for little, so that files go as well as come. */
function server(root: string) {
  const files = replicaFiles({ root, maxBytes: 9 * 4096, nowMs: () => 0, onUnkept: () => {} });
  return remoteStore({
    remote,
    files,
    cacheBytes: 0,
    time: { nowMs: () => 0, after: () => () => {} },
    random: () => 0,
    trusts: () => ({ published: true, keyId: store.key.keyId }),
    tell: () => {},
  });
}

/** Reads every artifact of the release that answers; each must be as it was published. Returns the release. */
async function answers(from: ReturnType<typeof server>): Promise<string | null> {
  const release = await (await from.snapshot()).current();
  if (release === null) return null;
  for (const [key, text] of Object.entries(published.get(release.name) ?? {})) {
    const found = await release.object(key).catch((error: { code?: string }) => error.code);
    if (found === 'artifact_unavailable') continue;
    expect(
      String((found as Exclude<typeof found, string | undefined>)?.bodies.body('identity').bytes),
    ).toContain(text);
    counts.answers += 1;
  }
  return release.name;
}

/** What a server does with its replica: takes up a release, reads it, takes up the next one, reads that. */
async function life(root: string, next: () => Promise<void>): Promise<void> {
  const first = server(root);
  await first.look();
  tookUp = !death.isDead;
  await answers(first);
  await next();
  await first.look();
  await answers(first);
}

describe('a replica whose server is killed at any of its changes', () => {
  it.each<When>(['before', 'torn', 'after'])(
    '%s it, is read as it was published or not at all, and filled again',
    async (when) => {
      let n = 1;
      for (let at = 1; ; at += 1) {
        const root = join(store.root, `replica-${when}-${at}`);
        Object.assign(death, { root, at, when, count: 0, isDead: false });
        tookUp = false;
        await life(root, async () => {
          n += 1;
          await publish(new Date(Date.UTC(2025, 10, 12 + n)).toISOString().slice(0, 10), n);
        }).catch(() => {});
        const wasKilled = death.isDead;
        Object.assign(death, { at: 0, isDead: false });
        if (!wasKilled) break;
        counts.kills += 1;
        // without the store: a release that was taken up, whole, or none
        remote.misbehave('failing');
        const without = await answers(server(root)).catch(() => null);
        remote.misbehave(null);
        if (without === null) counts.startsNeither += 1;
        else counts.startsWithout += 1;
        if (tookUp) expect(without, `${when} change ${at}`).not.toBeNull();
        const before = counts.answers;
        const again = server(root);
        await again.look();
        expect(await answers(again), `${when} change ${at}`).toBe([...published.keys()].at(-1));
        expect(counts.answers - before, `${when} change ${at}`).toBe(3);
      }
      expect(counts.kills).toBeGreaterThan(10);
      if (process.env['REPLICA_COUNTS'] !== undefined)
        process.stdout.write(`kills of replicas, ${when}: ${JSON.stringify(counts)}\n`);
    },
  );
});
