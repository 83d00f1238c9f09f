import type { Release } from './artifactStore.ts';
import type { LoadedArtifact } from './packedRelease.ts';

/** What the cache of a server holds, by key, so that the same can be loaded of the next release before it answers. */
export type HotArtifacts = {
  note(at: string, loaded: LoadedArtifact): void;
  /** Loads of a release what is held of others. One that fails is left for its first request. */
  load(release: Release): Promise<void>;
};

const mostNoted = 4096;
const atOnce = 8;

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
      await Promise.all(Array.from({ length: atOnce }, worker));
    },
  };
}
