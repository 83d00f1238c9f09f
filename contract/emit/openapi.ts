import { billingEnvelope } from '../billing/billingEnvelope.ts';
import { billingEnvelopeExample } from '../billing/billingEnvelopeExample.ts';
import { problem } from '../errors/problem.ts';
import { payloads, type SchemaId } from '../payloads/payloads.ts';
import type { Param, Route } from '../routes/route.ts';
import { routes as allRoutes } from '../routes/routes.ts';
import { versions } from '../values/versions.ts';
import type { Deployment } from './deployment.ts';
import { freeAnswers } from './freeAnswers.ts';
import { type JsonSchema, jsonSchemaOf } from './jsonSchema.ts';

type Json = { readonly [member: string]: unknown };

// status classes of I4.22; transport codes apply to every class
const transportStatuses = [413, 414, 415, 431];
const statusesOf: Record<Route['statusClass'], readonly number[]> = {
  'ST-U': [304, 400, 401, 402, 403, 404, 405, 409, 429, 500, 501, 503],
  'ST-I': [304, 400, 401, 402, 403, 404, 405, 409, 429, 500, 501, 503],
  'ST-F': [304, 400, 404, 405, 429, 500, 501, 503],
};

const statusText: Record<number, string> = {
  304: 'Not modified; needs and charges the same access as a 200.',
  400: 'The request does not fit the route.',
  401: 'A credential is present and wrong.',
  402: 'Payment required; the header PAYMENT-REQUIRED, on /mpp/v1 WWW-Authenticate, carries the challenge.',
  403: 'The credential does not cover this.',
  404: 'Nothing is stored under this path; never charged.',
  405: 'The path exists with another method.',
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

function paramSchema(param: Param): JsonSchema {
  const t = param.type;
  switch (t.kind) {
    case 'ticker':
      return { type: 'string', pattern: '^[A-Za-z0-9.-]{1,10}$' };
    case 'cik':
      return { type: 'string', pattern: '^(CIK)?[0-9]{1,10}$' };
    case 'product':
      return { type: 'string', pattern: '^[A-Za-z0-9.-]{1,32}$' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'int':
      return { type: 'integer', minimum: t.min, maximum: t.max, default: t.default };
    case 'number':
      return { type: 'number', minimum: t.min, maximum: t.max };
    case 'boolean':
      return { type: 'boolean', default: t.default };
    case 'enum':
      return { type: 'string', enum: t.values, ...(t.default === undefined ? {} : { default: t.default }) };
    case 'choice':
      return { type: 'integer', enum: t.values };
    case 'string':
      return {
        type: 'string',
        minLength: t.min,
        maxLength: t.max,
        ...(t.pattern === undefined ? {} : { pattern: t.pattern }),
      };
  }
}

function parameterOf(param: Param): Json {
  return {
    name: param.name,
    in: param.in,
    required: param.required,
    description: param.description,
    schema: paramSchema(param),
    ...(param.example === undefined ? {} : { example: param.example }),
  };
}

const jsonContent = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

function okResponse(route: Route): Json {
  const { answer, description } = route;
  if (route.auth !== 'A-FREE') return { description, content: paidContent(route) };
  if (answer?.kind === 'document' && answer.mediaType !== undefined)
    return { description, content: opaqueContent(answer.mediaType) };
  const free = freeAnswers[route.id];
  return {
    description: route.description,
    content: jsonContent(free === undefined ? { type: 'object' } : ref(free.name), free?.example),
  };
}

/** An enveloped payload, and the media types in which artifacts are sent as they are. */
function paidContent({ schemaId, answer }: Route): Json {
  const stored = answer?.kind === 'object' ? [answer.stored, ...Object.values(answer.formats)] : [];
  const opaque = stored
    .filter(({ form }) => form === 'bytes')
    .map(({ mediaType }) => opaqueContent(mediaType));
  return Object.assign({}, schemaId === null ? {} : envelopedContent(schemaId as SchemaId), ...opaque);
}

function envelopedContent(schemaId: SchemaId): Json {
  const { name, example } = payloads[schemaId];
  const schema = { allOf: [ref(name), ref('BillingEnvelope')] };
  return jsonContent(schema, { ...example, ...billingEnvelopeExample });
}

function opaqueContent(mediaType: string): Json {
  const binary = !/^text\/|\+xml$/.test(mediaType);
  return { [mediaType]: { schema: { type: 'string', ...(binary ? { format: 'binary' } : {}) } } };
}

function responsesOf(route: Route): Json {
  const responses: Record<string, Json> = { [freeAnswers[route.id]?.status ?? 200]: okResponse(route) };
  for (const status of problemStatuses(route)) {
    const description = statusText[status] ?? '';
    if (status === 304) responses[status] = { description };
    else if (freeAnswers[route.id]?.sameAt === status)
      responses[status] = { ...okResponse(route), description };
    else responses[status] = { $ref: `#/components/responses/Problem${status}` };
  }
  return responses;
}

function problemStatuses(route: Route): number[] {
  const own = freeAnswers[route.id]?.also ?? [];
  return [...statusesOf[route.statusClass], ...own, ...transportStatuses].sort((a, b) => a - b);
}

function headersOf(route: Route): Json[] {
  return (freeAnswers[route.id]?.headers ?? []).map(({ name, required, about }) => ({
    name,
    in: 'header',
    required,
    description: about,
    schema: { type: 'string' },
  }));
}

function operationOf(route: Route, deployment: Deployment): Json {
  const body = route.params.filter((p) => p.in === 'body');
  const paid = route.priceMicroUsd > 0;
  return {
    operationId: route.operationId,
    summary: route.description,
    parameters: [...route.params.filter((p) => p.in !== 'body').map(parameterOf), ...headersOf(route)],
    ...(body.length === 0
      ? {}
      : {
          requestBody: {
            required: true,
            content: jsonContent({
              type: 'object',
              additionalProperties: false,
              required: body.filter((p) => p.required).map((p) => p.name),
              properties: Object.fromEntries(body.map((p) => [p.name, paramSchema(p)])),
            }),
          },
        }),
    responses: responsesOf(route),
    security: paid
      ? route.family === 'mpp'
        ? [{ mpp: [] }, { apiKeyAuth: [] }, { mcpApiKeyAuth: [] }]
        : [{ x402: [] }, { grantBearer: [] }, { grantHeader: [] }, { apiKeyAuth: [] }, { mcpApiKeyAuth: [] }]
      : (freeAnswers[route.id]?.security ?? []),
    ...(paid && route.family !== 'mpp' ? { 'x-x402': x402Of(route, deployment) } : {}),
    ...(route.family === 'mpp' ? { 'x-payment-info': paymentInfoOf(route, deployment) } : {}),
  };
}

function x402Of(route: Route, deployment: Deployment): Json {
  const band = route.priceBand;
  return {
    ...(band === undefined
      ? { price_usd: route.priceMicroUsd / 1_000_000, price_micro_usd: route.priceMicroUsd }
      : { price_range_usd: { min: band.minMicroUsd / 1_000_000, max: band.maxMicroUsd / 1_000_000 } }),
    network: deployment.x402.network,
    schemes: ['exact'],
  };
}

function paymentInfoOf(route: Route, deployment: Deployment): Json {
  const method = deployment.mpp?.method ?? 'tempo';
  const currency = deployment.mpp?.currency ?? '';
  return { offers: [{ intent: 'charge', method, amount: String(route.priceMicroUsd), currency }] };
}

const securitySchemes = {
  apiKeyAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'Key of the operator; not charged per call.',
  },
  mcpApiKeyAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'mcp-api-key',
    description: 'The same key under its other name.',
  },
  grantBearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ii1.<payload>.<signature>',
    description: 'Session token of POST /v1/grant/session; each call is debited its price.',
  },
  grantHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Svc-Grant-Token',
    description: 'The same token in a header of its own.',
  },
  x402: {
    type: 'apiKey',
    in: 'header',
    name: 'PAYMENT-SIGNATURE',
    description:
      'No secret to configure: call without it, sign one entry of accepts of the 402, and repeat the request with base64 JSON of the x402 version 2 payment.',
  },
  mpp: {
    type: 'http',
    scheme: 'Payment',
    description:
      'No secret to configure: call without it, sign the challenge of WWW-Authenticate: Payment, and repeat the request with Authorization: Payment.',
  },
};

