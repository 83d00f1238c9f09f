import { type LastRun, lastRun, promotionNames } from '../../data/contract/release/releaseFiles.ts';
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
  type PromotionWatch,
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

/** What a store behind the network is made with. */
export type RemoteInput = {
  readonly remote: StoreReads;
  readonly files: ReplicaFiles;
  readonly cacheBytes: number;
  readonly time: { nowMs(): number; after(ms: number, task: () => void): () => void };
  /** From 0 to below 1. */
  random(): number;
  /** Whether releases of a key are this deployment's (I9.16a). */
  readonly trusts: JudgeKey;
  /** Looks at the sequence of pointers before they are taken up. */
  readonly watch?: PromotionWatch | undefined;
  readonly tell: TellStore;
  onFault?(fault: ArtifactFault): void;
};

/** A store behind the network while it is followed. */
type Followed = Pick<RemoteInput, 'files' | 'time' | 'random' | 'tell' | 'watch'> & {
  readonly health: ReturnType<typeof remoteHealth>;
  readonly hot: ReturnType<typeof hotArtifacts>;
  readonly reads: ReturnType<typeof replicaReads>;
  readonly audits: ReturnType<typeof remoteAudits>;
  readonly library: ReturnType<typeof packLibrary>;
  readonly releases: ReturnType<typeof openedReleases>;
  /** What answers; null until something does. */
  readonly taken: { now: Taken | null };
  run: LastRun | null;
  /** How often a release that lacks something was looked at. */
  tries: { readonly stamp: string; readonly count: number };
  /** Why nothing answers. */
  failed: { readonly atMs: number; readonly error: unknown } | null;
  /** What is under way: opening the replica, a look, following audits, the wait for the next look. */
  readonly running: {
    opened: Promise<void> | null;
    looking: Promise<void> | null;
    following: Promise<void> | null;
    cancel: (() => void) | null;
  };
};

/**
 * Serves a store behind the network (STORE ST15). A new release is taken up once its manifest, `packs.json`, indexes and
 * what the cache holds of the one before are here; until then, and while the store is away, the old one answers.
 *
 * @param tell the log: receives each change once
 */
