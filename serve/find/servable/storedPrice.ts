import type { PriceBand, Route } from '../../../data/contract/routes/route.ts';
import { storedMembers } from '../../body/storedMembers.ts';
import type { StoredBytes, StoredObject } from '../../store/artifactStore.ts';
import { unavailable } from '../../store/unavailable.ts';

/** One part of a price, as a 402 names it (I7.7). */
export type PriceComponent = { readonly component: string; readonly usd: number };

/** What an answer costs, and the parts of it; null on a route without them. */
export type StoredPrice = {
  readonly microUsd: number;
  readonly components: readonly PriceComponent[] | null;
};

/**
 * What an answer costs in micro-USD: the price of its route or, on a route with a band, the price that the artifact
 * states for itself (P1.5, I4.R29.4).
 *
 * @throws IssuerError `artifact_unavailable` when the artifact states none, one outside the band, or one that is not
 * the sum of the parts it names: nothing is charged
 */
export function storedPrice(route: Route, stored: StoredObject | StoredBytes): StoredPrice {
  const band = route.priceBand;
  if (band === undefined) return { microUsd: route.priceMicroUsd, components: null };
  const { entry } = stored;
  const microUsd = statedAt(stored, band.statedAt);
  if (typeof microUsd !== 'number' || !Number.isInteger(microUsd))
    throw unavailable(entry.key, 'it does not state its price');
  if (microUsd < band.minMicroUsd || microUsd > band.maxMicroUsd)
    throw unavailable(entry.key, 'its price is outside the band of its route');
  if (band.components === undefined) return { microUsd, components: null };
  const parts = partsOf(stored, band.components);
  if (parts.reduce((sum, part) => sum + part.microUsd, 0) !== microUsd)
    throw unavailable(entry.key, 'its price is not the sum of its parts');
  return {
    microUsd,
    components: parts.map((part) => ({ component: part.component, usd: part.microUsd / 1_000_000 })),
  };
}

function partsOf(
  stored: StoredObject | StoredBytes,
  { statedAt: path, parts }: NonNullable<PriceBand['components']>,
): NonNullable<PriceBand['components']>['parts'] {
  const named = statedAt(stored, path);
  const names: readonly unknown[] = Array.isArray(named) ? named : [];
  const found = parts.filter(({ component }) => names.includes(component));
  if (found.length !== names.length)
    throw unavailable(stored.entry.key, 'it names parts of a price that there are not');
  return found;
}

function statedAt(stored: StoredObject | StoredBytes, [top = '', ...path]: readonly string[]): unknown {
  const bytes = 'bodies' in stored ? storedMembers(stored.bodies).get(top) : undefined;
  return bytes === undefined ? undefined : memberAt(JSON.parse(bytes.toString('utf8')), path);
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
