import { priceNotice, spendLimit } from '../billing/paymentProviders.ts';
import type { DocumentName } from '../routes/answer.ts';
import { isRailOn, offeredRoutes } from '../routes/paymentRail.ts';
import { type Param, type Route, routeUri } from '../routes/route.ts';
import { routes as allRoutes } from '../routes/routes.ts';
import { type OfferedTool, offeredTools } from '../tools/offeredTools.ts';
import { mppToolAdvice, x402ToolAdvice } from '../tools/toolPayment.ts';
import { disclaimer } from '../values/disclaimer.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';
import words from './documentWords.json' with { type: 'json' };

/**
 * Emits the guide for language models: what the service is, how a call is paid, and every live route (I4.F12.1,
 * I4.37).
 *
 * Pure: the same routes and deployment give the same text.
 */
export function emitLlmsTxt(deployment: Deployment, routes: readonly Route[] = allRoutes): string {
  const live = offeredRoutes(routes, deployment);
  const paid = live.filter((route) => route.priceMicroUsd > 0);
  const free = live.filter((route) => route.priceMicroUsd === 0);
  const listed = (fits: (route: Route) => boolean, what: string): string[] =>
    free.filter(fits).map((route) => `- ${what}: ${deployment.baseUrl}${route.path}`);
  const document = (name: DocumentName, what: string): string[] =>
    listed(({ answer }) => answer?.kind === 'document' && answer.document === name, what);
  return [
    `# ${versions.title}`,
    '',
    'Solvency of public companies that hold crypto assets, calculated each night from SEC filings and stored daily prices: leverage under price shocks, ranks, scores, last night’s changes with their evidence, and history as it was known on each date. Every figure names the accession number, concept, period and unit it comes from. No trading advice, no market commentary, no on-chain data.',
    '',
    '## Documents',
    '',
    ...document('openapi', 'Routes, parameters and schemas (OpenAPI 3.1)'),
    ...document('pricing', 'Prices'),
    ...document('fields', 'Fields'),
    ...document('help', 'Help'),
    ...document('well_known_x402', 'What is sold for x402, with the entries each 402 offers'),
    ...document('mcp_card', 'Card of the tool server'),
    ...document('workflows', 'Workflows (Arazzo)'),
    ...listed(({ answer }) => answer?.kind === 'list', 'Issuers and their coverage'),
    ...partAdvice(live),
    '',
    '## Access',
    '',
    ...accessSteps(deployment, live).map((step, i) => `${i + 1}. ${step}`),
    '',
    ...toolSection(deployment, routes),
    '## Paid routes',
    '',
    ...paid.map((route) => `- ${routeUri(route)} · ${priceOf(route)} · ${route.description}`),
    '',
    '## Free routes',
    '',
    ...free.map((route) => `- ${routeUri(route)} · ${route.description}`),
    '',
    '## Rules',
    '',
    `- Do not append a ticker to a universe route: ${tickerFreePaths(live)}. They take query parameters only.`,
    '- {ticker} is a current ticker, a listed alias or a zero-padded 10-digit CIK; letter case does not count.',
    '- source_date selects exactly one past slice; a date without one is 404 and names the nearest dates.',
    '- Unknown parameters and values out of range are refused, never ignored or clamped.',
    ...payerNotices(deployment).map((notice) => `- ${notice}`),
    '',
    '## Check an answer',
    '',
    ...words.verification_steps.map((step) => `- ${step}`),
    '',
    '## Limits',
    '',
    ...live.flatMap(pageLimit),
    '- Ask with Accept-Encoding: gzip (or br, zstd): documents and manifests shrink to a third or less; hashes are of the bytes before compression.',
    '- URL 2048 bytes, headers 32 KiB, answer 8 MiB before compression.',
    '- Calls per minute: 120 for an address without credential, 600 for a payer or an API key; the header RateLimit says what is left.',
    '',
    disclaimer,
    '',
  ].join('\n');
}

/** What an agent that speaks the tool protocol needs (I4.MCP). */
function toolSection(deployment: Deployment, routes: readonly Route[]): string[] {
  const { baseUrl, disabledTools } = deployment;
  const offered = offeredTools(routes, new Set(disabledTools));
  if (offered.length === 0) return [];
  const named = (list: readonly OfferedTool[]): string => list.map(({ tool }) => tool.name).join(', ');
  const free = offered.filter(({ priceMicroUsd }) => priceMicroUsd === 0);
  const keyed = offered.filter(({ keyOnly }) => keyOnly);
  const paid = offered.filter((one) => !free.includes(one) && !keyed.includes(one));
  const price = Math.max(...offered.map(({ priceMicroUsd }) => priceMicroUsd)) / 1_000_000;
  return [
    '## Tools (Model Context Protocol)',
    '',
    `- Endpoint: POST ${baseUrl}/mcp, JSON-RPC 2.0, no session, no stream. tools/list is free and names arguments and prices; intel_help with the name of a tool has the form of its answer.`,
    `- Free tools: ${named(free)}.`,
    `- Tools at ${price.toFixed(2)} USD a call: ${named(paid)}.`,
    ...(keyed.length === 0 ? [] : [`- Tools with an API key alone: ${named(keyed)}.`]),
    ...[...x402ToolAdvice(deployment), ...mppToolAdvice(deployment)].map((advice) => `- ${advice}`),
    '- A miss, a bad argument or a planned tool is a result with isError and costs nothing.',
    '',
  ];
}