export function remoteStore(input: RemoteInput): RemoteStore {
  const { files } = input;
  const { followed, faults } = unfollowed(input);
  const { health, reads, audits, taken, running } = followed;
  return {
    async look() {
      await look(followed);
      await running.following;
    },
    async start() {
      await look(followed).catch(() => {});
      await running.following;
      schedule(followed);
    },
    stop() {
      running.cancel?.();
      running.cancel = null;
      reads.close();
    },
    snapshot: async () => taken.now?.snapshot ?? first(followed),
    lastRun: async () => followed.run,
    async audit() {
      if (taken.now === null) await first(followed);
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

/** The parts put together; nothing is read yet. */
function unfollowed({
  remote,
  files,
  cacheBytes,
  time,
  random,
  trusts,
  watch,
  tell,
  onFault = () => {},
}: RemoteInput) {
  const nowMs = (): number => time.nowMs();
  const taken: Followed['taken'] = { now: null };
  const faults = artifactFaults({ onFault, nowMs });
  const health = remoteHealth({
    tell,
    nowMs,
    serving: () => taken.now?.files.currentName ?? null,
    // what failed for the outage alone is well again
    onBack: () => faults.clear(),
  });
  const cache = byteCache<CachedArtifact>(cacheBytes);
  const hot = hotArtifacts({ isHeld: (at) => cache.get(at) !== undefined, nowMs, withinMs: warmMs });
  const caches: ReleaseCaches = { cache, loading: new Map(), faults, reproves: true, onLoad: hot.note };
  const isAway = (): boolean => health.away !== null;
  const reads = replicaReads({ remote, files, isAway, withinMs: readMs, after: time.after });
  const library = packLibrary(reads);
  const read = async (name: string, limit: number): Promise<Buffer | null> => {
    const key = name.split('/').at(-1) ?? name;
    const bytes = await reads.read(name).catch((error: unknown) => {
      throw unservable(key, error);
    });
    if (bytes !== null && bytes.length > limit) throw unavailable(key, 'it is too large');
    return bytes;
  };
  const followed: Followed = {
    files,
    time,
    random,
    watch,
    tell,
    health,
    hot,
    reads,
    audits: remoteAudits({ reads, files, trusts, nowMs }),
    library,
    releases: openedReleases({ library, read, trusts, caches }),
    taken,
    run: null,
    tries: { stamp: '', count: 0 },
    failed: null,
    running: { opened: null, looking: null, following: null, cancel: null },
  };
  return { followed, faults };
}

// one look at the pointers, and what follows from it

function look(followed: Followed): Promise<void> {
  const { running } = followed;
  running.looking ??= lookOnce(followed).finally(() => {
    running.looking = null;
  });
  return running.looking;
}

async function lookOnce(followed: Followed): Promise<void> {
  const { files, health, taken, time, running } = followed;
  running.opened ??= files.open();
  await running.opened;
  try {
    const pointers = await readPointers(followed);
    health.setBack();
    followed.run = runOf(pointers.lastRun);
    const stamp = [pointers.layout, pointers.current, pointers.slices].map(String).join('\0');
    if (taken.now?.stamp === stamp) health.setBehind(null);
    else await takeUp(followed, pointers, stamp);
    followAudits(followed, pointers, stamp);
  } catch (error) {
    if (error instanceof StoreAway) health.setAway(error);
    else health.setBehind(sentenceOf(error));
    if (taken.now === null && error instanceof StoreAway) await takeKept(followed).catch(() => {});
    if (taken.now !== null) return;
    const shown = error instanceof StoreAway ? unservable('current', error) : error;
    followed.failed = { atMs: time.nowMs(), error: shown };
    throw shown;
  }
}

async function readPointers({ reads, watch }: Followed): Promise<RemotePointers> {
  const read = async (name: string): Promise<Buffer | null> => {
    const bytes = await reads.fresh(name);
    if (bytes !== null && bytes.length > maxPointerBytes) throw unavailable(name, 'it is too large');
    return bytes;
  };
  const others = Promise.all([read(storeNames.layout), read('last-run.json')]);
  others.catch(() => {});
  // signed last by a publication, so read first: pointers are never older than it
  const promotion = watch === undefined ? null : await read(promotionNames.stored);
  // a publication moves slices.json first, so that it names at least what current names
  const current = await read('current');
  const slices = await read('slices.json');
  const [layout, lastNight] = await others;
  watch?.check({ layout, current, slices, promotion });
  return { layout, current, slices, lastRun: lastNight };
}

/** Follows the audits beside the reads of pointers, so that a slow one delays no release. */
function followAudits({ audits, running }: Followed, pointers: RemotePointers, stamp: string): void {
  const { dates, withdrawn } = pointerFiles(pointers);
  const days = [...dates, ...withdrawn.map(({ source_date }) => source_date)];
  running.following = audits.follow({ stamp: `${stamp}\0${pointers.lastRun}`, days });
}

async function takeUp(followed: Followed, pointers: RemotePointers, stamp: string): Promise<void> {
  const { files, health, releases, taken, tell, tries } = followed;
  const next = pointerFiles(pointers);
  const { currentName } = next;
  const { isOpen, lack } = currentName === null ? whole : await prepare(followed, currentName);
  if (isOpen) followed.tries = { stamp, count: tries.stamp === stamp ? tries.count + 1 : 1 };
  const isPatient = !isOpen || followed.tries.count < patientLooks;
  if (lack !== null && isPatient && mayGoOn(followed, next)) {
    health.setBehind(`${currentName}: ${lack.replace(/\.$/, '')}`);
    return;
  }
  health.setBehind(null);
  const before = taken.now?.files.currentName ?? null;
  // one that cannot be opened is tried again at the next read
  taken.now = { stamp: isOpen ? stamp : '', files: next, snapshot: releaseSnapshot(next, releases.release) };
  if (currentName !== before)
    tell({ level: 'info', event: 'release_taken', fields: { release: currentName, lack } });
  if (currentName === null || !isOpen) return;
  pin(followed, await filesOf(followed, currentName));
  await files.keep(keptPointersName, keptPointers.encode(pointers));
}

/** Whether what answers may go on while the release that was promoted after it cannot be taken up. */
function mayGoOn({ taken: { now } }: Followed, next: PointerFiles): boolean {
  const said = (pointers: PointerFiles) => JSON.stringify(pointers.withdrawn);
  return now !== null && now.files.currentName !== null && said(now.files) === said(next);
}

/** Reads manifest, packs.json and every index, then what is hot. */
async function prepare(followed: Followed, name: string): Promise<Prepared> {
  const { hot, library, releases, taken } = followed;
  const release = await releases.release(name).catch(sentenceOf);
  if (typeof release === 'string') return { isOpen: false, lack: release };
  const answering = taken.now?.files.currentName ?? null;
  const ofAnswering = answering === null ? [] : await filesOf(followed, answering).catch(() => []);
  pin(followed, new Set([...(await filesOf(followed, name)), ...ofAnswering]));
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

/** Without the store: the release that was taken up last, where the replica holds all of it that a start needs. */
async function takeKept(followed: Followed): Promise<void> {
  const { audits, files, releases, taken, tell } = followed;
  const pointers = keptPointers.decode(await files.read(keptPointersName));
  if (pointers === null) return;
  const kept = pointerFiles(pointers);
  if (kept.currentName === null) return;
  await releases.release(kept.currentName);
  const needed = await filesOf(followed, kept.currentName);
  if (![...needed].every(files.has)) return;
  pin(followed, needed);
  taken.now = { stamp: '', files: kept, snapshot: releaseSnapshot(kept, releases.release) };
  followed.run = runOf(pointers.lastRun);
  await audits.takeKept();
  tell({ level: 'warn', event: 'started_without_store', fields: { release: kept.currentName } });
}

/** Names of the files of a release that a start without the store needs. */
async function filesOf({ releases }: Followed, name: string): Promise<Set<string>> {
  const { packs } = await releases.packs(name);
  return new Set([
    keptPointersName,
    storeNames.manifest(name),
    storeNames.packs(name),
    ...packs.map((pack) => storeNames.index(pack)),
  ]);
}

function pin({ files }: Followed, names: ReadonlySet<string>): void {
  files.pin(new Set([...names, keptAuditName]));
}

function schedule(followed: Followed): void {
  const { running, time, random } = followed;
  running.cancel = time.after(pollMs * (0.8 + 0.4 * random()), () => {
    look(followed)
      .catch(() => {})
      .finally(() => {
        if (running.cancel !== null) schedule(followed);
      });
  });
}

async function first(followed: Followed): Promise<Snapshot> {
  const { failed, taken, time } = followed;
  // requests that come while nothing can be served do not ask the store each
  if (failed !== null && time.nowMs() - failed.atMs < leastMs) throw failed.error;
  await look(followed);
  if (taken.now === null) throw unavailable('current', 'the object store was not read yet');
  return taken.now.snapshot;
}

function runOf(bytes: Buffer | null): LastRun | null {
  const parsed = lastRun.safeParse(parsedJson(bytes));
  return parsed.success ? parsed.data : null;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
