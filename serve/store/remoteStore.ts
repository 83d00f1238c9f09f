import { type LastRun, lastRun } from '../../data/contract/release/releaseFiles.ts';
import { packLibrary } from '../../data/store/packLibrary.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import type { StoreReads } from '../../data/store/storeReads.ts';
import { type ArtifactFault, artifactFaults, StoreAway, unavailable, unservable } from './artifactFaults.ts';
import type { ArtifactStore, Snapshot } from './artifactStore.ts';
import { byteCache } from './byteCache.ts';
import { hotArtifacts, openedReleases } from './openedReleases.ts';
import type { CachedArtifact, ReleaseCaches } from './packedRelease.ts';
import {
  keptPointers,
  keptPointersName,
  type PointerFiles,
  pointerFiles,
  type RemotePointers,
  releaseSnapshot,
} from './pointerFiles.ts';
import { remoteHealth, type TellStore } from './remoteHealth.ts';
import type { ReplicaFiles } from './replicaFiles.ts';
import { replicaReads } from './replicaReads.ts';
import { figuresName, keptAuditName, maxAuditBytes, remoteAudits } from './storedAudit.ts';
import { type JudgeKey, parsedJson } from './verifySigned.ts';

/** How often the pointers are read, give or take a fifth, so that servers do not ask together. */
const pollMs = 3_000;
/** The least time between two reads that requests ask for. */
const leastMs = 1_000;
/** How long is waited for a read, its repetitions included. */
const readMs = 8_000;
/** How long hot artifacts of a new release are loaded before it answers. */
const warmMs = 20_000;
/** A release whose indexes cannot all be had is taken up after so many reads, with what there is of it. */
const patientLooks = 3;
const indexesAtOnce = 8;
const maxPointerBytes = 4 * 1024 * 1024;

/** Artifacts in object storage, read through a local replica. */
export type RemoteStore = ArtifactStore & {
  /** Looks at the pointers now and takes up what they name; without the store, what the replica holds whole. */
  look(): Promise<void>;
  /** Looks at once, then again and again until it is stopped. */
  start(): Promise<void>;
  stop(): void;
};

/** What answers: the pointers as they were taken up. */
type Taken = { readonly stamp: string; readonly files: PointerFiles; readonly snapshot: Snapshot };

/** Whether a release can be opened, and what of it could not be read; null when nothing. */
type Prepared = { readonly isOpen: boolean; readonly lack: string | null };
const whole: Prepared = { isOpen: true, lack: null };

/**
 * Serves a store behind the network (STORE ST15). A new release is taken up once its manifest, `packs.json`, indexes and
 * what the cache holds of the one before are here; until then, and while the store is away, the old one answers.
 *
 * @param tell the log: receives each change once
 */
