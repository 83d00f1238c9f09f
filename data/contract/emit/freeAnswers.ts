import { z } from 'zod';
import { checkoutSession, checkoutState, webhookTaken } from '../billing/checkout.ts';
import { grantChallenge, grantSessionAnswer, grantState, grantTokenHeader } from '../billing/grants.ts';
import { covenantStress } from '../payloads/issuer/covenantStress.ts';
import { companies } from '../payloads/universe/companies.ts';
import { artifactManifest } from '../release/releaseFiles.ts';
import type { Route } from '../routes/route.ts';
import { agentCard } from './agentCard.ts';
import { didDocument } from './didDocument.ts';
import { fieldContract } from './fieldContractSchema.ts';
import examples from './freeExamples.json' with { type: 'json' };
import { help } from './helpSchema.ts';
import { health, healthExample, ready, readyExample } from './operations.ts';
import { pricing } from './pricing.ts';
import { registryEntry } from './registryEntry.ts';
import { serverCard } from './serverCard.ts';
import { serviceIndex, serviceIndexExample } from './serviceIndex.ts';
import { wellKnownX402 } from './wellKnownX402.ts';
import { workflows } from './workflows.ts';

/** `/samples/{operation_id}` (I4.F20.1): the answer of a paid route, marked as a sample before anything else. */
const sample = z.looseObject({ sample: z.literal(true) });

/** Its first members, as an excerpt. */
const sampleExample = { sample: true, ...covenantStress.example } as const;

type FreeHeader = {
  readonly name: string;
  readonly required: boolean;
  readonly about: string;
  readonly example: string;
};

/** What a free route answers beyond its status class, for the OpenAPI document. */
export type FreeAnswer = {
  /** Component name; routes with the same answer share it. */
  readonly name: string;
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /** Answered as a page too, by `Accept`. */
  readonly page?: true;
  /** Status of success; 200 unless given. */
  readonly status?: 201;
  /** A status of failure with the same body. */
  readonly sameAt?: 503;
  /** Statuses of its own (I4.F, I5.41). */
  readonly also?: readonly number[];
  readonly headers?: readonly FreeHeader[];
  /** Who calls it, where that is not a client. */
  readonly calledBy?: 'provider';
  readonly security?: readonly Readonly<Record<string, readonly []>>[];
};

const checkoutSecret = {
  name: 'X-Checkout-Secret',
  required: true,
  about: 'The pickup_secret of the answer that opened the checkout.',
  example: examples.CheckoutSession.pickup_secret,
} as const;

/** Schemas and the like of the free routes that answer JSON of their own, by route id. */
export const freeAnswers: Readonly<Record<string, FreeAnswer>> = {
  F01: { name: 'Pricing', schema: pricing },
  F02: { name: 'FieldContract', schema: fieldContract },
  F03: {
    name: 'GrantState',
    schema: grantState,
    example: examples.GrantState,
    also: [401],
    security: [{ grantBearer: [] }],
  },
  F04: { name: 'GrantChallenge', schema: grantChallenge, example: examples.GrantChallenge },
  F05: {
    name: 'GrantSession',
    schema: grantSessionAnswer,
    example: examples.GrantSession,
    also: [401, 403, 409],
  },
  F06: { name: 'Help', schema: help },
  F08: { name: 'Companies', schema: companies, example: examples.Companies },
  F09: { name: 'Health', schema: health, example: healthExample },
  F10: { name: 'Ready', schema: ready, example: readyExample, sameAt: 503 },
  F11: { name: 'WellKnownX402', schema: wellKnownX402 },
  F13: { name: 'ArtifactManifest', schema: artifactManifest, example: examples.ArtifactManifest },
  F14: {
    name: 'CheckoutSession',
    schema: checkoutSession,
    example: examples.CheckoutSession,
    status: 201,
    also: [401, 409],
    headers: [
      {
        name: 'Idempotency-Key',
        required: true,
        about: 'The same key and body give the same checkout.',
        example: 'b7f3c9d2-5a41-4e0e-9d6a-2f8c1e7b4a90',
      },
      {
        name: grantTokenHeader,
        required: false,
        about: 'A session token of the grant that is to be raised, when the account has one.',
        example: examples.GrantSession.token,
      },
      {
        ...checkoutSecret,
        required: false,
        about:
          'The pickup_secret of an open checkout of this account: that one is ended first, and this one opened.',
      },
    ],
  },
  F15: {
    name: 'CheckoutState',
    schema: checkoutState,
    example: examples.CheckoutState,
    also: [401],
    headers: [checkoutSecret],
  },
  F16: {
    name: 'GrantSession',
    schema: grantSessionAnswer,
    example: examples.GrantSession,
    also: [401, 403],
    headers: [checkoutSecret],
  },
  F17: {
    name: 'WebhookTaken',
    schema: webhookTaken,
    example: { received: true },
    headers: [
      {
        name: 'Stripe-Signature',
        required: true,
        about: "The provider's signature over the raw body.",
        example: `t=1770458400,v1=${'0f'.repeat(32)}`,
      },
    ],
    calledBy: 'provider',
  },
  F18: { name: 'ServiceIndex', schema: serviceIndex, example: serviceIndexExample, page: true },
  F20: { name: 'Sample', schema: sample, example: sampleExample },
  F21: { name: 'ServerCard', schema: serverCard },
  F22: { name: 'Workflows', schema: workflows },
  F23: { name: 'DidDocument', schema: didDocument },
  F24: { name: 'AgentCard', schema: agentCard },
  F25: { name: 'RegistryEntry', schema: registryEntry },
};

// status classes of I4.22; transport codes apply to every class
const transportStatuses = [413, 414, 415, 431];
const sharedStatuses = [304, 400, 404, 405, 429, 500, 501, 503, ...transportStatuses];
const soldStatuses = [401, 402, 403, 409];

/** What each status below success means. */
export const statusText: Readonly<Record<number, string>> = {
  304: 'Not modified; needs and charges the same access as a 200.',
  400: 'The request does not fit the route.',
  401: 'A credential is present and wrong.',
  402: 'Payment required, or the payment was refused; the challenge stands in a header.',
  403: 'The credential does not cover this.',
  404: 'Nothing is stored under this path; never charged.',
  405: 'The path exists with another method.',
  406: 'The answer is JSON, which Accept does not admit.',
  409: 'The payment or key was already used.',
  413: 'Body too large.',
  414: 'URL too long.',
  415: 'Body is not application/json.',
  429: 'Rate limit reached; never charged.',
  431: 'Headers too large.',
  500: 'Defect; never charged.',
  501: 'Route of the contract that this build does not serve.',
  503: 'Cannot be served now; never charged unless the detail says so.',
};

/** The statuses below success that a route may answer with, ascending. */
export function problemStatuses(route: Route): number[] {
  const own = route.family === 'mcp' ? [406] : (freeAnswers[route.id]?.also ?? []);
  const sold = route.family === 'free' ? [] : soldStatuses;
  return [...sharedStatuses, ...sold, ...own].sort((a, b) => a - b);
}
