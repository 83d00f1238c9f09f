import { z } from 'zod';
import { paymentProviderPriority } from '../billing/paymentProviders.ts';
import { gatewayDomain, gatewayMinValiditySeconds, requirements } from '../billing/requirement.ts';
import { paidRails } from '../routes/paymentRail.ts';
import type { Route } from '../routes/route.ts';
import { int, usd } from '../values/primitives.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';

const requirement = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string(),
  asset: z.string(),
  amount: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: int,
  extra: z.looseObject({ name: z.string() }),
});

/** `/.well-known/x402` (I4.F11.1). */
export const wellKnownX402 = z.object({
  /** Of the form that directories read: addresses, each answered with a 402. */
  version: z.literal(1),
  resources: z.array(z.url()),
  x402Version: z.literal(2),
  service: z.literal(versions.service),
  network: z.string(),
  asset: z.string(),
  /** Empty while the rail is off. */
  payTo: z.string(),
  gateway: z.object({
    enabled: z.boolean(),
    paymentRequirement: z.literal(gatewayDomain.name),
    version: z.literal(gatewayDomain.version),
    network: z.string(),
    asset: z.string(),
    payTo: z.string(),
    verifyingContract: z.string().nullable(),
    minValiditySeconds: int,
  }),
  payment_provider_priority: z.array(
    z.looseObject({ priority: int, payment_mode: z.string(), enabled: z.boolean() }),
  ),
  items: z.array(
    z.object({
      /** URL template. */
      resource: z.string(),
      type: z.literal('http'),
      x402Version: z.literal(2),
      method: z.enum(['GET', 'POST']),
      description: z.string(),
      mimeType: z.string(),
      price_usd: usd,
      price_range_usd: z.object({ min: usd, max: usd }).nullable(),
      accepts: z.array(requirement),
    }),
  ),
  documentation: z.object({
    openapi: z.string(),
    pricing: z.string(),
    help: z.string(),
    llms: z.string(),
  }),
});

export type WellKnownX402 = z.infer<typeof wellKnownX402>;

/**
 * Emits the catalogue of what is sold for x402: every live route with the entries its 402 offers, and none while that rail
 * is off (I4.F11.1, I4.37).
 *
 * Pure: the same routes and deployment give the same document.
 */
export function emitWellKnownX402(deployment: Deployment, routes: readonly Route[]): WellKnownX402 {
  const { network, asset, payTo, gateway } = deployment.x402;
  const shared = { network, asset, payTo: payTo ?? '' };
  const offered = routes.filter(
    (route) =>
      route.status === 'live' &&
      route.priceMicroUsd > 0 &&
      paidRails(route, 'http', deployment).includes('x402'),
  );
  return {
    version: 1,
    resources: offered.map(({ examplePath }) => `${deployment.baseUrl}${examplePath}`),
    x402Version: 2,
    service: versions.service,
    ...shared,
    gateway: {
      enabled: gateway !== null && payTo !== null,
      paymentRequirement: gatewayDomain.name,
      version: gatewayDomain.version,
      ...shared,
      verifyingContract: gateway?.verifyingContract ?? null,
      minValiditySeconds: gatewayMinValiditySeconds,
    },
    payment_provider_priority: [...paymentProviderPriority(deployment)],
    items: offered.map((route) => itemOf(route, { deployment, payTo: payTo ?? '' })),
    documentation: { openapi: '/openapi.json', pricing: '/v1/pricing', help: '/help', llms: '/llms.txt' },
  };
}

function itemOf(
  route: Route,
  { deployment, payTo }: { deployment: Deployment; payTo: string },
): WellKnownX402['items'][number] {
  const { priceBand: band } = route;
  const amountMicroUsd = band?.minMicroUsd ?? route.priceMicroUsd;
  const offered = requirements({ deployment, amountMicroUsd, payTo, provider: null });
  const accepts = offered.map((entry) =>
    band === undefined ? entry : { ...entry, extra: { ...entry.extra, dynamic: true } },
  );
  return {
    resource: `${deployment.baseUrl}${route.path}`,
    type: 'http',
    x402Version: 2,
    method: route.method,
    description: route.note === undefined ? route.description : `${route.description} ${route.note}`,
    mimeType: 'application/json',
    price_usd: route.priceMicroUsd / 1_000_000,
    price_range_usd:
      band === undefined ? null : { min: band.minMicroUsd / 1_000_000, max: band.maxMicroUsd / 1_000_000 },
    accepts: accepts as WellKnownX402['items'][number]['accepts'],
  };
}
