import { instantPattern } from '../values/primitives.ts';
import type { Route } from './route.ts';

/** How long a route answers after its end was announced, at the least (I9.4). */
const deprecationNoticeMs = 180 * 86_400_000;

/** True from the instant a deprecated route ends; it is then no route any more (I9.4). */
export function isSunset({ deprecation }: Pick<Route, 'deprecation'>, nowMs: number): boolean {
  return deprecation !== undefined && nowMs >= Date.parse(deprecation.sunsetAt);
}

/** The instants at which routes of a table end, ascending, each once. */
export function sunsetInstants(routes: readonly Route[]): number[] {
  const instants = routes.flatMap(({ deprecation }) =>
    deprecation === undefined ? [] : [Date.parse(deprecation.sunsetAt)],
  );
  return [...new Set(instants)].sort((a, b) => a - b);
}

/** The path that takes over from one that was asked: the successor with the same values; null without one. */
export function successorPath({ path, deprecation }: Route, asked: string): string | null {
  if (deprecation === undefined || deprecation.successor === null) return null;
  const given = asked.split('/');
  const values = new Map(path.split('/').map((part, i) => [part, given[i] ?? part]));
  return deprecation.successor
    .split('/')
    .map((part) => (part.startsWith('{') ? (values.get(part) ?? part) : part))
    .join('/');
}

/** What every answer of a deprecated route carries, as a flat list (I9.4, RFC 9745, RFC 8594); empty for others. */
export function deprecationHeaders(
  route: Route,
  { baseUrl, asked }: { readonly baseUrl: string; readonly asked: string },
): string[] {
  const { deprecation } = route;
  if (deprecation === undefined) return [];
  const successor = successorPath(route, asked);
  const links = [
    `<${baseUrl}/v1/pricing>; rel="deprecation"`,
    ...(successor === null ? [] : [`<${baseUrl}${successor}>; rel="successor-version"`]),
  ];
  return [
    'Deprecation',
    `@${Date.parse(deprecation.announcedAt) / 1000}`,
    'Sunset',
    new Date(deprecation.sunsetAt).toUTCString(),
    'Link',
    links.join(', '),
  ];
}

/** Why the deprecation of a row breaks the contract (I9.4); null when it does not, or there is none. */
export function deprecationFault({ path, deprecation }: Route, routes: readonly Route[]): string | null {
  if (deprecation === undefined) return null;
  const { announcedAt, sunsetAt, successor } = deprecation;
  if (![announcedAt, sunsetAt].every((text) => instantPattern.test(text)))
    return 'an instant is not written YYYY-MM-DDTHH:MM:SSZ';
  if (Date.parse(sunsetAt) - Date.parse(announcedAt) < deprecationNoticeMs)
    return 'it ends less than 180 days after its announcement';
  if (successor === null) return null;
  const next = routes.find((route) => route.path === successor && route.status === 'live');
  if (next === undefined || next.deprecation !== undefined) return 'its successor is no route that stays';
  const named = (template: string): string[] => template.match(/\{\w+\}/g) ?? [];
  return named(successor).every((name) => named(path).includes(name))
    ? null
    : 'its successor asks for a path value it does not have';
}
