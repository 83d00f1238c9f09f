import { z } from 'zod';
import { discoveryMembers } from '../billing/billingEnvelope.ts';
import { accountIdPattern, creditsUsd } from '../billing/checkout.ts';
import { companies, companyMembers, companyRows, coverageStatuses } from '../payloads/universe/companies.ts';
import { issuerTypes, payloadModes } from '../values/enums.ts';
import { type FreeAnswer, list, plainAnswer } from './answer.ts';
import { contains, equals } from './filter.ts';
import table from './freeRoutes.json' with { type: 'json' };
import * as p from './param.ts';
import { param, type Route } from './route.ts';

/** A row of the table; one without a method is asked for with GET. */
const freeRow = z.strictObject({
  id: z.string(),
  method: z.exactOptional(z.literal('POST')),
  path: z.string(),
  operationId: z.string(),
  answer: plainAnswer,
  params: z.exactOptional(z.array(param)),
  /** Of each of these groups not more than one may be sent. */
  exclusive: z.exactOptional(z.array(z.array(z.string()))),
  examplePath: z.exactOptional(z.string()),
  description: z.string(),
});

/** A route that costs nothing; what a row does not state is that of a document. */
function free(row: Omit<z.infer<typeof freeRow>, 'answer'> & { readonly answer: FreeAnswer }): Route {
  return {
    method: 'GET',
    family: 'free',
    priceMicroUsd: 0,
    mirrorOf: null,
    mirroredBy: null,
    keyScope: 'rest',
    scope: 'endpoint',
    status: 'live',
    params: [],
    schemaId: null,
    examplePath: row.path,
    ...row,
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const companyList = free({
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
    ...p.page(500, 250),
  ],
  examplePath: '/companies?search=mstr',
  description: 'Issuers of the universe, their labels and what is available for each.',
});

const openedCheckout = free({
  id: 'F14',
  method: 'POST',
  path: '/checkout/sessions',
  operationId: 'createCheckoutSession',
  answer: { kind: 'checkout' },
  params: [
    p.required(p.text('account_id', 3, 128, 'Account to credit.', accountIdPattern), 'desk-1'),
    p.required(p.choice('credit_usd', creditsUsd, 'Budget to buy, in USD.'), '10'),
    p.shown(
      p.text('wallet', 42, 42, 'Wallet to link.', '^0x[0-9a-fA-F]{40}$'),
      '0x1111111111111111111111111111111111111111',
    ),
  ].map(p.inBody),
  description: 'Buys a budget by card; last resort.',
});

/** F01–F20: discovery, operations, grants, checkout; F21–F28: documents under the addresses that other programs look for. */
export const freeRoutes: readonly Route[] = [
  ...z.array(freeRow).parse(table).map(free),
  companyList,
  openedCheckout,
].sort((a, b) => (a.id < b.id ? -1 : 1));
