import { z } from 'zod';
import { checkoutSession, checkoutState, webhookTaken } from '../billing/checkout.ts';
import { grantChallenge, grantSessionAnswer, grantState } from '../billing/grants.ts';
import { covenantStress } from '../payloads/issuer/covenantStress.ts';
import { companies } from '../payloads/universe/companies.ts';
import { artifactManifest } from '../release/releaseFiles.ts';
import type { Route } from '../routes/route.ts';
import { agentCard } from './agentCard.ts';
import { didDocument } from './didDocument.ts';
import words from './documentWords.json' with { type: 'json' };
import { fieldContract } from './fieldContractSchema.ts';
import table from './freeAnswers.json' with { type: 'json' };
import examples from './freeExamples.json' with { type: 'json' };
import { help } from './helpSchema.ts';
import { health, ready } from './operations.ts';
import { pricing } from './pricing.ts';
import { registryEntry } from './registryEntry.ts';
import { serverCard } from './serverCard.ts';
import { serviceIndex } from './serviceIndex.ts';
import { wellKnownX402 } from './wellKnownX402.ts';
import { workflows } from './workflows.ts';

/** `/samples/{operation_id}` (I4.F20.1): the answer of a paid route, marked as a sample before anything else. */
const sample = z.looseObject({ sample: z.literal(true) });

/** The forms of the answers that are JSON of their own, by component name; routes with the same answer share it. */
const schemas = {
  Pricing: pricing,
  FieldContract: fieldContract,
  GrantState: grantState,
  GrantChallenge: grantChallenge,
  GrantSession: grantSessionAnswer,
  Help: help,
  Companies: companies,
  Health: health,
  Ready: ready,
  WellKnownX402: wellKnownX402,
  ArtifactManifest: artifactManifest,
  CheckoutSession: checkoutSession,
  CheckoutState: checkoutState,
  WebhookTaken: webhookTaken,
  ServiceIndex: serviceIndex,
  Sample: sample,
  ServerCard: serverCard,
  Workflows: workflows,
  DidDocument: didDocument,
  AgentCard: agentCard,
  RegistryEntry: registryEntry,
};

/** What a free route answers beyond what all of them do, for the OpenAPI document. */
const freeAnswer = z.strictObject({
  name: z.object(schemas).keyof(),
  /** Answered as a page too, by `Accept`. */
  page: z.literal(true).optional(),
  /** Status of success; 200 unless given. */
  status: z.literal(201).optional(),
  /** A status of failure with the same body. */
  sameAt: z.literal(503).optional(),
  /** Statuses of its own (I4.F, I5.41). */
  also: z.array(z.number()).optional(),
  headers: z
    .array(
      z.strictObject({ name: z.string(), required: z.boolean(), about: z.string(), example: z.string() }),
    )
    .optional(),
  /** Who calls it, where that is not a client. */
  calledBy: z.literal('provider').optional(),
  security: z.array(z.record(z.string(), z.tuple([]))).optional(),
});

export type FreeAnswer = z.infer<typeof freeAnswer> & {
  readonly schema: z.ZodType;
  readonly example: unknown;
};

/** The first members of a sample, as an excerpt. */
const shown: Readonly<Record<string, unknown>> = {
  ...examples,
  Sample: { sample: true, ...covenantStress.example },
};

/** What the free routes answer that answer JSON of their own, by route id. */
export const freeAnswers: Readonly<Record<string, FreeAnswer>> = Object.fromEntries(
  Object.entries(z.record(z.string(), freeAnswer).parse(table)).map(([id, answer]) => [
    id,
    { ...answer, schema: schemas[answer.name], example: shown[answer.name] },
  ]),
);

// status classes of I4.22; transport codes apply to every class
const transportStatuses = [413, 414, 415, 431];
const sharedStatuses = [304, 400, 404, 405, 429, 500, 501, 503, ...transportStatuses];
const soldStatuses = [401, 402, 403, 409];

/** What each status below success means. */
export const statusText: Readonly<Record<number, string>> = words.statuses;

/** The statuses below success that a route may answer with, ascending. */
export function problemStatuses(route: Route): number[] {
  const own = route.family === 'mcp' ? [406] : (freeAnswers[route.id]?.also ?? []);
  const sold = route.family === 'free' ? [] : soldStatuses;
  return [...sharedStatuses, ...sold, ...own].sort((a, b) => a - b);
}
