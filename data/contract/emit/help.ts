import { discoveryMembers } from '../billing/billingEnvelope.ts';
import { priceNotice, spendLimit } from '../billing/paymentProviders.ts';
import { problemCodes } from '../errors/errorCodes.ts';
import { fieldMeaning } from '../meanings/fieldMeaning.ts';
import { isRailOn, offeredRoutes, type PaymentRail, paidRails } from '../routes/paymentRail.ts';
import { type Route, routeUri } from '../routes/route.ts';
import { routes as allRoutes } from '../routes/routes.ts';
import { mppToolAdvice } from '../tools/toolPayment.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';
import words from './documentWords.json' with { type: 'json' };
import { type Help, productNames } from './helpSchema.ts';

/**
 * Emits the help document: what is offered, how it is called and paid, and what every error code means (I4.F06,
 * I4.37). The fragment of a problem's `type` names a member of `errors` (I7.3).
 *
 * Pure: the same routes and deployment give the same document.
 */
export function emitHelp(deployment: Deployment, routes: readonly Route[] = allRoutes): Help {
  const live = offeredRoutes(routes, deployment);
  const free = live.filter((route) => route.family === 'free');
  const paid = live.filter((route) => route.family !== 'free' && route.mirrorOf === null);
  const grants = free.some((route) => route.answer?.kind === 'grants');
  const [x402, mpp] = [isRailOn(deployment, 'x402'), isRailOn(deployment, 'mpp')];
  const tools = live.some((route) => route.family === 'mcp');
  return {
    service: versions.service,
    framework: 'Core-7',
    version: versions.api,
    description:
      'Solvency of public companies that hold crypto assets, calculated each night from SEC filings and stored daily prices.',
    access_model: {
      public_support_routes: free.map((route) => route.path),
      paid_data_routes: paid.map(routeUri),
      payment: `${paidWhere({ x402, mpp, tools })}; prices are in /v1/pricing. A failed call is never charged.`,
      api_key_bypass: 'Holders of an API key send it as x-api-key or mcp-api-key and are not charged.',
    },
    available_endpoints: live.map((route) => ({
      path: route.path,
      description: route.description,
      auth: authOf(route, { grants, deployment }),
      example: route.examplePath,
    })),
    field_glossary: {
      ...Object.fromEntries(
        // members a first reader meets, by the payload that explains them
        Object.entries(words.glossary).flatMap(([resource, names]) =>
          names.map((name) => [name, fieldMeaning(resource, name)]),
        ),
      ),
      ...(x402 ? { spend_limit: spendLimit } : {}),
    },
    ...(live.some(({ scope }) => scope === 'product') ? { products: productNames() } : {}),
    phase: {
      phase: 'production',
      scope: 'issuer analysis',
      status_values: { production: 'The contract holds in full for every live route.' },
    },
    time_windows: {
      latest_day: fieldMeaning('readiness.v1', 'time_windows.latest_day'),
      latest_week: fieldMeaning('readiness.v1', 'time_windows.latest_week'),
      latest_month: fieldMeaning('readiness.v1', 'time_windows.latest_month'),
    },
    documentation: { openapi: '/openapi.json', help: '/help' },
    core_tiers: words.core_tiers,
    large_responses:
      'Lists are paged with limit and offset; meta says how many rows there are. Answers stay below 8 MiB before compression.',
    how_to_use: [
      'Look the issuer up: GET /companies?search=mstr.',
      ...(x402
        ? [
            'Call a paid route without a credential; 402 names the exact price.',
            `Sign one of accepts${deployment.x402.gateway === null ? '' : ', the first unless you hold a deposit at the gateway'}, and repeat the request with the header PAYMENT-SIGNATURE.`,
          ]
        : []),
      ...(mpp
        ? [
            `Below /mpp/v1${x402 ? '' : ' call without a credential,'} sign the challenge of WWW-Authenticate: Payment and repeat the request with Authorization: Payment.`,
          ]
        : []),
      ...(x402 || mpp ? [] : ['Send x-api-key with every call of a paid route.']),
      ...(tools
        ? [
            'Agents call the same answers as tools: POST /mcp speaks the Model Context Protocol, tools/list is free, and each tool names its price.',
            ...mppToolAdvice(deployment),
          ]
        : []),
      ...(x402 || mpp
        ? [
            'When an answer was lost repeat the identical request with the identical payment header: it is charged once.',
            'After settlement_pending repeat the identical request with the identical payment header; do not sign again.',
            priceNotice,
          ]
        : []),
      ...words.verification_steps,
    ],
    errors: errorsOf(),
    ...discoveryMembers,
  };
}

/** Where which rail is taken. */
function paidWhere({ x402, mpp, tools }: { x402: boolean; mpp: boolean; tools: boolean }): string {
  const where = [...(x402 ? ['x402 on /v1'] : []), ...(mpp ? ['machine payments on /mpp/v1'] : [])];
  if (where.length === 0) return 'None: paid routes take an API key or a grant';
  const inTools = tools ? [`${where.length > 1 ? 'either' : 'the same'} for the tool calls of /mcp`] : [];
  return [...where, ...inTools].join(', ');
}

const railNames: { readonly [R in PaymentRail]: string } = { x402: 'x402', mpp: 'machine payment' };

function authOf(route: Route, { grants, deployment }: { grants: boolean; deployment: Deployment }): string {
  if (route.family === 'free') return 'none';
  const paid = paidRails(route, 'in_band', deployment).map((rail) => railNames[rail]);
  const ways = [...paid, ...(grants && route.family === 'v1' ? ['grant session'] : []), 'API key'];
  const listed = [ways.slice(0, -1).join(', '), ways.at(-1)].filter((part) => part !== '').join(' or ');
  return route.family === 'mcp' ? `free tools none; others ${listed}` : listed;
}

function errorsOf(): Help['errors'] {
  const entries = Object.entries(problemCodes).map(([code, { status, meaning, remedy }]) => [
    code,
    { status, meaning, remedy },
  ]);
  return Object.fromEntries(entries) as Help['errors'];
}
