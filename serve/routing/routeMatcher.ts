import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { isToolPath } from '../http/parseTarget.ts';
import { nearestLabels } from '../identity/nearestLabels.ts';

/** What a path names: the route of the method, with the raw values of its path parameters. */
export type RouteMatch = {
  readonly route: Route;
  readonly pathValues: ReadonlyMap<string, string>;
};

export type MatchResult =
  | ({ readonly kind: 'route' } & RouteMatch)
  | { readonly kind: 'options'; readonly allow: readonly string[] };

type Pattern = { readonly route: Route; readonly segments: readonly string[]; readonly parameter: number };

/** Finds the route of a request (I4.1–I4.6, I4.M.4). */
export type RouteMatcher = (o: {
  readonly method: string;
  readonly path: string;
  readonly segments: readonly string[];
}) => MatchResult;

/**
 * Builds the matcher of a route table.
 *
 * The matcher throws IssuerError `route_not_found`, `method_not_allowed`, `invalid_path_scope`,
 * `ticker_required` or `product_required`.
 */
export function routeMatcher(routes: readonly Route[]): RouteMatcher {
  const exact = new Map<string, Route[]>();
  const patterns: Pattern[] = [];
  for (const route of routes) {
    const segments = route.path.slice(1).split('/');
    const parameter = segments.findIndex((segment) => segment.startsWith('{'));
    if (parameter >= 0) patterns.push({ route, segments, parameter });
    else exact.set(route.path, [...(exact.get(route.path) ?? []), route]);
  }
  const families = patterns.map((pattern) => pattern.segments.slice(0, pattern.parameter).join('/'));
  // the screen shares its path with a parameter route, so more segments belong to that one (I4.3)
  const universe = [...exact.values()]
    .flatMap((found) => found.slice(0, 1))
    .filter((route) => /^\/(mpp\/)?v1\//.test(route.path) && !families.includes(route.path.slice(1)));
  const paths = [...new Set(routes.filter((r) => r.status === 'live').map((route) => route.path))];

  return ({ method, path, segments }) => {
    const literal = segments.some((segment) => segment.includes('/')) ? null : `/${segments.join('/')}`;
    refuseUnmirrored({ literal, segments, exact, patterns });
    // many hosts write the address of a tool server with a slash at its end (I4.2)
    const found = literal === null ? undefined : exact.get(isToolPath(literal) ? '/mcp' : literal);
    const candidates = found ?? matchPatterns(patterns, segments);
    if (candidates.length > 0) return pick({ method, candidates, segments });
    refuseScope(universe, literal);
    refuseMissingParameter(patterns, segments);
    throw notFound(path, paths);
  };
}

function matchPatterns(patterns: readonly Pattern[], segments: readonly string[]): Route[] {
  return patterns
    .filter(
      (pattern) =>
        pattern.segments.length === segments.length &&
        pattern.segments.every((part, i) =>
          part.startsWith('{') ? segments[i] !== '' : part === segments[i],
        ),
    )
    .map((pattern) => pattern.route);
}

function pick({
  method,
  candidates,
  segments,
}: {
  method: string;
  candidates: readonly Route[];
  segments: readonly string[];
}): MatchResult {
  const methods = new Set(candidates.map((route) => route.method));
  const allow = [
    ...(methods.has('GET') ? ['GET', 'HEAD'] : []),
    ...(methods.has('POST') ? ['POST'] : []),
    'OPTIONS',
  ];
  if (method === 'OPTIONS') return { kind: 'options', allow };
  const wanted = method === 'HEAD' ? 'GET' : method;
  const route = candidates.find((candidate) => candidate.method === wanted);
  if (route === undefined) {
    throw new IssuerError({
      code: 'method_not_allowed',
      message: `This path does not answer ${/^[A-Z]{1,16}$/.test(method) ? method : 'this method'}.`,
      hint: `Use ${allow.join(', ')}.`,
      details: { allowed_methods: allow },
    });
  }
  const pathValues = new Map<string, string>();
  route.path
    .slice(1)
    .split('/')
    .forEach((part, i) => {
      if (part.startsWith('{')) pathValues.set(part.slice(1, -1), segments[i] ?? '');
    });
  return { kind: 'route', route, pathValues };
}

// the /mpp form of a /v1 route that is not mirrored is no route, even where another pattern matches it
function refuseUnmirrored({
  literal,
  segments,
  exact,
  patterns,
}: {
  literal: string | null;
  segments: readonly string[];
  exact: ReadonlyMap<string, readonly Route[]>;
  patterns: readonly Pattern[];
}): void {
  if (segments[0] !== 'mpp' || segments[1] !== 'v1' || literal === null) return;
  const twinPath = literal.slice('/mpp'.length);
  const twins = exact.get(twinPath) ?? matchPatterns(patterns, segments.slice(1));
  const twin = twins[0];
  if (twin === undefined || twin.mirroredBy !== null) return;
  throw new IssuerError({
    code: 'route_not_found',
    message: 'This route is not mirrored on the MPP rail.',
    hint: `Call ${twinPath} on the x402 rail.`,
    details: { canonical_path: twinPath, suggestions: [] },
  });
}

function refuseScope(universe: readonly Route[], literal: string | null): void {
  if (literal === null) return;
  const longest = universe
    .filter((route) => literal.startsWith(`${route.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (longest === undefined) return;
  throw new IssuerError({
    code: 'invalid_path_scope',
    message: `${longest.path} takes no further path segment.`,
    hint: `Call ${longest.path} itself.`,
    details: { canonical_path: longest.path, path_ticker_free: true },
  });
}

function refuseMissingParameter(patterns: readonly Pattern[], segments: readonly string[]): void {
  const bare = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  for (const { route, segments: parts, parameter } of patterns) {
    const name = parts[parameter]?.slice(1, -1);
    if (name !== 'ticker' && name !== 'product') continue;
    const missing =
      (bare.length === parameter && parts.slice(0, parameter).every((part, i) => part === bare[i])) ||
      (segments.length === parts.length &&
        parts.every((part, i) => (i === parameter ? segments[i] === '' : part === segments[i])));
    if (!missing) continue;
    throw new IssuerError({
      code: name === 'ticker' ? 'ticker_required' : 'product_required',
      message: `${route.path} needs a ${name}.`,
      hint: `For example ${route.examplePath}.`,
      details: { parameter: name, example: route.examplePath },
    });
  }
}

function notFound(path: string, paths: readonly string[]): IssuerError {
  return new IssuerError({
    code: 'route_not_found',
    message: 'No route has this path.',
    hint: 'GET /openapi.json lists every route.',
    details: {
      canonical_path: null,
      suggestions: nearestLabels({ asked: path, labels: paths, maxDistance: 3 }),
    },
  });
}