// the whole documents are many times as long as what one call needs
function partAdvice(live: readonly Route[]): string[] {
  const cut = live.filter(({ params }) => params.some(({ name }) => name === 'route'));
  const [first] = cut;
  if (first === undefined) return [];
  const paths = cut.map(({ path }) => path).join(' and ');
  return [
    `- ${paths} take route=<operationId>: only the part about that route, a tenth of the whole. The operationId is \`operationId\` of an operation; method and path template, URL-encoded, do as well.`,
  ];
}

// what only matters to who pays
function payerNotices(deployment: Deployment): string[] {
  const x402 = isRailOn(deployment, 'x402');
  return [...(x402 || isRailOn(deployment, 'mpp') ? [priceNotice] : []), ...(x402 ? [spendLimit] : [])];
}

// what a first-time caller does, in order; rails that are off are omitted
function accessSteps(deployment: Deployment, live: readonly Route[]): string[] {
  const [x402, mpp] = [isRailOn(deployment, 'x402'), isRailOn(deployment, 'mpp')];
  const grants = live.some((route) => route.answer?.kind === 'grants');
  const paying = [
    'Call a paid route without a credential. An answer that does not exist is 400 or 404 and never costs anything.',
    ...(x402 ? x402Steps(deployment) : []),
    ...(mpp ? [mppStep(x402)] : []),
    '200 carries the data, what was charged, and a receipt. A failed call is never charged; a 304 costs the same as a 200.',
    'After 503 settlement_pending, or when an answer was lost, repeat the identical request with the identical payment header: it is charged once. Do not sign again.',
  ];
  return [
    ...(x402 || mpp ? paying : [unpaidStep]),
    ...(grants
      ? [
          'Holders of a grant open a session (GET /v1/grant/challenge, POST /v1/grant/session) and send its token as X-Svc-Grant-Token; each call is debited its price.',
        ]
      : []),
    'Holders of an API key send it as x-api-key and pay nothing per call.',
  ];
}

function x402Steps({ x402: { network, asset, gateway } }: Deployment): string[] {
  const batched =
    gateway === null
      ? ''
      : ' The entry named GatewayWalletBatched is paid from a deposit at the gateway; without one take the first.';
  return [
    `402 names the exact price: the header PAYMENT-REQUIRED (base64 JSON, x402 version 2; the body repeats it) lists in accepts what is taken. The first entry is a transfer of the token ${asset} on ${network}, signed and not sent by you.${batched}`,
    'Sign one entry and send the same request again with the header PAYMENT-SIGNATURE. x402 version 2 clients do this and the step before.',
  ];
}

function mppStep(beside: boolean): string {
  const paid =
    '402 carries the header WWW-Authenticate: Payment, the signed challenge goes back as Authorization: Payment.';
  return beside
    ? `Routes below /mpp/v1 take machine payments instead: ${paid} The two families do not mix.`
    : `Routes below /mpp/v1 take machine payments: ${paid} Routes of /v1 take an API key or a grant.`;
}

const unpaidStep =
  'This deployment takes no payments: paid routes take an API key or a grant. An answer that does not exist is 400 or 404 and never costs anything.';

function priceOf(route: Route): string {
  const usd = (micro: number): string => (micro / 1_000_000).toFixed(2);
  const band = route.priceBand;
  if (band !== undefined) return `${usd(band.minMicroUsd)} to ${usd(band.maxMicroUsd)} USD`;
  const change = route.priceChange;
  const later = change === undefined ? '' : `, ${usd(change.newMicroUsd)} USD from ${change.effectiveAt}`;
  return `${usd(route.priceMicroUsd)} USD${later}`;
}

// where a ticker may follow, the longer path is another route (I4.2, I4.3)
function tickerFreePaths(live: readonly Route[]): string {
  const known = new Set(live.map((route) => route.path));
  return live
    .filter(({ scope, path }) => scope === 'universe' && !known.has(`${path}/{ticker}`))
    .map((route) => route.path)
    .join(', ');
}

function pageLimit(route: Route): string[] {
  const size = (name: string): Extract<Param['type'], { kind: 'int' }> | undefined => {
    const type = route.params.find((param) => param.name === name)?.type;
    return type?.kind === 'int' ? type : undefined;
  };
  const [limit, offset] = [size('limit'), size('offset')];
  if (limit === undefined) return [];
  const from = offset === undefined ? '' : `, offset up to ${offset.max}`;
  return [`- ${routeUri(route)}: limit ${limit.min} to ${limit.max}, ${limit.default} by default${from}.`];
}
