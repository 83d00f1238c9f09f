import { type GrantProgram, grantPrograms } from '../../data/contract/billing/grants.ts';
import { type Route, routeUri } from '../../data/contract/routes/route.ts';
import { routes as contractRoutes } from '../../data/contract/routes/routes.ts';

/** The routes a grant covers, `METHOD /path/template`, and the lowest price among them (I3.13, I5.42). */
export type Coverage = { readonly routes: readonly string[]; readonly minPriceMicro: number };

/** Routes a grant may name: those of `/v1`, tool calls, and free ones, which never debit (I5.43, I4.MCP.22). */
function coverable(route: Route): boolean {
  return route.family !== 'mpp';
}

/** Coverage of a list of routes, or what is wrong with it. */
export function coverageOf(
  uris: readonly string[],
  table: readonly Route[] = contractRoutes,
): Coverage | { readonly unknown: string } | { readonly unpriced: true } {
  const known = new Map(table.filter(coverable).map((route) => [routeUri(route), route]));
  const prices: number[] = [];
  for (const uri of uris) {
    const route = known.get(uri);
    if (route === undefined) return { unknown: uri };
    const price = route.priceBand?.minMicroUsd ?? route.priceMicroUsd;
    // stored with the grant, which may outlive the price: an announced one counts already
    if (price > 0) prices.push(Math.min(price, route.priceChange?.newMicroUsd ?? price));
  }
  if (prices.length === 0) return { unpriced: true };
  return { routes: [...new Set(uris)], minPriceMicro: Math.min(...prices) };
}

/** The default routes of a program (I5.43). */
export function programRoutes(program: GrantProgram): readonly string[] {
  return grantPrograms[program].recommended_default_routes;
}

/** Every live `/v1` route, written out: what a budget bought by card covers (P5.8). */
export function allLiveRoutes(table: readonly Route[] = contractRoutes): Coverage {
  const live = table.filter((route) => route.family === 'v1' && route.status === 'live');
  const coverage = coverageOf(live.map(routeUri), table);
  if ('minPriceMicro' in coverage) return coverage;
  throw new RangeError('no live route has a price');
}
