import { hash } from 'node:crypto';
import type { Route } from '../../contract/route.ts';
import { normalizedQuery, type Params } from './readParams.ts';

/**
 * Everything a valid request line says by itself, before credentials and artifacts: it depends on nothing else,
 * so it is kept for the next request with the same line.
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
  /** 32 bytes of I5.24 in memory of their own. */
  readonly fingerprint: Uint8Array;
};

/** Draws up the plan of a request whose parameters are valid. */
export function routePlan(o: { route: Route; params: Params; instance: string }): RoutePlan {
  const { route, params } = o;
  const path = canonicalPath(route, params);
  const queryValues = Object.fromEntries(params.given.map((name) => [name, String(params.values.get(name))]));
  return {
    kind: 'route',
    ...o,
    path,
    query: normalizedQuery(params),
    twinPath: twinPath(route, path),
    pathValues: pathValues(route, params),
    queryValues,
    fingerprint: requestFingerprint({ method: route.method, path, query: queryValues }),
  };
}

/** Request fingerprint: SHA-256 over method, canonical path, sorted query without defaults, and body (I5.24). */
function requestFingerprint(o: {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
}): Uint8Array {
  const names = Object.keys(o.query).sort();
  const query = names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(o.query[name])}`).join(',');
  // RFC 8785 order of the four members
  const text = `{"body":null,"method":"${o.method}","path":${JSON.stringify(o.path)},"query":{${query}}}`;
  return new Uint8Array(hash('sha256', text, 'buffer'));
}

function pathValues(route: Route, params: Params): Record<string, string> {
  const values: Record<string, string> = {};
  for (const param of route.params)
    if (param.in === 'path') values[param.name] = String(params.values.get(param.name));
  return values;
}

function canonicalPath(route: Route, params: Params): string {
  let path = route.path;
  for (const param of route.params) {
    if (param.in === 'path')
      path = path.replace(`{${param.name}}`, () => String(params.values.get(param.name)));
  }
  return path;
}

function twinPath(route: Route, path: string): string | null {
  if (route.family === 'mpp') return path.slice('/mpp'.length);
  return route.mirroredBy === null ? null : `/mpp${path}`;
}
