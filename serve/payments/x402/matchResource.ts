import type { RoutePlan } from '../../routing/routePlan.ts';
import { mismatch } from './matchOffer.ts';

/** Reads a request line the way the server does; null when it is none of ours. */
export type PlanOfTarget = (method: string, target: string) => RoutePlan | null;

/**
 * Compares the echoed resource with this request: same path, same normalized query; scheme, host and port are not
 * compared because proxies rewrite them (P2.14, S21).
 *
 * @throws IssuerError `payment_mismatch`
 */
export function checkResource(
  o: { readonly resourceUrl: string | null; readonly plan: RoutePlan; readonly baseUrl: string },
  planOf: PlanOfTarget,
): void {
  const { resourceUrl, plan, baseUrl } = o;
  if (resourceUrl === null || resourceUrl === `${baseUrl}${plan.path}${plan.query}`) return;
  const target = /^https?:\/\/[^/?#]+(\/[^#]*)$/i.exec(resourceUrl)?.[1];
  const echoed = target === undefined ? null : planOf(plan.route.method, target);
  const same =
    echoed !== null &&
    echoed.route.id === plan.route.id &&
    echoed.path === plan.path &&
    echoed.query === plan.query;
  if (!same) throw mismatch('resource');
}
