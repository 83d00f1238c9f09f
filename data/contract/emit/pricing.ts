import { z } from 'zod';
import { billingEnvelope, discoveryEnvelope, discoveryMembers } from '../billing/billingEnvelope.ts';
import { grantPrograms, grantSession, programsCovering } from '../billing/grants.ts';
import { paymentProviderPriority } from '../billing/paymentProviders.ts';
import { fieldMeaning } from '../meanings/fieldMeaning.ts';
import { offeredRoutes, paidRails } from '../routes/paymentRail.ts';
import { type PriceBand, type PriceChange, type Route, routeUri } from '../routes/route.ts';
import { routes as allRoutes, liveAmong } from '../routes/routes.ts';
import { lineOf, offeredTools } from '../tools/offeredTools.ts';
import { toolPaymentWay, toolPaymentWays } from '../tools/toolPayment.ts';
import { freeMethods } from '../tools/toolProtocol.ts';
import { type VisualTool, visualTools } from '../tools/visualTools.ts';
import { count, datetime, usd } from '../values/primitives.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';
import { productName, productNames } from './helpSchema.ts';

/** Meaning of each member of the billing envelope, by name (I4.F01.2, I4.F02.2). */
export const billingMeanings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(billingEnvelope.shape).map((name) => [name, fieldMeaning('envelope', name)]),
);

const priceEntry = z.object({
  id: z.string(),
  route: z.string(),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  path_template: z.string(),
  description: z.string(),
  note: z.string().nullable(),
  price: z.string().regex(/^\$\d+\.\d{2}$/),
  price_usd: usd,
  cost_usd: usd,
  price_micro_usd: count,
  credits: count,
  currency: z.literal('USD'),
  /** null where no payment is taken for it: keys and grants alone. */
  payment_rail: z.enum(['x402', 'mpp']).nullable(),
  preferred_payment_provider: z.enum(['gateway_batched', 'x402_exact', 'mpp']).nullable(),
  compatibility_payment_provider: z.enum(['x402_exact', 'mpp']).nullable(),
  last_resort_payment_provider: z.literal('checkout_session').nullable(),
  mirror_path: z.string().nullable(),
  replaced_by: z.string().nullable(),
  billable: z.literal(true),
  status: z.literal('live'),
  deprecated: z.boolean(),
  route_scope: z.enum(['universe', 'issuer', 'product', 'endpoint']),
  grant_programs: z.array(z.string()),
  example_path: z.string(),
  price_range: z.string().optional(),
  price_range_usd: z.object({ min: usd, max: usd }).optional(),
  recommended_display_price: z.string().optional(),
  recommended_display_price_usd: usd.optional(),
  price_components: z.array(z.object({ component: z.string(), usd, condition: z.string() })).optional(),
  pricing_note: z.string().optional(),
  price_change: z.object({ effective_at: datetime, new_price_usd: usd }).optional(),
});

/** PricingResponse (I4.F01.2). */
export const pricing = discoveryEnvelope.extend({
  service: z.literal(versions.service),
  version: z.literal(versions.pricing),
  generated_at: datetime,
  currency: z.literal('USD'),
  credit_definition: z.object({ credits_per_usd: z.literal(100) }),
  routes: z.array(priceEntry),
  /** What {product} of a path may be. */
  products: z.array(productName),
  mcp: z.object({
    endpoint: z.literal('POST /mcp'),
    price_usd: usd,
    free_methods: z.array(z.string()),
    free_tools: z.array(z.string()),
    /** Ways that are on. */
    payment_ways: z.array(toolPaymentWay),
    tools: z.array(
      z.object({
        name: z.string(),
        price_usd: usd,
        route: z.string().nullable(),
        status: z.literal('live'),
        /** free, payment_or_api_key, or api_key where a payment does not open it. */
        access: z.string(),
      }),
    ),
  }),
  visual: z.object({
    tools: z.array(
      z.object({
        tool: z.string(),
        price_usd: usd.nullable(),
        price_range_usd: z.object({ min: usd, max: usd }).nullable(),
        status: z.string(),
        kind: z.string(),
      }),
    ),
    dynamic_quote: z.looseObject({}),
  }),
  billing_fields: z.record(z.string(), z.string()),
  grant_programs: z.record(z.string(), z.looseObject({})),
  grant_session: z.looseObject({ supported: z.literal(true) }),
  payment_provider_priority: z.array(
    z.looseObject({ priority: count, payment_mode: z.string(), enabled: z.boolean() }),
  ),
  networks: z.object({
    x402: z.object({
      network: z.string(),
      asset: z.string(),
      pay_to: z.string().nullable(),
      gateway_enabled: z.boolean(),
      verifying_contract: z.string().nullable(),
    }),
    mpp: z
      .object({ method: z.string(), network: z.string(), currency: z.string(), recipient: z.string() })
      .nullable(),
  }),
});

