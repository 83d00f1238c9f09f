import { normalizedQuery } from '../routing/readParams.ts';
import type { Release } from '../store/artifactStore.ts';
import type { FindInput, Found } from './findInput.ts';
import type { Servable } from './servable.ts';

/**
 * A view of one release, made once per normalized query.
 *
 * @param o.about what the view depends on beside the query: an issuer, the label that was asked
 */
export async function cachedView(
  input: FindInput,
  o: { release: Release; about?: string; lookup?: Found['lookup'] },
  make: (view: string) => Promise<Servable>,
): Promise<Found> {
  // the release already says which slice it is, so the selector of the slice is no part of the view
  const given = input.params.given.filter((name) => name !== 'source_date' || selectsRows(input));
  const query = normalizedQuery({ values: input.params.values, given });
  const view = o.about === undefined ? query : `${o.about}${query}`;
  const cacheKey = `${o.release.name} ${input.route.id} ${view}`;
  const lookup = o.lookup ?? null;
  const hot = input.cache.get(cacheKey);
  if (hot !== undefined) return { servable: hot, lookup, cacheKey };
  const servable = await make(view);
  // room for the codings a client may still ask for
  input.cache.set(cacheKey, servable, servable.bodies.length * 2 + 4096);
  return { servable, lookup, cacheKey };
}

// where a range may be asked for, source_date picks rows of one release instead of a release
function selectsRows({ route }: FindInput): boolean {
  return route.params.some((param) => param.name === 'source_date_from');
}
