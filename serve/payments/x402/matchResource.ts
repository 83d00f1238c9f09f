import type { RoutePlan } from '../../routing/routePlan.ts';

/** Reads a request line the way the server does; null when it is none of ours. */
export type PlanOfTarget = (method: string, target: string) => RoutePlan | null;

/**
 * True when the echoed resource is this request: same path, same normalized query; scheme, host and port are not
 * compared because proxies rewrite them (P2.14, S21). A payment without an echo fits every request.
 */
export function sameResource(
  {
    resourceUrl,
    plan,
    baseUrl,
  }: { readonly resourceUrl: string | null; readonly plan: RoutePlan; readonly baseUrl: string },
  planOf: PlanOfTarget,
): boolean {
  if (resourceUrl === null || resourceUrl === `${baseUrl}${plan.path}${plan.query}`) return true;
  const target = /^https?:\/\/[^/?#]+(\/[^#]*)$/i.exec(resourceUrl)?.[1];
  const echoed = target === undefined ? null : planOf(plan.route.method, target);
  return (
    echoed !== null &&
    echoed.route.id === plan.route.id &&
    echoed.path === plan.path &&
    echoed.query === plan.query
  );
}