/** The headers that ask for a payment, one of each family (I5.7, I5.20). */
const challengeHeaders = {
  'PAYMENT-REQUIRED': {
    description: 'On /v1: base64 JSON of the x402 version 2 challenge, which the body repeats.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'On /mpp/v1: the challenge of the Payment scheme.',
    schema: { type: 'string' },
  },
};

/**
 * Emits the OpenAPI 3.1 description of a deployment's live routes (I4.F07, I4.37).
 *
 * Pure: the same routes and deployment give the same document.
 */
export function emitOpenApi(deployment: Deployment, routes: readonly Route[] = allRoutes): Json {
  const live = routes.filter((r) => r.status === 'live');
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of live) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operationOf(route, deployment);
    paths[route.path] = path;
  }
  const used = new Set(live.flatMap((r) => (r.schemaId === null ? [] : [r.schemaId])));
  const schemas: Record<string, JsonSchema> = {};
  for (const [id, { name, schema }] of Object.entries(payloads))
    if (used.has(id)) schemas[name] = jsonSchemaOf(schema);
  for (const route of live) {
    const free = freeAnswers[route.id];
    if (free !== undefined) schemas[free.name] = jsonSchemaOf(free.schema);
  }
  schemas['BillingEnvelope'] = jsonSchemaOf(billingEnvelope);
  schemas['Problem'] = jsonSchemaOf(problem);
  const statuses = [...new Set(live.flatMap(problemStatuses))].sort((a, b) => a - b);
  const responses = Object.fromEntries(
    statuses
      .filter((status) => status !== 304)
      .map((status) => [
        `Problem${status}`,
        {
          description: statusText[status],
          ...(status === 402 ? { headers: challengeHeaders } : {}),
          content: { 'application/problem+json': { schema: ref('Problem') } },
        },
      ]),
  );
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
    paths,
    components: { schemas, responses, securitySchemes },
  };
}
