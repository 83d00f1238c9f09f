import { discoveryMembers } from '../billing/billingEnvelope.ts';
import { accountIdPattern, checkoutIdExample, creditsUsd } from '../billing/checkout.ts';
import { companies, companyRows, coverageStatuses } from '../payloads/universe/companies.ts';
import { issuerTypes, payloadModes } from '../values/enums.ts';
import { type FreeAnswer, list } from './answer.ts';
import { contains, equals } from './filter.ts';
import * as p from './param.ts';
import type { Param, Route } from './route.ts';

type FreeRow = Pick<Route, 'id' | 'path' | 'operationId' | 'status' | 'description' | 'cacheClass'> & {
  readonly answer: FreeAnswer;
  readonly method?: 'GET' | 'POST';
  readonly params?: readonly Param[];
  readonly examplePath?: string;
};

/** A route that costs nothing. */
export function free(row: FreeRow): Route {
  return {
    id: row.id,
    method: row.method ?? 'GET',
    path: row.path,
    operationId: row.operationId,
    family: 'free',
    auth: 'A-FREE',
    priceMicroUsd: 0,
    mirrorOf: null,
    mirroredBy: null,
    cacheClass: row.cacheClass,
    keyScope: 'rest',
    statusClass: 'ST-F',
    scope: 'endpoint',
    status: row.status,
    params: row.params ?? [],
    schemaId: null,
    answer: row.answer,
    description: row.description,
    examplePath: row.examplePath ?? row.path,
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
    status: 'live',
    cacheClass: 'CC-FREE',
    answer: { kind: 'document', document: 'pricing' },
    description: 'Price of every live route, payment providers and grant programs.',
  }),
  free({
    id: 'F02',
    path: '/v1/contract/fields',
    operationId: 'getFieldContract',
    status: 'live',
    cacheClass: 'CC-FREE',
    answer: { kind: 'document', document: 'fields' },
    params: [p.routeName],
    description: 'Every field of every payload with type and meaning.',
  }),
  free({
    id: 'F03',
    path: '/v1/grants/status',
    operationId: 'getGrantStatus',
    status: 'live',
    cacheClass: 'CC-NONE',
    answer: { kind: 'grants' },
    description: 'Budget and state of the grant behind a session token.',
  }),
  free({
    id: 'F04',
    path: '/v1/grant/challenge',
    operationId: 'getGrantChallenge',
    status: 'live',
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
    status: 'live',
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
    status: 'live',
    cacheClass: 'CC-FREE',
    answer: { kind: 'document', document: 'help' },
    description: 'What the service offers and how to call it.',
  }),
  free({
    id: 'F07',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    status: 'live',
    cacheClass: 'CC-FREE',
    answer: { kind: 'document', document: 'openapi' },
    params: [p.routeName],
    description: 'OpenAPI 3.1 description of the live routes.',
  }),
  free({
    id: 'F08',
    path: '/companies',
    operationId: 'listCompanies',
    status: 'live',
    cacheClass: 'CC-FREE',
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
    status: 'live',
    cacheClass: 'CC-NONE',
    answer: { kind: 'health' },
    description: 'The process answers.',
  }),
  free({
    id: 'F10',
    path: '/ready',
    operationId: 'getReady',
    status: 'live',
    cacheClass: 'CC-NONE',
    answer: { kind: 'ready' },
    description: 'Whether paid calls can be served, and from which release.',
  }),
  free({
    id: 'F11',
    path: '/.well-known/x402',
    operationId: 'getWellKnownX402',
    status: 'live',
    cacheClass: 'CC-FREE',
    answer: { kind: 'document', document: 'well_known_x402' },
    description: 'x402 resources and requirements.',
  }),
  free({
    id: 'F12',
    path: '/llms.txt',
    operationId: 'getLlmsTxt',
    status: 'live',
    cacheClass: 'CC-FREE',
    answer: { kind: 'document', document: 'llms', mediaType: 'text/plain' },
    description: 'Short guide for language models.',
  }),
  free({
    id: 'F13',
    path: '/.well-known/artifact-manifest.json',
    operationId: 'getArtifactManifest',
    status: 'live',
    cacheClass: 'CC-FREE',
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
    status: 'live',
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
    status: 'live',
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
    status: 'live',
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
    status: 'live',
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
    status: 'live',
    cacheClass: 'CC-NONE',
    answer: { kind: 'index' },
    description: 'Where everything is, with the age of the slice; for text/html a page with the last night.',
  }),
  free({
    id: 'F19',
    path: '/reference',
    operationId: 'getReference',
    status: 'live',
    cacheClass: 'CC-FREE',
    answer: { kind: 'document', document: 'reference', mediaType: 'text/html' },
    description: 'Every route with its price, parameters, fields, example and a call to copy, as a page.',
  }),
  free({
    id: 'F20',
    path: '/samples/{operation_id}',
    operationId: 'getSample',
    status: 'live',
    cacheClass: 'CC-FREE',
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
