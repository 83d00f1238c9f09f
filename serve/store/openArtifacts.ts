import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type LastRun, lastRun, promotionNames } from '../../data/contract/release/releaseFiles.ts';
import { openStore } from '../../data/store/openStore.ts';
import { packLibrary } from '../../data/store/packLibrary.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import { directoryReads, isMissing, type StoreReads } from '../../data/store/storeReads.ts';
import type { StoreConfig } from '../config/storeConfig.ts';
import { artifactFaults, isOverloaded, overloadedStore, shortOfDescriptors } from './artifactFaults.ts';
import type { ArtifactStore, Snapshot } from './artifactStore.ts';
import { byteCache } from './byteCache.ts';
import { openedReleases } from './openedReleases.ts';
import type { CachedArtifact, ReleaseCaches } from './packedRelease.ts';
import { pointerFiles, promotionWatch, releaseSnapshot } from './pointerFiles.ts';
import { type RemoteInput, remoteStore } from './remoteStore.ts';
import { type ReplicaFiles, replicaFiles } from './replicaFiles.ts';
import { auditOf, figuresName, maxAuditBytes, type StoredRun, unreadableAudit } from './storedAudit.ts';
import { type JudgeKey, parsedJson } from './verifySigned.ts';

/** The artifacts of a server, and what keeps them new. */
export type OpenArtifacts = {
  readonly store: ArtifactStore;
  /** Resolves when the current release was opened, as far as it can be: no store, or a damaged one, is no failure. */
  start(): Promise<void>;
  stop(): void;
};

/** An answer waits for a cold object, so a server gives up sooner than a publication. */
const patience = {
  attempts: 2,
  connectMs: 2_000,
  callMs: 3_500,
  slowestBytesPerSecond: 2 * 1024 * 1024,
  waitMs: 200,
  longestWaitMs: 1_000,
};

/**
 * Opens the artifacts of a configuration: a directory, or a bucket with a replica before it.
 *
 * @param keeps whether what is read of a bucket is stored in the replica
 * @param remote replaces the bucket where it is passed
 */
export function openArtifacts({
  config,
  cacheBytes,
  recheckMs,
  time,
  trusts,
  tell,
  onFault,
  keeps = true,
  seenPath,
  remote,
}: Pick<RemoteInput, 'cacheBytes' | 'time' | 'trusts' | 'tell' | 'onFault'> & {
  config: StoreConfig;
  /** How late a promotion in a directory may be seen. */
  recheckMs: number;
  keeps?: boolean;
  /** Where the highest signed sequence of pointers is kept (STORE ST21). */
  seenPath: string;
  remote?: StoreReads | undefined;
}): OpenArtifacts {
  const { nowMs } = time;
  const faults = onFault === undefined ? {} : { onFault };
  const watch = promotionWatch({ seenPath, keeps, nowMs, trusts, tell });
  if (config.kind === 'directory') {
    const { root } = config;
    const store = directoryStore({ root, cacheBytes, recheckMs, nowMs, trusts, watch, ...faults });
    // the first answer finds the release open; what is wrong with one is reported by /ready and by each answer
    return { store, start: () => openCurrent(store).catch(() => {}), stop: () => {} };
  }
  const { address, environment, replicaRoot, replicaBytes } = config;
  const files = replicaFiles({
    root: replicaRoot,
    maxBytes: replicaBytes,
    nowMs,
    onUnkept(why) {
      if (why === null) tell({ level: 'info', event: 'replica_kept', fields: {} });
      else tell({ level: 'warn', event: 'replica_not_kept', fields: { why } });
    },
  });
  const store = remoteStore({
    remote: remote ?? openStore({ address, environment, patience }),
    files: keeps ? files : noReplica(),
    cacheBytes,
    time,
    random: Math.random,
    trusts,
    watch,
    tell,
    ...faults,
  });
  return { store, start: store.start, stop: store.stop };
}

/** Opens the current release and its list of issuers. */
async function openCurrent(store: ArtifactStore): Promise<void> {
  const release = await (await store.snapshot()).current();
  await release?.issuers();
}

/** A replica that stores nothing, for a read that may create nothing. */
function noReplica(): ReplicaFiles {
  return {
    open: async () => {},
    read: async () => null,
    keep: async () => {},
    drop: async () => {},
    pin: () => {},
    has: () => false,
    bytes: 0,
    unkept: null,
  };
}

const maxPointerBytes = 4 * 1024 * 1024;
/** Packs that stay open; connections leave room for them. */
const openPacks = 16;

type Pointers = {
  readonly stamp: string;
  readonly snapshot: Snapshot;
};
/**
 * Artifacts in `<root>/{layout.json,current,slices.json,last-run.json,releases/…,packs/…}`; a new promotion is seen at the latest
 * `recheckMs` later, and answers on their way keep the release they started with (I3.19).
 */
