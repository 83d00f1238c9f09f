import { z } from 'zod';
import { checkoutSession, checkoutState, webhookTaken } from '../billing/checkout.ts';
import * as example from '../billing/grantExamples.ts';
import { grantChallenge, grantSessionAnswer, grantState, grantTokenHeader } from '../billing/grants.ts';
import { covenantStress } from '../payloads/issuer/covenantStress.ts';
import { companies, companiesExample } from '../payloads/universe/companies.ts';
import { manifestExample } from '../release/manifestExample.ts';
import { artifactManifest } from '../release/releaseFiles.ts';
import { agentCard } from './agentCard.ts';
import { didDocument } from './didDocument.ts';
import { fieldContract } from './fieldContractSchema.ts';
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
  example: example.checkoutSessionExample.pickup_secret,
} as const;

/** Schemas and the like of the free routes that answer JSON of their own, by route id. */
export const freeAnswers: Readonly<Record<string, FreeAnswer>> = {
  F01: { name: 'Pricing', schema: pricing },
  F02: { name: 'FieldContract', schema: fieldContract },
  F03: {
    name: 'GrantState',
    schema: grantState,
    example: example.grantStateExample,
    also: [401],
    security: [{ grantBearer: [] }],
  },
  F04: { name: 'GrantChallenge', schema: grantChallenge, example: example.grantChallengeExample },
  F05: {
    name: 'GrantSession',
    schema: grantSessionAnswer,
    example: example.grantSessionExample,
    also: [401, 403, 409],
  },
  F06: { name: 'Help', schema: help },
  F08: { name: 'Companies', schema: companies, example: companiesExample },
  F09: { name: 'Health', schema: health, example: healthExample },
  F10: { name: 'Ready', schema: ready, example: readyExample, sameAt: 503 },
  F11: { name: 'WellKnownX402', schema: wellKnownX402 },
  F13: { name: 'ArtifactManifest', schema: artifactManifest, example: manifestExample },
  F14: {
    name: 'CheckoutSession',
    schema: checkoutSession,
    example: example.checkoutSessionExample,
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
        example: example.grantSessionExample.token,
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
    example: example.checkoutStateExample,
    also: [401],
    headers: [checkoutSecret],
  },
  F16: {
    name: 'GrantSession',
    schema: grantSessionAnswer,
    example: example.grantSessionExample,
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
