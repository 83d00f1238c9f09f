import { discoveryMembers } from '../billing/billingEnvelope.ts';
import { accountIdPattern, checkoutIdExample, creditsUsd } from '../billing/checkout.ts';
import { companies, companyMembers, companyRows, coverageStatuses } from '../payloads/universe/companies.ts';
import { issuerTypes, payloadModes } from '../values/enums.ts';
import { type FreeAnswer, list } from './answer.ts';
import { contains, equals } from './filter.ts';
import * as p from './param.ts';
import type { Param, Route } from './route.ts';

type FreeRow = Pick<Route, 'id' | 'path' | 'operationId' | 'description'> & {
  readonly answer: FreeAnswer;
} & Partial<Pick<Route, 'method' | 'params' | 'cacheClass' | 'examplePath' | 'exclusive'>>;

/** A route that costs nothing; what a row does not state is that of a document. */
function free(row: FreeRow): Route {
  return {
    method: 'GET',
    family: 'free',
    auth: 'A-FREE',
    priceMicroUsd: 0,
    mirrorOf: null,
    mirroredBy: null,
    cacheClass: 'CC-FREE',
    keyScope: 'rest',
    statusClass: 'ST-F',
    scope: 'endpoint',
    status: 'live',
    params: [],
    schemaId: null,
    examplePath: row.path,
    ...row,
  };
}

