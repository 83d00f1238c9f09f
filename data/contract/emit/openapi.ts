import { billingEnvelope, billingRequest } from '../billing/billingEnvelope.ts';
import { problem } from '../errors/problem.ts';
import { describingSchemas, payloads } from '../payloads/payloads.ts';
import { offeredRoutes, type PaymentRail, paidRails } from '../routes/paymentRail.ts';
import type { Route } from '../routes/route.ts';
import { routes as allRoutes } from '../routes/routes.ts';
import { toolAnswer, toolRequest } from '../tools/toolProtocol.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';
import words from './documentWords.json' with { type: 'json' };
import { freeAnswers, problemStatuses, statusText } from './freeAnswers.ts';
import { type JsonSchema, jsonSchemaOf } from './jsonSchema.ts';
import { openApiOperation, ref } from './openApiOperation.ts';
import { routeTag, routeTags } from './routeTags.ts';
import { sharedSchemas } from './sharedSchemas.ts';

type Json = { readonly [member: string]: unknown };

// no scheme is of type apiKey: directories take such a route for one that is bought by key alone
const securitySchemes = words.security_schemes;

/** The headers that ask for a payment, one of each family (I5.7, I5.20). */
const challengeHeaders: { readonly [R in PaymentRail]: Json } = words.challenge_headers;

/**
 * Emits the OpenAPI 3.1 description of the routes that a deployment offers, with the payments it takes (I4.F07, I4.37), or
 * of some of them: only what these refer to is then part of it (I4.F18.2). What repeats is stated once and referred to; code and
 * examples of answers, more than half of all bytes, are in a part and in the whole where it is asked for (I4.F07.2).
 *
 * Pure: the same routes and deployment give the same document.
 *
 * @param only those described; all live ones by default
 * @param examples whether operations show code and examples of answers; those of a part do
 */
export function emitOpenApi(
  deployment: Deployment,
  routes: readonly Route[] = allRoutes,
  { only, examples = only !== undefined }: { only?: readonly Route[]; examples?: boolean } = {},
): Json {
  const live = offeredRoutes(routes, deployment);
  const described = only ?? live;
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of described) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = openApiOperation(route, { deployment, routes: live, examples });
    paths[route.path] = path;
  }
  const tags = new Set<string>(described.map(routeTag));
  return {
    openapi: '3.1.0',
    info: {
      title: versions.title,
      version: versions.api,
      description:
        'Solvency of public companies that hold crypto, from SEC filings and stored daily prices. Every figure names its accession number. Not investment advice.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: deployment.baseUrl }],
    tags: Object.entries(routeTags)
      .filter(([name]) => tags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sharedSchemas(schemasOf(described)),
      responses: responsesOf(described, deployment),
      securitySchemes: schemesOf(paths),
    },
  };
}

function schemasOf(described: readonly Route[]): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const used = new Set(
    described.flatMap(({ schemaId }) => (schemaId === null ? [] : describingSchemas(schemaId))),
  );
  for (const [id, { name, schema, embeds }] of Object.entries(payloads))
    if (used.has(id))
      schemas[name] = jsonSchemaOf(schema, new Map(embeds.map((one) => [one.schema, ref(one.name)])));
  for (const route of described) {
    const free = freeAnswers[route.id];
    if (free !== undefined) schemas[free.name] = jsonSchemaOf(free.schema);
  }
  if (described.some(({ family }) => family === 'mcp')) {
    schemas['ToolRequest'] = jsonSchemaOf(toolRequest);
    schemas['ToolAnswer'] = jsonSchemaOf(toolAnswer);
  }
  if (described.some(({ schemaId }) => schemaId !== null)) Object.assign(schemas, envelopeSchemas());
  schemas['Problem'] = jsonSchemaOf(problem);
  return schemas;
}

/** The envelope; its billing members are stated once, although an answer has them twice. */
function envelopeSchemas(): Record<string, JsonSchema> {
  const members = ref('BillingMembers');
  const [twice, once] = [billingRequest.keyof().options, new Map([[billingRequest, members]])];
  const others = billingEnvelope.omit(Object.fromEntries(twice.map((name) => [name, true])) as never);
  return {
    BillingEnvelope: { allOf: [members, jsonSchemaOf(others, once)] },
    BillingMembers: jsonSchemaOf(billingRequest),
  };
}

function responsesOf(described: readonly Route[], deployment: Deployment): Json {
  const sold = described.filter(({ priceMicroUsd }) => priceMicroUsd > 0);
  const rails = new Set(sold.flatMap((route) => paidRails(route, 'http', deployment)));
  const headers = Object.assign({}, ...[...rails].map((rail) => challengeHeaders[rail]));
  const statuses = [...new Set(described.flatMap(problemStatuses))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses
      .filter((status) => status !== 304)
      .map((status) => [
        `Problem${status}`,
        {
          description: statusText[status],
          ...(status === 402 && rails.size > 0 ? { headers } : {}),
          content: { 'application/problem+json': { schema: ref('Problem') } },
        },
      ]),
  );
}

function schemesOf(paths: Json): Json {
  const used = JSON.stringify(paths);
  const schemes = Object.entries(securitySchemes);
  return Object.fromEntries(schemes.filter(([name]) => used.includes(`{"${name}":[]}`)));
}