export type Pricing = z.infer<typeof pricing>;
type PriceEntry = z.infer<typeof priceEntry>;

/** A deployment and the routes it offers. */
type Offer = { readonly deployment: Deployment; readonly routes: readonly Route[] };

const dollars = (micro: number): string => `$${(micro / 1_000_000).toFixed(2)}`;

function entryOf(route: Route, { deployment, routes }: Offer): PriceEntry {
  const usdPrice = route.priceMicroUsd / 1_000_000;
  const mirror = routes.find((r) => r.id === route.mirroredBy);
  const band = route.priceBand;
  return {
    id: route.id,
    route: routeUri(route),
    method: route.method,
    path: route.path,
    path_template: route.path,
    description: route.description,
    note: route.note ?? null,
    price: dollars(route.priceMicroUsd),
    price_usd: usdPrice,
    cost_usd: usdPrice,
    price_micro_usd: route.priceMicroUsd,
    credits: route.priceMicroUsd / 10_000,
    currency: 'USD',
    ...providersOf(route, deployment),
    mirror_path: mirror?.path ?? null,
    replaced_by: route.deprecation?.successor ?? null,
    billable: true,
    status: 'live',
    deprecated: route.deprecation !== undefined,
    route_scope: route.scope,
    grant_programs: programsCovering(routeUri(route)),
    example_path: route.examplePath,
    ...(band === undefined
      ? {}
      : {
          price_range: `${dollars(band.minMicroUsd)}-${dollars(band.maxMicroUsd)}`,
          price_range_usd: { min: band.minMicroUsd / 1_000_000, max: band.maxMicroUsd / 1_000_000 },
          recommended_display_price: dollars(route.priceMicroUsd),
          recommended_display_price_usd: usdPrice,
          ...componentsOf(band),
        }),
    // the official client refuses to sign more than one dollar unless its buyer raises the limit (P2.51)
    ...(route.priceMicroUsd > 1_000_000 && paidRails(route, 'http', deployment).includes('x402')
      ? { pricing_note: 'Above 1 USD: raise the spend limit of your x402 client before paying this route.' }
      : {}),
    ...(route.priceChange === undefined ? {} : { price_change: announced(route.priceChange) }),
  };
}

type Providers = Pick<
  PriceEntry,
  | 'payment_rail'
  | 'preferred_payment_provider'
  | 'compatibility_payment_provider'
  | 'last_resort_payment_provider'
>;

/** What a route is paid with here; of tool calls the first of the rails that `mcp.payment_ways` lists. */
function providersOf(route: Route, deployment: Deployment): Providers {
  const [rail = null] = paidRails(route, 'in_band', deployment);
  const exact = rail === 'x402' ? 'x402_exact' : rail;
  const batched = rail === 'x402' && deployment.x402.gateway !== null;
  return {
    payment_rail: rail,
    preferred_payment_provider: batched ? 'gateway_batched' : exact,
    compatibility_payment_provider: exact,
    last_resort_payment_provider:
      route.family !== 'mpp' && deployment.checkoutEnabled ? 'checkout_session' : null,
  };
}

