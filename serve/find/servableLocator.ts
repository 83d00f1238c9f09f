import type { ResolvedIssuer } from '../identity/resolveIssuer.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { Snapshot } from '../store/artifactStore.ts';
import type { ByteCache } from '../store/byteCache.ts';
import { findServable } from './findServable.ts';
import type { FindInput, Found } from './servable/findInput.ts';
import type { Servable } from './servable/servable.ts';

/** Finds the servable of a plan; at once when it was found before under the same pointers. */
export type ServableLocator = (plan: RoutePlan, snapshot: Snapshot) => Found | Promise<Found>;

type Place = {
  readonly snapshot: Snapshot;
  readonly lookup: ResolvedIssuer['lookup'] | null;
  readonly cacheKey: string;
};

/**
 * Remembers where each plan found its servable. Only the place is kept, and no longer than the plan: the bytes
 * stay bounded by the cache, and a promotion changes the snapshot and so every place.
 *
 * The returned function throws and rejects as `findServable` does.
 */
export function servableLocator(cache: ByteCache<Servable>): ServableLocator {
  const places = new WeakMap<RoutePlan, Place>();

  async function search(plan: RoutePlan, snapshot: Snapshot): Promise<Found> {
    const input: FindInput = { route: plan.route, params: plan.params, snapshot, cache };
    const found = await findServable(input);
    places.set(plan, { snapshot, lookup: found.lookup, cacheKey: found.cacheKey });
    return found;
  }

  return (plan, snapshot) => {
    const place = places.get(plan);
    if (place?.snapshot !== snapshot) return search(plan, snapshot);
    const { lookup, cacheKey } = place;
    const servable = cache.get(cacheKey);
    return servable === undefined ? search(plan, snapshot) : { servable, lookup, cacheKey };
  };
}
