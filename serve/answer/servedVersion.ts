import type { Found } from '../find/servable/findInput.ts';
import type { ServableLocator } from '../find/servableLocator.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { ArtifactStore, Release, Snapshot } from '../store/artifactStore.ts';

/** Most builds of one slice that are searched for a version, below the promoted one and above it. */
const buildsBelow = 64;
const buildsAbove = 8;

/**
 * The answer of a replay in the artifact version that was served first, while its build is retained, else the
 * current one (I5.26, P8.30).
 */
export async function servedVersion(
  plan: RoutePlan,
  { artifactVersion, current }: { readonly artifactVersion: string; readonly current: Found },
  deps: { readonly store: ArtifactStore; readonly locate: ServableLocator },
): Promise<Found> {
  const version = artifactVersion;
  const sourceDate = /^(\d{4}-\d{2}-\d{2})\+/.exec(version)?.[1];
  if (sourceDate === undefined) return current;
  const snapshot = await deps.store.snapshot();
  const promoted = await snapshot.ofDate(sourceDate);
  const withdrawn = snapshot.withdrawn.find((slice) => slice.source_date === sourceDate)?.release;
  const name = promoted?.name ?? withdrawn;
  for (const build of buildsAround(Number(name?.split('.')[1] ?? 0))) {
    const release = await snapshot.retained(`${sourceDate}.${build}`);
    if (release === null) continue;
    const found = await tryLocate(plan, onlyRelease(snapshot, release), deps.locate);
    if (found?.servable.artifactVersion === version) return found;
  }
  return current;
}

/** Older builds first. Newer ones were taken back since, or another server saw their promotion before this one. */
function* buildsAround(promoted: number): Generator<number> {
  for (let build = promoted; build > 0 && build > promoted - buildsBelow; build -= 1) yield build;
  for (let build = promoted + 1; build <= promoted + buildsAbove; build += 1) yield build;
}

// a build that no longer holds the answer is no reason to fail a replay
async function tryLocate(
  plan: RoutePlan,
  snapshot: Snapshot,
  locate: ServableLocator,
): Promise<Found | null> {
  try {
    return await locate(plan, snapshot);
  } catch {
    return null;
  }
}

/** The pointers as they were when this release was the current one of its date. */
function onlyRelease(snapshot: Snapshot, release: Release): Snapshot {
  return {
    currentName: release.name,
    dates: snapshot.dates,
    withdrawn: snapshot.withdrawn,
    current: async () => release,
    ofDate: async (date) => (date === release.sourceDate ? release : snapshot.ofDate(date)),
    named: async (name) => (name === release.name ? release : snapshot.named(name)),
    retained: snapshot.retained,
  };
}