/** The rule of a band: what its prices are the sum of. */
function componentsOf({ components }: PriceBand): Pick<PriceEntry, 'price_components'> {
  if (components === undefined) return {};
  return {
    price_components: components.parts.map(({ component, microUsd, condition }) => ({
      component,
      usd: microUsd / 1_000_000,
      condition,
    })),
  };
}

function announced({ effectiveAt, newMicroUsd }: PriceChange): NonNullable<PriceEntry['price_change']> {
  return { effective_at: effectiveAt, new_price_usd: newMicroUsd / 1_000_000 };
}

// a program may name routes that are not built yet; they are shown once they answer (I5.43)
function shownPrograms(routes: readonly Route[]) {
  return Object.fromEntries(
    Object.entries(grantPrograms).map(([name, program]) => [
      name,
      { ...program, recommended_default_routes: liveAmong(program.recommended_default_routes, routes) },
    ]),
  );
}

/** Rule by which a quote replaces a fixed visual price (base specification, tool-protocol endpoint; I4.VIS.20). */
const dynamicQuote = {
  input_context_tokens_above: 25_000,
  expected_output_tokens_above: 8_000,
  raw_html_generation: true,
  multi_artifact_dashboard: true,
  repair_loop: true,
  large_pdf_or_multi_file_bundle: true,
  model_cost_above_share_of_fixed_price: 0.35,
  unit_economics_usd_per_million_tokens: { input: 5, output: 30 },
  margin: 0.35,
};

/** Prices of the tools, of both families (I4.F01.2). */
function toolPrices(deployment: Deployment, routes: readonly Route[]): Pick<Pricing, 'mcp' | 'visual'> {
  const offered = offeredTools(routes, new Set(deployment.disabledTools));
  const tools = offered.map(lineOf).map(({ name, price_usd, route, access }) => {
    return { name, price_usd, route, status: 'live' as const, access };
  });
  const listed = offered.length === 0 ? [] : visualTools;
  return {
    mcp: {
      endpoint: 'POST /mcp',
      price_usd: (routes.find(({ family }) => family === 'mcp')?.priceMicroUsd ?? 40_000) / 1_000_000,
      free_methods: offered.length === 0 ? [] : [...freeMethods],
      free_tools: tools.filter(({ price_usd }) => price_usd === 0).map(({ name }) => name),
      payment_ways: offered.length === 0 ? [] : toolPaymentWays(deployment),
      tools,
    },
    visual: { tools: listed.map(visualPrice), dynamic_quote: dynamicQuote },
  };
}

function visualPrice({ name, priceUsd, priceRangeUsd, status, kind }: VisualTool) {
  return { tool: name, price_usd: priceUsd, price_range_usd: priceRangeUsd, status, kind };
}

/**
 * Emits the pricing document of a deployment: every priced route that it can be paid for and nothing else (I4.F01, I4.37).
 *
 * Pure: the same routes and deployment give the same document, so its hash is stable across restarts.
 */
export function emitPricing(deployment: Deployment, routes: readonly Route[] = allRoutes): Pricing {
  const { x402 } = deployment;
  const offered = offeredRoutes(routes, deployment);
  const priced = offered.filter((r) => r.priceMicroUsd > 0);
  return {
    service: versions.service,
    version: versions.pricing,
    generated_at: versions.contractDate,
    currency: 'USD',
    credit_definition: { credits_per_usd: 100 },
    routes: priced.map((route) => entryOf(route, { deployment, routes: offered })),
    products: productNames(),
    ...toolPrices(deployment, routes),
    billing_fields: { ...billingMeanings },
    grant_programs: shownPrograms(routes),
    grant_session: grantSession,
    payment_provider_priority: [...paymentProviderPriority(deployment)],
    networks: {
      x402: {
        network: x402.network,
        asset: x402.asset,
        pay_to: x402.payTo,
        gateway_enabled: x402.gateway !== null,
        verifying_contract: x402.gateway?.verifyingContract ?? null,
      },
      mpp: deployment.mpp,
    },
    ...discoveryMembers,
  };
}
