import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import {
  type LastRun,
  lastRun,
  promotedSlices,
  releaseName,
  sliceIndex,
  type WithdrawnSlice,
  withdrawnSlices,
} from '../../contract/release/releaseFiles.ts';
import { objectReader } from '../../contract/store/objectReader.ts';
import { packLibrary } from '../../contract/store/packLibrary.ts';
import {
  layoutHint,
  layoutProblem,
  type ReleasePacks,
  releasePacks,
  storeNames,
} from '../../contract/store/storeFiles.ts';
import { directoryReads } from '../../contract/store/storeReads.ts';
import { type ArtifactFault, artifactFaults } from './artifactFaults.ts';
import type { ArtifactStore, Release, Snapshot } from './artifactStore.ts';
import { byteCache } from './byteCache.ts';
import { type CachedArtifact, packedRelease, type ReleaseCaches } from './packedRelease.ts';
import { isOverloaded, overloadedStore, shortOfDescriptors, unavailable } from './unavailable.ts';
import { type JudgeKey, type ManifestFault, verifyManifest } from './verifyManifest.ts';

const maxPointerBytes = 4 * 1024 * 1024;
const maxManifestBytes = 64 * 1024 * 1024;
const rememberedReleases = 64;
/** Packs that stay open; connections leave room for them. */
const openPacks = 16;

type Pointers = {
  readonly stamp: string;
  readonly snapshot: Snapshot;
};
type PointerFiles = {
  readonly currentName: string | null;
  readonly slices: Readonly<Record<string, string>>;
  readonly dates: readonly string[];
  readonly withdrawn: readonly WithdrawnSlice[];
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
  onFault = () => {},
}: {
  root: string;
  cacheBytes: number;
  recheckMs: number;
  nowMs(): number;
  /** Whether releases of a key are this deployment's (I9.16a). */
  trusts: JudgeKey;
  onFault?(fault: ArtifactFault): void;
}): ArtifactStore {
  const library = packLibrary(directoryReads({ root, keepOpen: openPacks }));
  const caches: ReleaseCaches = {
    cache: byteCache<CachedArtifact>(cacheBytes),
    loading: new Map(),
    faults: artifactFaults({ onFault, nowMs }),
  };
  const releases = new Map<string, Promise<Release>>();
  let pointers: Pointers | null = null;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let checking: Promise<Pointers> | null = null;
  let run: { readonly stamp: string; readonly value: LastRun | null } | null = null;

  function release(name: string): Promise<Release> {
    const known = releases.get(name);
    if (known !== undefined) return known;
    const started = openRelease(name);
    releases.set(name, started);
    // a manifest that failed may be repaired or complete a moment later
    started.catch(() => releases.delete(name));
    for (const oldest of releases.keys()) {
      if (releases.size <= rememberedReleases) break;
      releases.delete(oldest);
    }
    return started;
  }

  async function openRelease(name: string): Promise<Release> {
    const bytes = await readBounded(join(root, storeNames.manifest(name)), maxManifestBytes);
    if (bytes === null) throw unavailable('manifest.json', 'the release has none');
    const verified = verifyManifest({ bytes, release: name, trusts });
    if (!verified.ok) throw unavailable('manifest.json', faultOf(verified));
    const again = () => readPacks(join(root, storeNames.packs(name)));
    const objects = objectReader({ library, packs: await again(), again });
    return packedRelease({ manifest: verified.manifest, manifestBytes: bytes, objects, ...caches });
  }

  async function refresh(): Promise<Pointers> {
    const layout = join(root, storeNames.layout);
    const [current, slices] = [join(root, 'current'), join(root, 'slices.json')];
    const stamp = `${await stampOf(layout)} ${await stampOf(current)} ${await stampOf(slices)}`;
    if (pointers?.stamp !== stamp) {
      const read = async () => {
        const files = await readPointers(current, slices);
        await requireLayout(layout, files);
        return { stamp, snapshot: snapshotOf(files, release) };
      };
      pointers = await orKnown(read, pointers);
    }
    checkedMs = nowMs();
    return pointers;
  }

  async function recheck(): Promise<Snapshot> {
    checking ??= refresh().finally(() => {
      checking = null;
    });
    return (await checking).snapshot;
  }

  return {
    snapshot: () => (pointers !== null && nowMs() - checkedMs < recheckMs ? pointers.snapshot : recheck()),
    async lastRun() {
      const path = join(root, 'last-run.json');
      const stamp = await stampOf(path);
      if (run?.stamp !== stamp) {
        const read = async () => {
          const parsed = lastRun.safeParse(parse(await readBounded(path, maxPointerBytes)));
          return { stamp, value: parsed.success ? parsed.data : null };
        };
        run = await orKnown(read, run);
      }
      return run.value;
    },
    faults: (release) => caches.faults.of(release),
  };
}

