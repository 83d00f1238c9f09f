import type { Route } from '../../contract/route.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { EnvelopePrinter } from './envelope.ts';
import { type OpenBodies, sha256Hex } from './openBodies.ts';

/** Constant headers of the answers of one servable, the standard ones included. */
export type ServableHeaders = {
  /** 200 and 304 of a call with access. */
  readonly admitted: readonly string[];
  /** What HEAD with access adds to it. */
  readonly head: readonly string[];
  readonly challenge: readonly string[];
};

/** What readiness needs from its artifact to fill its serve-time members (I4.R01.3). */
export type ReadinessClock = {
  readonly computedMs: number;
  readonly freshnessWindowHours: number;
  readonly sliceStatus: 'complete' | 'partial';
};

/**
 * A finished answer before money is touched: made by the look-up stage and by nothing else, so that what cannot
 * be served is never charged (P1.3, P1.4).
 */
export type Servable = {
  readonly route: Route;
  readonly bodies: OpenBodies;
  readonly artifactKey: string;
  readonly artifactVersion: string;
  readonly artifactSha256: string;
  readonly sourceDate: string;
  readonly computedAt: string;
  /** Canonical ticker on issuer routes. */
  readonly ticker: string | null;
  /** Quoted entity tag, weak because billing members differ from call to call (I9.13). */
  readonly etag: string;
  /** True when a stored artifact is sent as it is (I4.38). */
  readonly cacheHit: boolean;
  /** `payload_mode` of the envelope (I4.31). */
  readonly payloadMode: string;
  readonly priceMicroUsd: number;
  readonly routeUri: string;
  readonly readinessClock: ReadinessClock | null;
  /** Headers that are the same in every answer, as flat lists (I4.24). */
  readonly headers: ServableHeaders;
  readonly printEnvelope: EnvelopePrinter;
  /** The same answer at other prices, by micro-USD (I9.5). */
  readonly repriced: Map<number, Servable>;
  /** Printed 402s, kept as long as their plans: an unpaid call costs no more than a lookup (ARCHITECTURE 7). */
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
export function entityTagValue(o: { sha256s: readonly string[]; view: string; routeId: string }): string {
  return sha256Hex([...o.sha256s, o.view, o.routeId].join('\n')).slice(0, 32);
}

/** True when an `If-None-Match` field lists the tag, compared weakly, or is `*` (I9.12). */
export function matchesTag(field: string | undefined, tag: string): boolean {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return field.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}
