import { normalizedQuery } from '../../routing/readParams.ts';
import type { Release } from '../../store/artifactStore.ts';
import type { FindInput, Found } from './findInput.ts';
import type { Servable } from './servable.ts';

/**
 * A view of one release, made once per normalized query.
 *
 * @param about what the view depends on beside query and body: an issuer, the label that was asked
 */
export async function cachedView(
  input: FindInput,
  { release, about = '', lookup = null }: { release: Release; about?: string; lookup?: Found['lookup'] },
  make: (view: string) => Promise<Servable>,
): Promise<Found> {
  // the release already says which slice it is, so the selector of the slice is no part of the view
  const { values, given, givenInBody } = input.params;
  const sent = [...given, ...(givenInBody ?? [])].filter(
    (name) => name !== 'source_date' || selectsRows(input),
  );
  const view = `${about}${normalizedQuery({ values, given: sent })}`;
  const cacheKey = `${release.name} ${input.route.id} ${view}`;
  const hot = input.cache.get(cacheKey);
  if (hot !== undefined) return { servable: hot, lookup, cacheKey };
  const servable = await make(view);
  // room for the codings a client may still ask for
  input.cache.set(cacheKey, servable, servable.body.length * 2 + 4096);
  return { servable, lookup, cacheKey };
}

// where a range may be asked for, source_date picks rows of one release instead of a release
function selectsRows({ route }: FindInput): boolean {
  return route.params.some((param) => param.name === 'source_date_from');
}