function faultOf({ fault, keyId }: { fault: ManifestFault; keyId: string | null }): string {
  if (fault !== 'foreign_key') return fault.replaceAll('_', ' ');
  return `it is signed by ${keyId}, which is no published key of this deployment (data/keys/release-ed25519*.pub)`;
}

function snapshotOf(pointers: PointerFiles, release: (name: string) => Promise<Release>): Snapshot {
  const { currentName, slices } = pointers;
  return {
    currentName,
    dates: pointers.dates,
    withdrawn: pointers.withdrawn,
    current: async () => (currentName === null ? null : release(currentName)),
    async ofDate(sourceDate) {
      const name = Object.hasOwn(slices, sourceDate) ? slices[sourceDate] : undefined;
      return name === undefined ? null : release(name);
    },
    async named(name) {
      const isNamed =
        name === currentName ||
        Object.values(slices).includes(name) ||
        // what was published stays readable by its name
        pointers.withdrawn.some((slice) => slice.release === name);
      return isNamed ? release(name) : null;
    },
    async retained(name) {
      if (!releaseName.safeParse(name).success) return null;
      return release(name).catch((error: unknown) => {
        // whether it is there cannot be said
        if (isOverloaded(error)) throw error;
        return null;
      });
    },
  };
}

async function readPointers(currentPath: string, slicesPath: string): Promise<PointerFiles> {
  const current = await readBounded(currentPath, 100);
  const slicesBytes = await readBounded(slicesPath, maxPointerBytes);
  const slices = sliceIndex.safeParse(slicesBytes === null ? {} : parse(slicesBytes));
  if (!slices.success) throw unavailable('slices.json', 'it is not a map of dates to releases');
  const withdrawn = withdrawnSlices(slices.data);
  if (current === null) return { currentName: null, slices: {}, dates: [], withdrawn };
  const name = releaseName.safeParse(current.toString('utf8').trimEnd());
  if (!name.success) throw unavailable('current', 'it names no release');
  const promoted = promotedSlices(slices.data);
  return { currentName: name.data, slices: promoted, dates: Object.keys(promoted).sort(), withdrawn };
}

/** @throws IssuerError `artifact_unavailable` with what to do about a store of another layout (STORE ST13) */
async function requireLayout(path: string, { currentName, dates }: PointerFiles): Promise<void> {
  const bytes = await readBounded(path, maxPointerBytes);
  const message = layoutProblem({ bytes, isEmpty: currentName === null && dates.length === 0 });
  if (message === null) return;
  throw new IssuerError({
    code: 'artifact_unavailable',
    message: `${message} ${layoutHint}`,
    hint: layoutHint,
    details: { artifact_key: storeNames.layout },
  });
}

async function readPacks(path: string): Promise<ReleasePacks> {
  const parsed = releasePacks.safeParse(parse(await readBounded(path, maxManifestBytes)));
  if (!parsed.success) throw unavailable('packs.json', 'it does not say where the artifacts lie');
  return parsed.data;
}

/** What was known holds while no file can be opened; its old stamp makes the next look try again. */
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

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}

function parse(bytes: Buffer | null): unknown {
  if (bytes === null) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
