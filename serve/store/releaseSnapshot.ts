import { releaseName } from '../../data/contract/release/releaseFiles.ts';
import type { Release, Snapshot } from './artifactStore.ts';
import type { PointerFiles } from './pointerFiles.ts';
import { isOverloaded } from './unavailable.ts';

/** The pointers as one request sees them; `release` opens a release by its name. */
export function releaseSnapshot(
  pointers: PointerFiles,
  release: (name: string) => Promise<Release>,
): Snapshot {
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