export function remoteStore({
  remote,
  files,
  cacheBytes,
  time,
  random,
  trusts,
  tell,
  onFault = () => {},
}: {
  remote: StoreReads;
  files: ReplicaFiles;
  cacheBytes: number;
  time: { nowMs(): number; after(ms: number, task: () => void): () => void };
  /** From 0 to below 1. */
  random(): number;
  trusts: JudgeKey;
  tell: TellStore;
  onFault?(fault: ArtifactFault): void;
}): RemoteStore {
  const nowMs = (): number => time.nowMs();
  let tries = { stamp: '', count: 0 };
  let taken: Taken | null = null;
  let run: LastRun | null = null;
  let looking: Promise<void> | null = null;
  let failed: { readonly atMs: number; readonly error: unknown } | null = null;
  let opened: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  let cancel: (() => void) | null = null;

  const health = remoteHealth({
    tell,
    nowMs,
    serving: () => taken?.files.currentName ?? null,
    // what failed for the outage alone is well again
    onBack: () => faults.clear(),
  });
  const cache = byteCache<CachedArtifact>(cacheBytes);
  const hot = hotArtifacts({ isHeld: (at) => cache.get(at) !== undefined, nowMs, withinMs: warmMs });
  const faults = artifactFaults({ onFault, nowMs });
  const caches: ReleaseCaches = { cache, loading: new Map(), faults, reproves: true, onLoad: hot.note };
  const reads = replicaReads({
    remote,
    files,
    isAway: () => health.away !== null,
    withinMs: readMs,
    after: time.after,
  });
  const audits = remoteAudits({ reads, files, trusts, nowMs });
  const library = packLibrary(reads);
  const releases = openedReleases({ library, read: readSmall, trusts, caches });

  async function readSmall(name: string, limit: number): Promise<Buffer | null> {
    const key = name.split('/').at(-1) ?? name;
    const bytes = await reads.read(name).catch((error: unknown) => {
      throw unservable(key, error);
    });
    if (bytes !== null && bytes.length > limit) throw unavailable(key, 'it is too large');
    return bytes;
  }

  async function readPointers(): Promise<RemotePointers> {
    const read = async (name: string): Promise<Buffer | null> => {
      const bytes = await reads.fresh(name);
      if (bytes !== null && bytes.length > maxPointerBytes) throw unavailable(name, 'it is too large');
      return bytes;
    };
    const others = Promise.all([read(storeNames.layout), read('last-run.json')]);
    others.catch(() => {});
    // a publication moves slices.json first, so that it names at least what current names
    const current = await read('current');
    const slices = await read('slices.json');
    const [layout, lastNight] = await others;
    return { layout, current, slices, lastRun: lastNight };
  }

  /** Follows the audits beside the reads of pointers, so that a slow one delays no release. */
  function followAudits(pointers: RemotePointers, stamp: string): void {
    const { dates, withdrawn } = pointerFiles(pointers);
    const days = [...dates, ...withdrawn.map(({ source_date }) => source_date)];
    following = audits.follow({ stamp: `${stamp}\0${pointers.lastRun}`, days });
  }

  /** Names of the files of a release that a start without the store needs. */
  async function filesOf(name: string): Promise<Set<string>> {
    const { packs } = await releases.packs(name);
    return new Set([
      keptPointersName,
      storeNames.manifest(name),
      storeNames.packs(name),
      ...packs.map((pack) => storeNames.index(pack)),
    ]);
  }

  const pin = (names: ReadonlySet<string>): void => files.pin(new Set([...names, keptAuditName]));

  /** Reads manifest, packs.json and every index, then what is hot. */
  async function prepare(name: string): Promise<Prepared> {
    const release = await releases.release(name).catch(sentenceOf);
    if (typeof release === 'string') return { isOpen: false, lack: release };
    pin((await filesOf(name)).union(await filesOfTaken()));
    const { packs } = await releases.packs(name);
    let lack: string | null = null;
    const queue = packs.values();
    const worker = async (): Promise<void> => {
      for (const pack of queue) {
        // a store that went away is noticed at the next read, not after every index
        if (lack !== null) return;
        const index = await library.index(pack).catch((error: unknown) => sentenceOf(error));
        if (index === null) lack ??= `pack ${pack} is missing`;
        else if (typeof index === 'string') lack ??= `the index of pack ${pack}: ${index}`;
      }
    };
    await Promise.all(Array.from({ length: indexesAtOnce }, worker));
    await release.issuers().catch(() => {});
    if (lack === null) await hot.load(release);
    return { isOpen: true, lack };
  }

  async function filesOfTaken(): Promise<Set<string>> {
    const name = taken?.files.currentName ?? null;
    return name === null ? new Set() : filesOf(name).catch(() => new Set<string>());
  }

  /** Whether what answers may go on while the release that was promoted after it cannot be taken up. */
  function mayGoOn(next: PointerFiles): boolean {
    const said = (pointers: PointerFiles) => JSON.stringify(pointers.withdrawn);
    return taken !== null && taken.files.currentName !== null && said(taken.files) === said(next);
  }

  async function takeUp(pointers: RemotePointers, stamp: string): Promise<void> {
    const next = pointerFiles(pointers);
    const { currentName } = next;
    const { isOpen, lack } = currentName === null ? whole : await prepare(currentName);
    if (isOpen) tries = { stamp, count: tries.stamp === stamp ? tries.count + 1 : 1 };
    if (lack !== null && mayGoOn(next) && !(isOpen && tries.count >= patientLooks)) {
      health.setBehind(`${currentName}: ${lack.replace(/\.$/, '')}`);
      return;
    }
    health.setBehind(null);
    const before = taken?.files.currentName ?? null;
    // one that cannot be opened is tried again at the next read
    taken = { stamp: isOpen ? stamp : '', files: next, snapshot: releaseSnapshot(next, releases.release) };
    if (currentName !== before)
      tell({ level: 'info', event: 'release_taken', fields: { release: currentName, lack } });
    if (currentName === null || !isOpen) return;
    pin(await filesOf(currentName));
    await files.keep(keptPointersName, keptPointers.encode(pointers));
  }

  /** Without the store: the release that was taken up last, where the replica holds all of it that a start needs. */
  async function takeKept(): Promise<void> {
    const pointers = keptPointers.decode(await files.read(keptPointersName));
    if (pointers === null) return;
    const kept = pointerFiles(pointers);
    if (kept.currentName === null) return;
    await releases.release(kept.currentName);
    const needed = await filesOf(kept.currentName);
    if (![...needed].every(files.has)) return;
    pin(needed);
    taken = { stamp: '', files: kept, snapshot: releaseSnapshot(kept, releases.release) };
    run = runOf(pointers.lastRun);
    await audits.takeKept();
    tell({ level: 'warn', event: 'started_without_store', fields: { release: kept.currentName } });
  }

  async function lookOnce(): Promise<void> {
    opened ??= files.open();
    await opened;
    try {
      const pointers = await readPointers();
      health.setBack();
      run = runOf(pointers.lastRun);
      const stamp = [pointers.layout, pointers.current, pointers.slices].map(String).join('\0');
      if (taken?.stamp === stamp) health.setBehind(null);
      else await takeUp(pointers, stamp);
      followAudits(pointers, stamp);
    } catch (error) {
      if (error instanceof StoreAway) health.setAway(error);
      else health.setBehind(sentenceOf(error));
      if (taken === null && error instanceof StoreAway) await takeKept().catch(() => {});
      if (taken !== null) return;
      failed = { atMs: nowMs(), error: error instanceof StoreAway ? unservable('current', error) : error };
      throw failed.error;
    }
  }

  const look = (): Promise<void> => {
    looking ??= lookOnce().finally(() => {
      looking = null;
    });
    return looking;
  };

  function schedule(): void {
    cancel = time.after(pollMs * (0.8 + 0.4 * random()), () => {
      look()
        .catch(() => {})
        .finally(() => {
          if (cancel !== null) schedule();
        });
    });
  }

  async function first(): Promise<Snapshot> {
    // requests that come while nothing can be served do not ask the store each
    if (failed !== null && nowMs() - failed.atMs < leastMs) throw failed.error;
    await look();
    if (taken === null) throw unavailable('current', 'the object store was not read yet');
    return taken.snapshot;
  }

  return {
    async look() {
      await look();
      await following;
    },
    async start() {
      await look().catch(() => {});
      await following;
      schedule();
    },
    stop() {
      cancel?.();
      cancel = null;
      reads.close();
    },
    snapshot: async () => taken?.snapshot ?? first(),
    lastRun: async () => run,
    async audit() {
      if (taken === null) await first();
      return audits.newest();
    },
    async figures(sourceDate) {
      const range = { start: 0, length: maxAuditBytes };
      return reads.fresh(figuresName(sourceDate), range).catch((error: unknown) => {
        throw unservable(figuresName(sourceDate), error);
      });
    },
    faults: (release) => faults.of(release),
    remote: () => ({
      away: health.away,
      behind: health.behind,
      unkept: files.unkept,
      replicaBytes: files.bytes,
      reads: reads.counts(),
    }),
  };
}

function runOf(bytes: Buffer | null): LastRun | null {
  const parsed = lastRun.safeParse(parsedJson(bytes));
  return parsed.success ? parsed.data : null;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
