import { unavailable } from '../store/unavailable.ts';
import type { FindInput, Found } from './findInput.ts';
import { currentRelease } from './selectRelease.ts';
import { objectServable } from './servableOf.ts';

/** An object of the current slice, sent as it is (R01, R04). */
export function findUniverseObject(keyOf: (slice: string) => string): (input: FindInput) => Promise<Found> {
  return async ({ route, snapshot, cache }) => {
    const release = await currentRelease(snapshot);
    const key = keyOf(release.sourceDate);
    const cacheKey = `${release.name} ${route.id} ${key}`;
    const hot = cache.get(cacheKey);
    if (hot !== undefined) return { servable: hot, lookup: null, cacheKey };
    const stored = await release.object(key);
    if (stored === null) throw unavailable(key, 'the release does not list it');
    const servable = objectServable({ route, release, stored, ticker: null });
    cache.set(cacheKey, servable, servable.bodies.length * 3);
    return { servable, lookup: null, cacheKey };
  };
}
