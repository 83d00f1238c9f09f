import { freeRoutes } from './freeRoutes.ts';
import { issuerRoutes } from './issuerRoutes.ts';
import { marketRoutes } from './marketRoutes.ts';
import { paymentMode } from './param.ts';
import { type Route, routeUri } from './route.ts';
import { briefRoutes, universeRoutes } from './universeRoutes.ts';

const mcp: Route = {
  id: 'R31',
  method: 'POST',
  path: '/mcp',
  operationId: 'callTool',
  family: 'mcp',
  priceMicroUsd: 40_000,
  mirrorOf: null,
  mirroredBy: null,
  keyScope: 'mcp',
  scope: 'endpoint',
  status: 'live',
  params: [paymentMode],
  schemaId: null,
  answer: null,
  description: 'Tool-protocol endpoint: the same intelligence as tools for agents.',
  examplePath: '/mcp',
};

const paidRoutes = [...universeRoutes, ...issuerRoutes, ...marketRoutes, ...briefRoutes].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);

/** The mirror of a `/v1` route on the MPP rail: same price, parameters, payload and state (I4.M.1). */
function mirror(twin: Route, id: string): Route {
  return {
    ...twin,
    id,
    path: `/mpp${twin.path}`,
    operationId: `mpp${twin.operationId.charAt(0).toUpperCase()}${twin.operationId.slice(1)}`,
    family: 'mpp',
    mirrorOf: twin.id,
    mirroredBy: null,
    examplePath: `/mpp${twin.examplePath}`,
    ...mirroredEnd(twin),
  };
}

function mirroredEnd({ deprecation }: Route): Pick<Route, 'deprecation'> {
  if (deprecation === undefined) return {};
  const { successor } = deprecation;
  return { deprecation: { ...deprecation, successor: successor === null ? null : `/mpp${successor}` } };
}

const mirrors = paidRoutes.flatMap((route) =>
  route.mirroredBy === null ? [] : [mirror(route, route.mirroredBy)],
);

/**
 * Every route of the contract, in the order R01–R31, M01–M11, F01–F28.
 *
 * Router, prices, 402 amounts, OpenAPI and the pricing document are all made from these rows (I4.34).
 */
export const routes: readonly Route[] = [...paidRoutes, mcp, ...mirrors, ...freeRoutes];

/** Routes this build serves; discovery documents list these and no others (I4.37). */
export const liveRoutes: readonly Route[] = routes.filter((route) => route.status === 'live');

/** Those of the routes named `METHOD /path/template` that answer today (I5.43). */
export function liveAmong(uris: readonly string[], table: readonly Route[] = liveRoutes): string[] {
  const live = new Set(table.filter((route) => route.status === 'live').map(routeUri));
  return uris.filter((uri) => live.has(uri));
}
