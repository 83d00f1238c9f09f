import type { Deployment } from '../emit/deployment.ts';
import type { Route } from './route.ts';

/** The live routes that a deployment can be paid for: those below /mpp/v1 while its rail is on, and all others. */
export function offeredRoutes(routes: readonly Route[], { mpp }: Pick<Deployment, 'mpp'>): Route[] {
  return routes.filter(({ status, family }) => status === 'live' && (family !== 'mpp' || mpp !== null));
}