export function directoryStore({
  root,
  cacheBytes,
  recheckMs,
  nowMs,
  trusts,
  watch,
  onFault = () => {},
}: Pick<RemoteInput, 'cacheBytes' | 'trusts' | 'watch' | 'onFault'> & {
  root: string;
  recheckMs: number;
  nowMs(): number;
}): ArtifactStore {
  const library = packLibrary(directoryReads({ root, keepOpen: openPacks }));
  const caches: ReleaseCaches = {
    cache: byteCache<CachedArtifact>(cacheBytes),
    loading: new Map(),
    faults: artifactFaults({ onFault, nowMs }),
    reproves: false,
  };
  const { release } = openedReleases({
    library,
    read: (name, limit) => readBounded(join(root, name), limit),
    trusts,
    caches,
  });
  let pointers: Pointers | null = null;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let checking: Promise<Pointers> | null = null;
  let run: { readonly stamp: string; readonly value: LastRun | null } | null = null;

  async function refresh(): Promise<Pointers> {
    const layout = join(root, storeNames.layout);
    const [current, slices] = [join(root, 'current'), join(root, 'slices.json')];
    const promotion = join(root, promotionNames.stored);
    const stamps = await Promise.all([layout, current, slices, promotion].map(stampOf));
    const stamp = stamps.join(' ');
    if (pointers?.stamp !== stamp) {
      const read = async () => {
        const signed = await readBounded(promotion, maxPointerBytes);
        const bytes = {
          current: await readBounded(current, maxPointerBytes),
          slices: await readBounded(slices, maxPointerBytes),
          layout: await readBounded(layout, maxPointerBytes),
        };
        const files = pointerFiles(bytes);
        try {
          watch?.check({ ...bytes, promotion: signed });
        } catch (error) {
          if (pointers === null) throw error;
          // what answers goes on
          const message = error instanceof Error ? error.message : String(error);
          onFault({ release: files.currentName ?? '', key: promotionNames.stored, message });
          return { stamp, snapshot: pointers.snapshot };
        }
        return { stamp, snapshot: releaseSnapshot(files, release) };
      };
      pointers = await orKnown(read, pointers);
    }
    checkedMs = nowMs();
    return pointers;
  }

  return {
    async snapshot() {
      if (pointers !== null && nowMs() - checkedMs < recheckMs) return pointers.snapshot;
      checking ??= refresh().finally(() => {
        checking = null;
      });
      return (await checking).snapshot;
    },
    async lastRun() {
      const path = join(root, 'last-run.json');
      const stamp = await stampOf(path);
      if (run?.stamp !== stamp) {
        const read = async () => {
          const parsed = lastRun.safeParse(parsedJson(await readBounded(path, maxPointerBytes)));
          return { stamp, value: parsed.success ? parsed.data : null };
        };
        run = await orKnown(read, run);
      }
      return run.value;
    },
    audit: directoryAudits({ root, trusts }),
    figures: (sourceDate) => readBounded(join(root, figuresName(sourceDate)), maxAuditBytes),
    faults: (release) => caches.faults.of(release),
    remote: () => null,
  };
}

/** What was known stays valid while no file can be opened; its old stamp makes the next read try again. */
async function orKnown<T>(read: () => Promise<T>, known: T | null): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (known === null || !isOverloaded(error)) throw error;
    return known;
  }
}

/** Bytes of a small file; null when it does not exist. */
async function readBounded(path: string, limit: number): Promise<Buffer | null> {
  try {
    const { size } = await stat(path);
    if (size > limit) throw new RangeError(`larger than ${limit} bytes`);
    return await readFile(path);
  } catch (cause) {
    if (isMissing(cause)) return null;
    if (shortOfDescriptors(cause)) throw overloadedStore(cause);
    throw new IssuerError({
      code: 'artifact_unavailable',
      message: 'The artifact store cannot be read.',
      hint: 'Try again later; the operator sees the same in /ready.',
      details: { artifact_key: null },
      cause,
    });
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    return `${found.ino}:${found.size}:${found.mtimeNs}`;
  } catch (cause) {
    if (isMissing(cause)) return 'missing';
    return 'unreadable';
  }
}

/**
 * Reads the newest `audit/<day>.json` of a directory (I3.22), again only when the file is another one; null when there is
 * none.
 *
 * The reader rejects with IssuerError `artifact_unavailable` when the file does not hold an audit.
 */
function directoryAudits({
  root,
  trusts,
}: {
  root: string;
  trusts: JudgeKey;
}): () => Promise<StoredRun | null> {
  const directory = join(root, 'audit');
  let known: { readonly mark: string; readonly stored: StoredRun } | null = null;
  return async () => {
    const names = await readdir(directory).catch(() => []);
    const days = names.flatMap((name) => /^(\d{4}-\d{2}-\d{2})\.json$/.exec(name)?.[1] ?? []);
    const day = days.sort().at(-1);
    if (day === undefined) return null;
    const path = join(directory, `${day}.json`);
    const { size, mtimeMs, ino } = await stat(path);
    const mark = `${day} ${size} ${mtimeMs} ${ino}`;
    if (known?.mark === mark) return known.stored;
    if (size > maxAuditBytes) throw unreadableAudit(day);
    const stored = auditOf(day, await readFile(path), trusts);
    known = { mark, stored };
    return stored;
  };
}
