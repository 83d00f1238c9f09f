import { parseTarget } from '../http/parseTarget.ts';
import { readParams } from './readParams.ts';
import type { RouteMatcher } from './routeMatcher.ts';
import { type RoutePlan, routePlan } from './routePlan.ts';

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
