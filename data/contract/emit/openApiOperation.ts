import billingEnvelopeExample from '../billing/billingEnvelope.example.json' with { type: 'json' };
import { payloads, type SchemaId } from '../payloads/payloads.ts';
import type { DocumentName } from '../routes/answer.ts';
import { type PaymentRail, paidRails } from '../routes/paymentRail.ts';
import type { Param, Route } from '../routes/route.ts';
import { toolPaymentWays } from '../tools/toolPayment.ts';
import { versions } from '../values/versions.ts';
import { emitAgentCard } from './agentCard.ts';
import { bodyExample, codeSamples } from './codeSamples.ts';
import { type Deployment, defaultMppMethod } from './deployment.ts';
import { emitDidDocument } from './didDocument.ts';
import { emitFieldContract } from './fieldContract.ts';
import { freeAnswers, problemStatuses, statusText } from './freeAnswers.ts';
import examples from './freeExamples.json' with { type: 'json' };
import { emitHelp } from './help.ts';
import { exampleValue, parameterSchema } from './jsonSchema.ts';
import { emitLlmsTxt } from './llmsTxt.ts';
import { operationDescription } from './operationDescription.ts';
import { emitRobots } from './plainDoors.ts';
import { emitPricing } from './pricing.ts';
import { emitRegistryEntry } from './registryEntry.ts';
import { routeTag } from './routeTags.ts';
import { emitServerCard } from './serverCard.ts';
import { emitWellKnownX402 } from './wellKnownX402.ts';
import { emitWorkflows } from './workflows.ts';

type Json = { readonly [member: string]: unknown };

/** What an operation is described with: the deployment, every route it offers, and whether code and answers are shown. */
export type OperationContext = {
  readonly deployment: Deployment;
  readonly routes: readonly Route[];
  readonly examples: boolean;
};

/** A reference to a schema of the document. */
export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** The operation of one live route (I4.F07.1, I4.F07.2). */
export function openApiOperation(route: Route, context: OperationContext): Json {
  const samples = context.examples ? codeSamples(route, context.deployment) : [];
  return {
    operationId: route.operationId,
    ...endOf(route),
    tags: [routeTag(route)],
    summary: route.description,
    description: operationDescription(route, context),
    parameters: [...route.params.filter((p) => p.in !== 'body').map(parameterOf), ...headersOf(route)],
    ...requestBodyOf(route),
    responses: responsesOf(route, context),
    security: securityOf(route, context.deployment),
    ...paymentOf(route, context.deployment),
    ...(samples.length === 0 ? {} : { 'x-codeSamples': samples }),
  };
}

function endOf({ deprecation }: Route): Json {
  if (deprecation === undefined) return {};
  const { sunsetAt, successor } = deprecation;
  return { deprecated: true, 'x-sunset': sunsetAt, 'x-replaced-by': successor };
}

function parameterOf(param: Param): Json {
  const example = exampleValue(param);
  return {
    name: param.name,
    in: param.in,
    required: param.required,
    description: param.description,
    schema: parameterSchema(param),
    ...(example === undefined ? {} : { example }),
  };
}

function headersOf(route: Route): Json[] {
  return (freeAnswers[route.id]?.headers ?? []).map(({ name, required, about, example }) => ({
    name,
    in: 'header',
    required,
    description: about,
    schema: { type: 'string' },
    example,
  }));
}

function requestBodyOf({ params, family }: Route): Json {
  if (family === 'mcp')
    return {
      requestBody: { required: true, content: jsonContent(ref('ToolRequest'), examples.ToolRequest) },
    };
  const body = params.filter((p) => p.in === 'body');
  if (body.length === 0) return {};
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: body.filter((p) => p.required).map((p) => p.name),
    properties: Object.fromEntries(
      body.map((p) => [p.name, { ...parameterSchema(p), description: p.description }]),
    ),
  };
  return { requestBody: { required: true, content: jsonContent(schema, bodyExample(params)) } };
}

const jsonContent = (schema: Json, example: unknown): Json => ({
  'application/json': { schema, ...(example === undefined || example === null ? {} : { example }) },
});

function okResponse(route: Route, context: OperationContext): Json {
  const { answer, description } = route;
  if (route.family === 'mcp')
    return { description, content: jsonContent(ref('ToolAnswer'), examples.ToolAnswer) };
  if (route.family !== 'free') return { description, content: paidContent(route) };
  const example = answer?.kind === 'document' ? documentExample(answer.document, context) : undefined;
  if (answer?.kind === 'document' && answer.mediaType !== undefined)
    return { description, content: opaqueContent(answer.mediaType, example) };
  if (answer?.kind === 'security')
    return { description, content: opaqueContent('text/plain', opaqueExamples['text/plain']) };
  const free = freeAnswers[route.id];
  const schema = free === undefined ? { type: 'object' } : ref(free.name);
  const content = jsonContent(schema, free?.example ?? example);
  return {
    description,
    content: free?.page
      ? { ...content, ...opaqueContent('text/html', opaqueExamples['text/html']) }
      : content,
  };
}

/** An enveloped payload, and the media types in which artifacts are sent as they are. */
function paidContent({ schemaId, answer }: Route): Json {
  const stored = answer?.kind === 'object' ? [answer.stored, ...Object.values(answer.formats)] : [];
  const opaque = stored
    .filter(({ form }) => form === 'bytes')
    .map(({ mediaType }) => opaqueContent(mediaType, opaqueExamples[mediaType]));
  return Object.assign({}, schemaId === null ? {} : envelopedContent(schemaId as SchemaId), ...opaque);
}

function envelopedContent(schemaId: SchemaId): Json {
  const { name, example } = payloads[schemaId];
  const schema = { allOf: [ref(name), ref('BillingEnvelope')] };
  return jsonContent(schema, { ...example, ...billingEnvelopeExample });
}

