import { hash } from 'node:crypto';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type Route, routeUri } from '../../data/contract/routes/route.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { Incoming } from '../exchange.ts';
import { parseTarget } from '../http/parseTarget.ts';
import { requireJsonBody } from '../http/transportLimits.ts';
import type { ByteCache } from '../store/byteCache.ts';
import { readBody } from './readBody.ts';
import { normalizedQuery, type Params, type ParamValue, readParams, valuesOf } from './readParams.ts';
import type { RouteMatcher } from './routeMatcher.ts';

/**
 * Everything a valid request says by itself, before credentials and artifacts: it depends on nothing else, so that of
 * a request line is cached for the next request with the same line.
 */
export type RoutePlan = {
  readonly kind: 'route';
  readonly route: Route;
  readonly params: Params;
  /** Path as received: `instance` of a problem. */
  readonly instance: string;
  /** Path with canonical values, and its normalized query with the leading `?` or empty. */
  readonly path: string;
  readonly query: string;
  /** The same request on the other rail; null without a twin. */
  readonly twinPath: string | null;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly queryValues: Readonly<Record<string, string>>;
  /** Members of the JSON body, defaults omitted; null on a route that takes none. */
  readonly bodyValues: Readonly<Record<string, ParamValue>> | null;
  /** 32 bytes of I5.24 in memory of their own. */
  readonly fingerprint: Uint8Array;
};

/** Draws up the plan of a request whose parameters are valid. */
export function routePlan({
  route,
  params,
  instance,
}: {
  route: Route;
  params: Params;
  instance: string;
}): RoutePlan {
  const pathNames = route.params.filter((param) => param.in === 'path').map((param) => param.name);
  const pathValues = valuesOf(params, pathNames, String);
  const queryValues = valuesOf(params, params.given, String);
  const bodyValues =
    params.givenInBody === null ? null : valuesOf(params, params.givenInBody, (value) => value);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValues[name] ?? '');
  const query = normalizedQuery(params);
  const isMpp = route.family === 'mpp';
  const body = canonicalJson(bodyValues);
  return {
    kind: 'route',
    route,
    params,
    instance,
    path,
    query,
    twinPath: isMpp ? path.slice('/mpp'.length) : route.mirroredBy === null ? null : `/mpp${path}`,
    pathValues,
    queryValues,
    bodyValues,
    fingerprint: requestFingerprint({ body, method: route.method, path, query: canonicalJson(queryValues) }),
  };
}

/**
 * Request fingerprint: SHA-256 over method, canonical path, sorted query without defaults, and body (I5.24).
 *
 * @param body canonical JSON, as is `query`
 */
export function requestFingerprint({
  body,
  method,
  path,
  query,
}: {
  body: string;
  method: string;
  path: string;
  query: string;
}): Uint8Array {
  // RFC 8785 order of the four members
  const text = `{"body":${body},"method":"${method}","path":${JSON.stringify(path)},"query":${query}}`;
  return new Uint8Array(hash('sha256', text, 'buffer'));
}

/** A preflight: which methods a path answers. */
export type OptionsPlan = { readonly kind: 'options'; readonly allow: readonly string[] };

/** Methods that some path answers: those of `OPTIONS *`, and of a preflight, whose path is not read. */
export const everyMethod = ['GET', 'HEAD', 'POST', 'OPTIONS'] as const;

/** Plans requests: route, method and validation (I4.7 steps 3 and 4). */
export type RequestPlanner = (request: Incoming, matched: (route: Route) => void) => RoutePlan | OptionsPlan;

/**
 * Makes the planner of a route table. Plans of valid request lines are cached: what was valid once is valid again, because
 * everything such a plan depends on is in its text.
 *
 * The planner throws IssuerError as `routeMatcher`, `readParams` and `readBody` do, `unsupported_media_type` or
 * `not_implemented`; it names the matched route before it judges the parameters.
 */
export function requestPlanner({
  match,
  plans,
  keptCharacters,
}: {
  match: RouteMatcher;
  plans: ByteCache<RoutePlan>;
  /** Characters of other texts that live as long as a plan. */
  keptCharacters: number;
}): RequestPlanner {
  return (request, matched) => {
    if (request.method === 'OPTIONS' && request.target === '*') {
      return { kind: 'options', allow: everyMethod };
    }
    const key = `${request.method} ${request.target}`;
    const known = plans.get(key);
    if (known !== undefined) {
      if (known.route.method === 'GET') return known;
      matched(known.route);
      requireJsonBody(request);
      return known;
    }
    const target = parseTarget(request.target);
    const found = match({ method: request.method, path: target.path, segments: target.segments });
    if (found.kind === 'options') return found;
    const { route, pathValues } = found;
    matched(route);
    if (route.method === 'POST') requireJsonBody(request);
    if (route.status === 'pending') throw notImplemented(route);
    // free routes read what they are sent themselves: one of them needs the bytes as they came (I4.F17)
    const readsBody = route.family !== 'free' && route.params.some((param) => param.in === 'body');
    const body = readsBody ? readBody({ route, bytes: request.body }) : null;
    const params = readParams({ route, pathValues, query: target.query, body });
    const plan = routePlan({ route, params, instance: target.path });
    // key and plan hold the request line about four times, beside objects of a fixed size and the cached texts;
    // a body that belongs to the plan is not in the key
    if (!readsBody) plans.set(key, plan, 8 * key.length + 2048 + keptCharacters);
    return plan;
  };
}

function notImplemented(route: Route): IssuerError {
  return new IssuerError({
    code: 'not_implemented',
    message: `${routeUri(route)} is part of the contract and not served by this build yet.`,
    hint: 'GET /openapi.json lists what is.',
    details: { route_uri: routeUri(route) },
  });
}

/** Reads a request line as the server would; null when it is no valid request of a route. */
export function planOfTarget(match: RouteMatcher): (method: string, target: string) => RoutePlan | null {
  return (method, text) => {
    try {
      const target = parseTarget(text);
      const found = match({ method, path: target.path, segments: target.segments });
      if (found.kind === 'options') return null;
      const { route } = found;
      const params = readParams({ route, pathValues: found.pathValues, query: target.query });
      return routePlan({ route, params, instance: target.path });
    } catch {
      return null;
    }
  };
}
