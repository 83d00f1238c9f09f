import { hash } from 'node:crypto';
import type { Route } from '../../data/contract/routes/route.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { normalizedQuery, type Params, type ParamValue, valuesOf } from './readParams.ts';

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
  const path = canonicalPath(route.path, pathValues);
  const query = normalizedQuery(params);
  const body = canonicalJson(bodyValues);
  return {
    kind: 'route',
    route,
    params,
    instance,
    path,
    query,
    twinPath: twinPath(route, path),
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

function canonicalPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

function twinPath(route: Route, path: string): string | null {
  if (route.family === 'mpp') return path.slice('/mpp'.length);
  return route.mirroredBy === null ? null : `/mpp${path}`;
}
