import type { PriceBand, Route } from '../../../data/contract/routes/route.ts';
import type { EnvelopeFacts } from '../../body/envelope.ts';
import { sha256Hex, storedMembers } from '../../body/openBodies.ts';
import type { ServableBody, ServableHeaders } from '../../body/servableBody.ts';
import type { RoutePlan } from '../../routing/routePlan.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { StoredBytes, StoredObject } from '../../store/artifactStore.ts';

/**
 * A finished answer before money is touched: made by the look-up stage and by nothing else, so that what cannot
 * be served is never charged (P1.3, P1.4).
 */
export type Servable = Omit<
  EnvelopeFacts,
  'cacheHit' | 'payloadMode' | 'payloadSha256' | 'said' | 'evidence'
> & {
  readonly body: ServableBody;
  /** What the price is the sum of; null on routes that do not say (I7.7). */
  readonly priceComponents: readonly PriceComponent[] | null;
  /** How long the lists of the answer are that its route counts for a buyer; null where it counts none. */
  readonly counts: Readonly<Record<string, number>> | null;
  readonly routeUri: string;
  /** Name of the tool when it is sold over the tool protocol. */
  readonly tool: string | null;
  /** Headers that are the same in every answer, as flat lists (I4.24). */
  readonly headers: ServableHeaders;
  /** The same answer at other prices, by micro-USD (I9.5). */
  readonly repriced: Map<number, Servable>;
  /** Printed 402s, cached as long as their plans: an unpaid call costs no more than a lookup. */
  readonly challenges: WeakMap<RoutePlan, PrintedChallenge>;
};

/** A 402 of one request line; only the request id is still missing. */
export type PrintedChallenge = {
  /** null: it is minted for each call. */
  readonly header: string | null;
  /** It is printed again after that: its offers are signed for a time. */
  readonly shownUntilMs: number;
  readonly beforeRequestId: Buffer;
  readonly afterRequestId: Buffer;
};

/** Opaque value of an entity tag: artifacts in order, normalized view, route (I9.11). */
export function entityTagValue({
  sha256s,
  view,
  routeId,
}: {
  sha256s: readonly string[];
  view: string;
  routeId: string;
}): string {
  return sha256Hex([...sha256s, view, routeId].join('\n')).slice(0, 32);
}

/** True when an `If-None-Match` field lists the tag, compared weakly, or is `*` (I9.12). */
export function matchesTag(field: string | undefined, tag: string): boolean {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return field.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}

/** One part of a price, as a 402 names it (I7.7). */
type PriceComponent = { readonly component: string; readonly usd: number };

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
