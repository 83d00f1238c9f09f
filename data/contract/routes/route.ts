import { z } from 'zod';
import { IssuerError } from '../errors/issuerError.ts';
import type { FreeAnswer, StoredAnswer } from './answer.ts';

// The shape of a row of the route table (INTERFACE I4.11, I4.34, I4.F). Everything that is known of a route
// before a request arrives is stated in its row and nowhere else.

const span = { min: z.number(), max: z.number() };

/** Standard parameter types of I4.11. */
const paramType = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal(['ticker', 'cik', 'product', 'date']) }),
  z.strictObject({ kind: z.literal('int'), ...span, default: z.number() }),
  z.strictObject({ kind: z.literal('number'), ...span }),
  z.strictObject({ kind: z.literal('boolean'), default: z.boolean() }),
  z.strictObject({
    kind: z.literal('enum'),
    values: z.array(z.string()).readonly(),
    default: z.exactOptional(z.string()),
  }),
  z.strictObject({ kind: z.literal('choice'), values: z.array(z.number()).readonly() }),
  z.strictObject({ kind: z.literal('string'), ...span, pattern: z.exactOptional(z.string()) }),
]);

export const param = z.strictObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'body']),
  required: z.boolean(),
  type: paramType,
  description: z.string(),
  example: z.exactOptional(z.string()),
});

export type ParamType = z.infer<typeof paramType>;
export type Param = z.infer<typeof param>;

/** A change of price that is announced, or took effect and is not yet the price of its row (I9.5). */
export type PriceChange = {
  /** Instants, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly announcedAt: string;
  readonly effectiveAt: string;
  readonly newMicroUsd: number;
};

/** The announced end of a route (I9.4). */
export type Deprecation = {
  /** Instants, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly announcedAt: string;
  readonly sunsetAt: string;
  /** Path template of the route that takes over; null without one. */
  readonly successor: string | null;
};

/** What an API key may be used for (I5.5): each route names the one it needs. */
export type KeyScope = 'rest' | 'mcp' | 'visual';

/** The prices a route may have; the stored artifact states the one of its answer (I4.R29.4). */
export type PriceBand = {
  readonly minMicroUsd: number;
  readonly maxMicroUsd: number;
  /** Names that lead to the price in the artifact, in micro-USD. */
  readonly statedAt: readonly string[];
  /** What each price is the sum of, where the artifact says it. */
  readonly components?: PriceComponents;
};

/** Parts of a price, each with the condition under which it counts. */
export type PriceComponents = {
  /** Names that lead to the names of its parts in the artifact. */
  readonly statedAt: readonly string[];
  readonly parts: readonly {
    readonly component: string;
    readonly microUsd: number;
    readonly condition: string;
  }[];
};

export type Route = {
  /** R01…R31, M01…M11, F01…F28. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Path template, parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly family: 'v1' | 'mpp' | 'mcp' | 'free';
  /** Listed price, up to an announced change; 0 on free routes. 1 credit = 10,000 micro-USD. */
  readonly priceMicroUsd: number;
  /** Ask `priceAt` for the price of an instant; the row may be rewritten once the grace is over. */
  readonly priceChange?: PriceChange;
  /** Only where its end is announced. */
  readonly deprecation?: Deprecation;
  /** Only where the charge depends on the stored artifact (R29, R30). */
  readonly priceBand?: PriceBand;
  /** Id of the `/v1` twin of a mirror. */
  readonly mirrorOf: string | null;
  /** Id of the mirror of a `/v1` route. */
  readonly mirroredBy: string | null;
  /** Scope that an API key needs here. */
  readonly keyScope: KeyScope;
  readonly scope: 'universe' | 'issuer' | 'product' | 'endpoint';
  /** A pending route answers 501 and is in no discovery document (I4.37). */
  readonly status: 'live' | 'pending';
  readonly params: readonly Param[];
  /** At least one of these must be present (R03). */
  readonly requireOneOf?: readonly string[];
  /** Of each of these groups not more than one may be sent (R06, R20). */
  readonly exclusive?: readonly (readonly string[])[];
  readonly schemaId: string | null;
  /** How it is answered from what is stored; null while it is pending. */
  readonly answer: StoredAnswer | FreeAnswer | null;
  readonly description: string;
  /** What a buyer should know before paying beyond the description; in 402, pricing and API description. */
  readonly note?: string;
  readonly examplePath: string;
};

/** `METHOD /path/template`, the name of a route in receipts, grants and logs. */
export function routeUri(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`;
}

/**
 * The live route that an operationId, or a method and path template, names (I4.F18.2).
 *
 * @throws IssuerError `invalid_parameter` with the operationIds there are
 */
export function routeNamed(name: string, routes: readonly Route[]): Route {
  const live = routes.filter(({ status }) => status === 'live');
  const found = live.find((route) => route.operationId === name || routeUri(route) === name);
  if (found !== undefined) return found;
  throw new IssuerError({
    code: 'invalid_parameter',
    message: `route names no live route: ${name}.`,
    hint: 'Send an operationId of allowed, or method and path template such as GET /v1/readiness.',
    details: { parameter: 'route', reason: 'not_allowed', allowed: live.map((route) => route.operationId) },
  });
}

type Stated = 'id' | 'path' | 'operationId' | 'params' | 'schemaId' | 'answer' | 'description';
type PaidRow = Pick<Route, Stated> &
  Partial<Omit<Route, 'family' | 'priceMicroUsd' | 'scope'>> & { readonly micro: number };

/** Fills in what all `/v1` routes share, and whom an answer is about, by what the path names. */
export function paid({ micro, ...row }: PaidRow): Route {
  return {
    method: 'GET',
    family: 'v1',
    priceMicroUsd: micro,
    mirrorOf: null,
    mirroredBy: null,
    keyScope: 'rest',
    scope: scopeOf(row.path),
    status: 'live',
    examplePath: row.path,
    ...row,
  };
}

function scopeOf(path: string): Route['scope'] {
  if (path.includes('{ticker}')) return 'issuer';
  return path.includes('{product}') ? 'product' : 'universe';
}
