import type { Route } from '../../contract/routes/route.ts';
import { storedMembers } from '../body/storedMembers.ts';
import type { StoredBytes, StoredObject } from '../store/artifactStore.ts';
import { unavailable } from '../store/unavailable.ts';

/**
 * What an answer costs in micro-USD: the price of its route or, on a route with a band, the price that the artifact
 * states for itself (P1.5, I4.R29.4).
 *
 * @throws IssuerError `artifact_unavailable` when the artifact states none, or one outside the band: nothing is charged
 */
export function storedPrice(route: Route, stored: StoredObject | StoredBytes): number {
  const band = route.priceBand;
  if (band === undefined) return route.priceMicroUsd;
  const { entry } = stored;
  const [top = '', ...path] = band.statedAt;
  const bytes = 'bodies' in stored ? storedMembers(stored.bodies).get(top) : undefined;
  const stated = bytes === undefined ? undefined : memberAt(JSON.parse(bytes.toString('utf8')), path);
  if (typeof stated !== 'number' || !Number.isInteger(stated))
    throw unavailable(entry.key, 'it does not state its price');
  if (stated < band.minMicroUsd || stated > band.maxMicroUsd)
    throw unavailable(entry.key, 'its price is outside the band of its route');
  return stated;
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  );
}
