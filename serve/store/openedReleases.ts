import { objectReader } from '../../data/store/objectReader.ts';
import type { PackLibrary } from '../../data/store/packLibrary.ts';
import { type ReleasePacks, releasePacks, storeNames } from '../../data/store/storeFiles.ts';
import { unavailable } from './artifactFaults.ts';
import type { Release } from './artifactStore.ts';
import { type LoadedArtifact, packedRelease, type ReleaseCaches } from './packedRelease.ts';
import { type JudgeKey, type ManifestFault, parsedJson, verifyManifest } from './verifySigned.ts';

const maxManifestBytes = 64 * 1024 * 1024;
const rememberedReleases = 64;

/** Releases by name, opened once. */
export type OpenedReleases = {
  /** @throws IssuerError `artifact_unavailable` when the manifest cannot be trusted */
  release(name: string): Promise<Release>;
  /** Where the objects of a release lie. @throws as `release` */
  packs(name: string): Promise<ReleasePacks>;
};

/**
 * Opens releases of a store; those used last stay in memory.
 *
 * @param read bytes of a small file, null when there is none; @throws IssuerError `artifact_unavailable`
 * @param trusts whether releases of a key are this deployment's (I9.16a)
 */
export function openedReleases({
  library,
  read,
  trusts,
  caches,
}: {
  library: PackLibrary;
  read(name: string, limit: number): Promise<Buffer | null>;
  trusts: JudgeKey;
  caches: ReleaseCaches;
}): OpenedReleases {
  const releases = new Map<string, Promise<Release>>();

  /** What is wrong may be a copy: it is forgotten and read once more. */
  async function readSound<T>(name: string, decode: (bytes: Buffer | null) => T): Promise<T> {
    const bytes = await read(name, maxManifestBytes);
    try {
      return decode(bytes);
    } catch {
      library.reads.forget(name);
      return decode(await read(name, maxManifestBytes));
    }
  }
  const packs = (name: string): Promise<ReleasePacks> => {
    const path = storeNames.packs(name);
    return readSound(path, (bytes) => packsOf(path, bytes));
  };
  async function open(name: string): Promise<Release> {
    const path = storeNames.manifest(name);
    const { bytes, manifest } = await readSound(path, (found) => {
      if (found === null) throw unavailable(path, 'the release has none');
      const verified = verifyManifest({ bytes: found, release: name, trusts });
      if (!verified.ok) throw unavailable(path, faultOf(verified));
      return { bytes: found, manifest: verified.manifest };
    });
    const again = (): Promise<ReleasePacks> => {
      library.reads.forget(storeNames.packs(name));
      return packs(name);
    };
    const objects = objectReader({ library, packs: await packs(name), again });
    return packedRelease({ manifest, manifestBytes: bytes, objects, ...caches });
  }

  return {
    packs,
    release(name) {
      const known = releases.get(name);
      if (known !== undefined) return known;
      const started = open(name);
      releases.set(name, started);
      // a manifest that failed may be repaired or complete a moment later
      started.catch(() => releases.delete(name));
      for (const oldest of releases.keys()) {
        if (releases.size <= rememberedReleases) break;
        releases.delete(oldest);
      }
      return started;
    },
  };
}

function packsOf(path: string, bytes: Buffer | null): ReleasePacks {
  const parsed = releasePacks.safeParse(parsedJson(bytes));
  if (!parsed.success) throw unavailable(path, 'it does not say where the artifacts lie');
  return parsed.data;
}

function faultOf({ fault, keyId }: { fault: ManifestFault; keyId: string | null }): string {
  if (fault !== 'foreign_key') return fault.replaceAll('_', ' ');
  return `it is signed by ${keyId}, which is no published key of this deployment (data/keys/release-ed25519*.pub)`;
}

/** What the cache of a server holds, by key, so that the same can be loaded of the next release before it answers. */
type HotArtifacts = {
  note(at: string, loaded: LoadedArtifact): void;
  /** Loads of a release what is cached of others. One that fails is read by its first request. */
  load(release: Release): Promise<void>;
};

const mostNoted = 4096;
const loadedAtOnce = 8;

/**
 * @param isHeld whether the cache still holds what was loaded under `at`
 * @param withinMs no further load begins after so long
 */
export function hotArtifacts({
  isHeld,
  nowMs,
  withinMs,
}: {
  isHeld(at: string): boolean;
  nowMs(): number;
  withinMs: number;
}): HotArtifacts {
  const noted = new Map<string, LoadedArtifact>();
  return {
    note(at, loaded) {
      noted.delete(at);
      noted.set(at, loaded);
      for (const oldest of noted.keys()) {
        if (noted.size <= mostNoted) break;
        noted.delete(oldest);
      }
    },
    async load(release) {
      const wanted = new Map<string, LoadedArtifact>();
      for (const [at, loaded] of [...noted].reverse()) {
        // keys of a slice hold its date
        const key = loaded.key.replaceAll(loaded.sourceDate, release.sourceDate);
        if (!isHeld(at)) noted.delete(at);
        else if (release.has(key) && !wanted.has(key)) wanted.set(key, loaded);
      }
      const endMs = nowMs() + withinMs;
      const queue = wanted.entries();
      const worker = async (): Promise<void> => {
        for (const [key, loaded] of queue) {
          if (nowMs() >= endMs) return;
          await loaded.load(release, key).catch(() => {});
        }
      };
      await Promise.all(Array.from({ length: loadedAtOnce }, worker));
    },
  };
}
