import { releaseName } from '../../data/contract/release/releaseFiles.ts';
import { packName } from '../../data/store/storeFiles.ts';
import type { ByteRange, StoreReads } from '../../data/store/storeReads.ts';
import { StoreAway } from './artifactFaults.ts';
import type { ReplicaFiles } from './replicaFiles.ts';

/** How reads went since the start. */
export type ReadCounts = { readonly kept: number; readonly fetched: number; readonly failed: number };

/** Reads of a remote store with a local replica before it (STORE ST15). */
export type ReplicaReads = StoreReads & {
  /** Reads an object as it is now, past the replica and also while the store counts as away. @throws StoreAway */
  fresh(name: string, range?: ByteRange): Promise<Buffer | null>;
  counts(): ReadCounts;
};

/** Half a megabyte a second is the least that is waited for. */
const slowestBytesPerMs = 512;

/**
 * Puts a replica before a remote store. Packs are stored as the ranges that were asked for, which are what callers prove by
 * hash, so that a cold object costs one ranged read; indexes, manifests and `packs.json` are stored whole; pointers never.
 * What is asked for by many at once is fetched once.
 *
 * @param isAway whether the store counts as away: then only what is stored here is returned, at once
 * @param withinMs how long is waited for a pointer; longer for what is larger
 */
export function replicaReads({
  remote,
  files,
  isAway,
  withinMs,
  after,
}: {
  remote: StoreReads;
  files: ReplicaFiles;
  isAway(): boolean;
  withinMs: number;
  /** Runs a task once after so many milliseconds; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}): ReplicaReads {
  const running = new Map<string, Promise<Buffer | null>>();
  const counts = { kept: 0, fetched: 0, failed: 0 };

  async function fetch(name: string, range: ByteRange | undefined, waitMs: number): Promise<Buffer | null> {
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = after(waitMs, () => reject(new StoreAway('it answers too late', { isKnown: false })));
    });
    try {
      const bytes = await Promise.race([remote.read(name, range), late]);
      counts.fetched += 1;
      return bytes;
    } catch (error) {
      counts.failed += 1;
      throw error instanceof StoreAway
        ? error
        : new StoreAway(sentenceOf(error), { isKnown: false, cause: error });
    } finally {
      cancel();
    }
  }
  async function fill(at: string, { name, range }: { name: string; range: ByteRange | undefined }) {
    const waitMs = range === undefined ? 2 * withinMs : withinMs + range.length / slowestBytesPerMs;
    const bytes = await fetch(name, range, waitMs);
    // too few bytes are reported to the caller and not stored
    if (bytes !== null && (range === undefined || bytes.length === range.length)) await files.keep(at, bytes);
    return bytes;
  }

  return {
    async read(name, range) {
      const at = placeOf(name, range);
      const kept = at === null ? null : await files.read(at);
      if (kept !== null) {
        counts.kept += 1;
        return kept;
      }
      if (isAway()) throw knownAway();
      if (at === null) return fetch(name, range, withinMs);
      let filling = running.get(at);
      if (filling === undefined) {
        filling = fill(at, { name, range }).finally(() => running.delete(at));
        running.set(at, filling);
      }
      return filling;
    },
    fresh: (name, range) => fetch(name, range, withinMs),
    list(prefix) {
      if (isAway()) return Promise.reject(knownAway());
      return remote.list(prefix);
    },
    forget(name, range) {
      const at = name.endsWith('.pack') && range === undefined ? `${name}/` : placeOf(name, range);
      if (at !== null) void files.drop(at);
      remote.forget(name, range);
    },
    close: () => remote.close(),
    counts: () => ({ ...counts }),
  };
}

/** Where bytes of an object lie in the replica; null for what is never stored. */
function placeOf(name: string, range?: ByteRange): string | null {
  const [folder, first, second, ...more] = name.split('/');
  if (folder === 'packs' && first !== undefined && second === undefined) {
    const [, pack, suffix] = /^(.+)\.(pack|idx)$/.exec(first) ?? [];
    if (!packName.safeParse(pack).success) return null;
    if (suffix === 'idx') return range === undefined ? name : null;
    return range === undefined ? null : `${name}/${range.start}-${range.length}`;
  }
  const isOfRelease = folder === 'releases' && releaseName.safeParse(first).success && more.length === 0;
  return isOfRelease && range === undefined && (second === 'manifest.json' || second === 'packs.json')
    ? name
    : null;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it cannot be read';
}

function knownAway(): StoreAway {
  return new StoreAway('it does not answer', { isKnown: true });
}