const checkoutId: Param = {
  name: 'checkout_id',
  in: 'path',
  required: true,
  type: { kind: 'string', min: 30, max: 30, pattern: '^chk_[0-9A-HJKMNP-TV-Z]{26}$' },
  description: 'Checkout session.',
  example: checkoutIdExample,
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** F01–F20: discovery, operations, grants, checkout. */
export const freeRoutes = [
  free({
    id: 'F01',
    path: '/v1/pricing',
    operationId: 'getPricing',
    answer: { kind: 'document', document: 'pricing' },
    description: 'Price of every live route, payment providers and grant programs.',
  }),
  free({
    id: 'F02',
    path: '/v1/contract/fields',
    operationId: 'getFieldContract',
    answer: { kind: 'document', document: 'fields' },
    params: [p.routeName, p.toolName],
    exclusive: [['route', 'tool']],
    description:
      'Every field of every payload with type and meaning; of one route or tool where it is named.',
  }),
  free({
    id: 'F03',
    path: '/v1/grants/status',
    operationId: 'getGrantStatus',
    cacheClass: 'CC-NONE',
    answer: { kind: 'grants' },
    description: 'Budget and state of the grant behind a session token.',
  }),
  free({
    id: 'F04',
    path: '/v1/grant/challenge',
    operationId: 'getGrantChallenge',
    cacheClass: 'CC-NONE',
    answer: { kind: 'grants' },
    params: [
      p.required(
        p.text('wallet', 42, 42, 'Address that will sign.', '^0x[0-9a-fA-F]{40}$'),
        '0x1111111111111111111111111111111111111111',
      ),
    ],
    examplePath: '/v1/grant/challenge?wallet=0x1111111111111111111111111111111111111111',
    description: 'Message to be signed by the wallet of a grant.',
  }),
  free({
    id: 'F05',
    method: 'POST',
    path: '/v1/grant/session',
    operationId: 'createGrantSession',
    cacheClass: 'CC-NONE',
    answer: { kind: 'grants' },
    params: [
      p.inBody(
        p.required(
          p.text('wallet', 42, 42, 'Address that signed.', '^0x[0-9a-fA-F]{40}$'),
          '0x1111111111111111111111111111111111111111',
        ),
      ),
      p.inBody(
        p.required(
          p.text('nonce', 24, 24, 'Nonce of the challenge.', '^[A-Za-z0-9]{24}$'),
          'k3J9sQ2mX7pL0vB4tZ8nR1wY',
        ),
      ),
      p.inBody(
        p.required(
          p.text('signature', 132, 132, 'personal_sign signature of the message.', '^0x[0-9a-fA-F]{130}$'),
          `0x${'11'.repeat(65)}`,
        ),
      ),
    ],
    description: 'Session token for a signed challenge.',
  }),
  free({
    id: 'F06',
    path: '/help',
    operationId: 'getHelp',
    answer: { kind: 'document', document: 'help' },
    description: 'What the service offers and how to call it.',
  }),
  free({
    id: 'F07',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    answer: { kind: 'document', document: 'openapi' },
    params: [
      p.routeName,
      p.flag('examples', 'Whether the whole shows code and examples of answers, as each part does.'),
    ],
    description: 'OpenAPI 3.1 description of the live routes.',
  }),
  free({
    id: 'F08',
    path: '/companies',
    operationId: 'listCompanies',
    answer: list({
      payload: { schema: companies },
      rows: companyRows,
      filters: [
        contains('search', 'search'),
        equals('category', 'category'),
        equals('coverage', 'coverage_status'),
      ],
      member: 'companies',
      members: ({ page, slice, asked }) => ({
        ...page,
        source_date: slice,
        search: textOf(asked.get('search')),
        ...discoveryMembers,
      }),
      picked: (asked) => companyMembers(asked.get('mode')),
    }),
    params: [
      p.shown(p.text('search', 1, 64, 'Part of a ticker, alias, name or CIK; case-insensitive.'), 'mstr'),
      p.oneOf('category', issuerTypes, 'Only issuers of this type.'),
      p.oneOf(
        'coverage',
        coverageStatuses,
        'Only issuers that are answered for fully, in part, or not at all.',
      ),
      p.oneOf(
        'mode',
        payloadModes,
        'full: routes, aliases and price of each issuer; compact: labels, coverage, quality and age alone.',
        'full',
      ),
      p.limit(1, 500, 250),
      p.offset(100_000),
    ],
    examplePath: '/companies?search=mstr',
    description: 'Issuers of the universe, their labels and what is available for each.',
  }),
  free({
    id: 'F09',
    path: '/health',
    operationId: 'getHealth',
    cacheClass: 'CC-NONE',
    answer: { kind: 'health' },
    description: 'The process answers.',
  }),
  free({
    id: 'F10',
    path: '/ready',
    operationId: 'getReady',
    cacheClass: 'CC-NONE',
    answer: { kind: 'ready' },
    description: 'Whether paid calls can be served, and from which release.',
  }),
  free({
    id: 'F11',
    path: '/.well-known/x402',
    operationId: 'getWellKnownX402',
    answer: { kind: 'document', document: 'well_known_x402' },
    description: 'x402 resources and requirements.',
  }),
  free({
    id: 'F12',
    path: '/llms.txt',
    operationId: 'getLlmsTxt',
    answer: { kind: 'document', document: 'llms', mediaType: 'text/plain' },
    description: 'Short guide for language models.',
  }),
  free({
    id: 'F13',
    path: '/.well-known/artifact-manifest.json',
    operationId: 'getArtifactManifest',
    answer: { kind: 'manifest' },
    params: [
      p.shown(
        p.text(
          'version',
          1,
          64,
          'A release, or a date for its promoted release; default the current one.',
          '^[0-9A-Za-z.:+-]{1,64}$',
        ),
        '2026-02-07',
      ),
    ],
    description: 'Signed manifest of a release: every artifact with its SHA-256.',
  }),
  free({
    id: 'F14',
    method: 'POST',
    path: '/checkout/sessions',
    operationId: 'createCheckoutSession',
    cacheClass: 'CC-NONE',
    answer: { kind: 'checkout' },
    params: [
      p.inBody(p.required(p.text('account_id', 3, 128, 'Account to credit.', accountIdPattern), 'desk-1')),
      p.inBody(p.required(p.choice('credit_usd', creditsUsd, 'Budget to buy, in USD.'), '10')),
      p.inBody(
        p.shown(
          p.text('wallet', 42, 42, 'Wallet to link.', '^0x[0-9a-fA-F]{40}$'),
          '0x1111111111111111111111111111111111111111',
        ),
      ),
    ],
    description: 'Buys a budget by card; last resort.',
  }),
  free({
    id: 'F15',
    path: '/checkout/sessions/{checkout_id}',
    operationId: 'getCheckoutSession',
    cacheClass: 'CC-NONE',
    answer: { kind: 'checkout' },
    params: [checkoutId],
    description: 'State of a card checkout.',
  }),
  free({
    id: 'F16',
    method: 'POST',
    path: '/checkout/sessions/{checkout_id}/token',
    operationId: 'createCheckoutToken',
    cacheClass: 'CC-NONE',
    answer: { kind: 'checkout' },
    params: [checkoutId],
    description: 'Session token of a paid checkout.',
  }),
  free({
    id: 'F17',
    method: 'POST',
    path: '/checkout/webhooks/{provider}',
    operationId: 'receiveCheckoutWebhook',
    cacheClass: 'CC-NONE',
    answer: { kind: 'checkout' },
    params: [
      {
        name: 'provider',
        in: 'path',
        required: true,
        type: { kind: 'enum', values: ['stripe'] },
        description: 'Card provider.',
        example: 'stripe',
      },
    ],
    examplePath: '/checkout/webhooks/stripe',
    description: 'Signed notification of the card provider.',
  }),
  free({
    id: 'F18',
    path: '/',
    operationId: 'getIndex',
    cacheClass: 'CC-NONE',
    answer: { kind: 'index' },
    description: 'Where everything is, with the age of the slice; for text/html a page with the last night.',
  }),
  free({
    id: 'F19',
    path: '/reference',
    operationId: 'getReference',
    answer: { kind: 'document', document: 'reference', mediaType: 'text/html' },
    description: 'Every route with its price, parameters, fields, example and a call to copy, as a page.',
  }),
  free({
    id: 'F20',
    path: '/samples/{operation_id}',
    operationId: 'getSample',
    answer: { kind: 'sample' },
    params: [
      {
        name: 'operation_id',
        in: 'path',
        required: true,
        type: { kind: 'string', min: 3, max: 64, pattern: '^[A-Za-z0-9]{3,64}$' },
        description: 'operationId of a live paid route.',
        example: 'getCovenantStress',
      },
    ],
    examplePath: '/samples/getCovenantStress',
    description: 'A complete answer of a paid route, from the sample release: what a purchase returns.',
  }),
] as const;

/** F21–F28: documents under the addresses that other programs look for. */
export const doorRoutes: readonly Route[] = [
  free({
    id: 'F21',
    path: '/.well-known/mcp.json',
    operationId: 'getMcpServerCard',
    answer: { kind: 'document', document: 'mcp_card' },
    description: 'Card of the tool server: endpoint, revisions, tools, prices and ways to pay.',
  }),
  free({
    id: 'F22',
    path: '/arazzo.json',
    operationId: 'getWorkflows',
    answer: { kind: 'document', document: 'workflows' },
    description: 'Workflows over the operations, as Arazzo describes them.',
  }),
  free({
    id: 'F23',
    path: '/.well-known/did.json',
    operationId: 'getDidDocument',
    answer: { kind: 'document', document: 'did' },
    description: 'Keys that sign for this origin, and the account its payments go to (did:web).',
  }),
  free({
    id: 'F24',
    path: '/.well-known/agent-card.json',
    operationId: 'getAgentCard',
    answer: { kind: 'document', document: 'agent_card' },
    description: 'The tools as skills of an agent card.',
  }),
  free({
    id: 'F25',
    path: '/server.json',
    operationId: 'getRegistryEntry',
    answer: { kind: 'document', document: 'registry_entry' },
    description: 'Entry of the tool server for the MCP registry.',
  }),
  free({
    id: 'F26',
    path: '/robots.txt',
    operationId: 'getRobots',
    answer: { kind: 'document', document: 'robots', mediaType: 'text/plain' },
    description: 'What programs that index pages may read.',
  }),
  free({
    id: 'F27',
    path: '/.well-known/security.txt',
    operationId: 'getSecurityContact',
    answer: { kind: 'security' },
    description: 'Whom to tell of a weakness (RFC 9116), where the operator names somebody.',
  }),
  free({
    id: 'F28',
    path: '/favicon.ico',
    operationId: 'getIcon',
    answer: { kind: 'document', document: 'icon', mediaType: 'image/vnd.microsoft.icon' },
    description: 'Mark of the service, sixteen pixels square.',
  }),
];
