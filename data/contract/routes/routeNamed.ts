import { IssuerError } from '../errors/issuerError.ts';
import { type Route, routeUri } from './route.ts';

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
