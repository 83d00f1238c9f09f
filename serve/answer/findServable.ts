import { IssuerError } from '../../contract/issuerError.ts';
import type { Route } from '../../contract/route.ts';
import type { Release } from '../artifactStore.ts';
import type { ByteCache } from '../store/byteCache.ts';
import { unavailable } from '../store/directoryRelease.ts';
import type { FindInput, Found } from './findInput.ts';
import { findIssuerServable } from './issuerServable.ts';
import { findScreen, findTopStressed } from './screens.ts';
import { currentRelease, releaseOf } from './selectRelease.ts';
import type { Servable } from './servable.ts';
import { objectServable } from './servableOf.ts';

type Finder = (input: FindInput) => Promise<Found>;

const universeObject =
  (keyOf: (slice: string) => string): Finder =>
  async ({ route, snapshot, cache }) => {
    const release = await currentRelease(snapshot);
    return universeServable({ route, release, key: keyOf(release.sourceDate), cache });
  };

const finders: Readonly<Record<string, Finder>> = {
  R01: universeObject((slice) => `readiness/${slice}.json`),
  R04: universeObject((slice) => `risk-distribution/${slice}.json`),
  R05: async (input) => findTopStressed(input, await currentRelease(input.snapshot)),
  R08: findIssuerServable,
  R11: findIssuerServable,
  R12: async (input) => {
    const sourceDate = input.params.values.get('source_date');
    const release = await releaseOf({
      snapshot: input.snapshot,
      sourceDate: typeof sourceDate === 'string' ? sourceDate : undefined,
      route: input.route,
      ticker: null,
    });
    return findScreen(input, release);
  },
};

/**
 * Finds what a paid route answers: artifact, view and price, hashes checked (I4.7 step 5, P1.4).
 *
 * @throws IssuerError `not_found`, `ambiguous_ticker`, `offset_out_of_range`, `not_ready` or
 * `artifact_unavailable`.
 */
export async function findServable(input: FindInput): Promise<Found> {
  const finder = finders[input.route.mirrorOf ?? input.route.id];
  if (finder === undefined) {
    throw new IssuerError({ code: 'internal', message: `Route ${input.route.id} has no finder.`, hint: '' });
  }
  return finder(input);
}

async function universeServable(o: {
  route: Route;
  release: Release;
  key: string;
  cache: ByteCache<Servable>;
}): Promise<Found> {
  const cacheKey = `${o.release.name} ${o.route.id} ${o.key}`;
  const hot = o.cache.get(cacheKey);
  if (hot !== undefined) return { servable: hot, lookup: null, cacheKey };
  const stored = await o.release.object(o.key);
  if (stored === null) throw unavailable(o.key, 'the release does not list it');
  const servable = objectServable({ route: o.route, release: o.release, stored, ticker: null });
  o.cache.set(cacheKey, servable, servable.bodies.length * 3);
  return { servable, lookup: null, cacheKey };
}
