import type { Route } from '../../../data/contract/routes/route.ts';
import type { Subject } from '../../body/envelope.ts';
import { sha256Hex } from '../../body/openBodies.ts';
import type { ServableBody } from '../../body/servableBody.ts';
import type { ServableHeaders } from '../../body/servableHeaders.ts';
import type { RoutePlan } from '../../routing/routePlan.ts';
import type { PriceComponent } from './storedPrice.ts';

/**
 * A finished answer before money is touched: made by the look-up stage and by nothing else, so that what cannot
 * be served is never charged (P1.3, P1.4).
 */
export type Servable = {
  readonly route: Route;
  readonly body: ServableBody;
  readonly artifactKey: string;
  readonly artifactVersion: string;
  readonly artifactSha256: string;
  readonly sourceDate: string;
  readonly computedAt: string;
  readonly subject: Subject | null;
  readonly priceMicroUsd: number;
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
  /** Printed 402s, kept as long as their plans: an unpaid call costs no more than a lookup. */
  readonly challenges: WeakMap<RoutePlan, PrintedChallenge>;
};

/** A 402 of one request line; only the request id is still missing. */
export type PrintedChallenge = {
  /** null: it is minted for each call. */
  readonly header: string | null;
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