function opaqueContent(mediaType: string, example?: unknown): Json {
  const binary = !/^text\/|\+xml$/.test(mediaType);
  const schema = { type: 'string', ...(binary ? { format: 'binary' } : {}) };
  return { [mediaType]: { schema, ...(example === undefined ? {} : { example }) } };
}

function responsesOf(route: Route, context: OperationContext): Json {
  const free = freeAnswers[route.id];
  const shown = okResponse(route, context);
  const ok = context.examples ? shown : withoutExamples(shown);
  const responses: Record<string, Json> = { [free?.status ?? 200]: ok };
  if (route.family === 'mcp') responses['202'] = { description: 'A notification was taken; no body.' };
  for (const status of problemStatuses(route)) {
    const description = statusText[status] ?? '';
    if (status === 304) responses[status] = { description };
    else if (free?.sameAt === status) responses[status] = { ...ok, description };
    else responses[status] = { $ref: `#/components/responses/Problem${status}` };
  }
  return responses;
}

/** A response that does not show how an answer reads. */
function withoutExamples({ content = {}, ...response }: Json): Json {
  const types = Object.entries(content as Record<string, Json>).map(
    ([mediaType, { example: _, ...shape }]) => [mediaType, shape],
  );
  return { ...response, content: Object.fromEntries(types) };
}

function securityOf(route: Route, deployment: Deployment): readonly Json[] {
  if (route.priceMicroUsd === 0) return freeAnswers[route.id]?.security ?? [];
  const keys = [{ apiKeyBearer: [] }];
  const paid = paidRails(route, 'http', deployment).map((rail) => ({ [rail]: [] }));
  if (route.family === 'mpp') return [...paid, ...keys];
  // most methods are free
  if (route.family === 'mcp') return [{}, ...paid, ...keys];
  return [...paid, { grantBearer: [] }, ...keys];
}

function paymentOf(route: Route, deployment: Deployment): Json {
  if (route.priceMicroUsd === 0) return {};
  const rails = paidRails(route, 'http', deployment);
  return {
    ...(rails.length === 0 ? {} : { 'x-payment-info': paymentInfoOf(route, { deployment, rails }) }),
    ...(rails.includes('x402') ? { 'x-x402': x402Of(route, deployment) } : {}),
    ...(route.family === 'mcp' ? { 'x-payment-ways': toolPaymentWays(deployment) } : {}),
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

/** What directories and buying agents read: price and protocols, and for clients of MPP the offers (I4.F07.2). */
function paymentInfoOf(
  { priceMicroUsd, priceBand: band }: Route,
  { deployment, rails }: { deployment: Deployment; rails: readonly PaymentRail[] },
): Json {
  const { method, currency } = deployment.mpp ?? { method: defaultMppMethod, currency: '' };
  const protocol = { x402: {}, mpp: { method, intent: 'charge', currency } };
  const offer = { intent: 'charge', method, amount: String(priceMicroUsd), currency };
  return {
    price:
      band === undefined
        ? { mode: 'fixed', currency: 'USD', amount: dollars(priceMicroUsd) }
        : {
            mode: 'dynamic',
            currency: 'USD',
            min: dollars(band.minMicroUsd),
            max: dollars(band.maxMicroUsd),
          },
    protocols: rails.map((rail) => ({ [rail]: protocol[rail] })),
    ...(rails.includes('mpp') ? { offers: [offer] } : {}),
  };
}

// six places, as X-Cost-USD has: no price is rounded
const dollars = (microUsd: number): string => (microUsd / 1_000_000).toFixed(6);

/** A discovery document as it reads for a few routes: short, and made by the same emitter. */
function documentExample(name: DocumentName, { deployment, routes }: OperationContext): unknown {
  const ofId = (...ids: string[]): Route[] => routes.filter(({ id }) => ids.includes(id));
  switch (name) {
    case 'pricing':
      return emitPricing(deployment, ofId('R01'));
    case 'fields':
      return emitFieldContract({ alphaWeights: {}, releaseKeys: [], routes: ofId('F09') });
    case 'help':
      return emitHelp(deployment, ofId('R01', 'F06'));
    case 'openapi':
      return { openapi: '3.1.0', info: { title: versions.title, version: versions.api }, paths: {} };
    case 'llms':
      return emitLlmsTxt(deployment, ofId('R01', 'F12')).split('\n## ')[0];
    case 'well_known_x402':
      return emitWellKnownX402(deployment, ofId('R01'));
    case 'mcp_card':
      return emitServerCard(deployment, ofId('R01', 'R31', 'F08'));
    case 'reference':
      return opaqueExamples['text/html'];
    case 'workflows':
      return emitWorkflows(deployment, ofId('R01', 'R02', 'R05'));
    case 'did':
      return emitDidDocument(deployment, { proofKey: null, releaseKeys: [], renderKey: null });
    case 'agent_card':
      return emitAgentCard(deployment, ofId('R01', 'R31', 'F08'));
    case 'registry_entry':
      return emitRegistryEntry(deployment);
    case 'robots':
      return emitRobots(ofId('F12'));
    case 'icon':
      return opaqueExamples['image/vnd.microsoft.icon'];
  }
}

/** How a file of a media type begins. */
const opaqueExamples: Readonly<Record<string, string>> = {
  'text/plain': 'Contact: mailto:security@example.com\nExpires: 2026-04-08T00:00:00Z\n',
  'text/html': '<!DOCTYPE html>\n<html lang="en">',
  'application/pdf': '%PDF-1.7',
  'image/vnd.microsoft.icon': '\u0000\u0000\u0001\u0000',
};
