import { programsCovering } from '../../data/contract/billing/grants.ts';
import { paymentProviderPriority } from '../../data/contract/billing/paymentProviders.ts';
import {
  gatewayDomain,
  offerReceipt,
  type Requirement,
  requirements,
  type X402Provider,
} from '../../data/contract/billing/requirement.ts';
import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { parameterSchema } from '../../data/contract/emit/jsonSchema.ts';
import { discoveryExample } from '../../data/contract/payloads/payloads.ts';
import { routeUri } from '../../data/contract/routes/route.ts';
import { paymentMember, receiptMember } from '../../data/contract/tools/toolPayment.ts';
import type { Servable } from '../find/servable/servable.ts';
import type { MppChallenges } from '../payments/mpp/mppChallenge.ts';
import type { OfferSigner } from '../payments/proofs/signedOffers.ts';
import type { RoutePlan } from '../routing/routePlan.ts';

/** Most characters of the challenge header (P2.6). */
export const maxChallengeCharacters = 4096;

/** The x402 version 2 challenge of one request (I5.8, P2.2). */
export type PaymentRequired = {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string };
  readonly accepts: readonly Requirement[];
  readonly extensions: Json;
};

/** How this deployment prints challenges. */
export type ChallengeOptions = {
  /** Adds the discovery extension (`II_PAY_BAZAAR`). */
  readonly bazaar: boolean;
  /** Name of the network for version 1 clients; null while they are not served (P2.49). */
  readonly v1Network: string | null;
  /** Signs the entries; null while no key is set (P2.57). */
  readonly offers: OfferSigner | null;
  /** Mints those of the MPP family; null while it is off. */
  readonly mpp: MppChallenges | null;
};

/** What a challenge is made of; no provider is asked for it (P1.16). */
export type ChallengeInput = {
  readonly servable: Pick<Servable, 'route' | 'tool' | 'priceMicroUsd' | 'body'>;
  readonly plan: Pick<RoutePlan, 'path' | 'query' | 'pathValues' | 'queryValues' | 'bodyValues'>;
  /** Restricts `accepts` (I5.11). */
  readonly provider: X402Provider | null;
  readonly error: string;
  readonly deployment: Deployment;
  readonly payTo: string;
  readonly bazaar: boolean;
  readonly offers: OfferSigner | null;
  readonly nowMs: number;
};

type Json = Readonly<Record<string, unknown>>;

export const jsonSchemaDraft = 'https://json-schema.org/draft/2020-12/schema';

const paymentIdentifier = {
  info: { required: false },
  schema: {
    $schema: jsonSchemaDraft,
    type: 'object',
    properties: { required: { type: 'boolean' }, id: { type: 'string', minLength: 16, maxLength: 128 } },
    required: ['required'],
  },
};

/** A challenge as a body has it, its header, and until when they may be shown as they are. */
export type BuiltChallenge = {
  readonly challenge: PaymentRequired;
  readonly header: string;
  readonly shownUntilMs: number;
};

/**
 * Builds the challenge. Before its header grows over its limit the example of the answer is omitted, then the signed offers,
 * then the other extensions, `bazaar` first; entries never are (P2.6). A body has room, so it has the offers in every case.
 */
export function paymentRequired(input: ChallengeInput): BuiltChallenge {
  const core = challengeOf(input);
  const { resource, accepts } = core;
  const signed = input.offers?.({ resourceUrl: resource.url, accepts, nowMs: input.nowMs }) ?? null;
  const offered: Json = signed === null ? {} : { [offerReceipt]: signed.extension };
  const { extensions, header } = fitting(core, { forms: extensionForms(input), offered });
  return {
    challenge: { ...core, extensions: { ...extensions, ...offered } },
    header,
    shownUntilMs: signed?.shownUntilMs ?? Number.POSITIVE_INFINITY,
  };
}

/** The extensions beside the offers, the largest first. */
function extensionForms({ servable, plan, bazaar }: ChallengeInput): readonly Json[] {
  const identified = { 'payment-identifier': paymentIdentifier };
  if (!bazaar) return [identified];
  const described = { servable, plan, mimeType: mimeTypeOf(servable) };
  return [true, false].map((example) => ({
    ...identified,
    bazaar: discoveryExtension({ ...described, example }),
  }));
}

/** The first extensions whose header is within its limit. */
function fitting(
  core: Omit<PaymentRequired, 'extensions'>,
  { forms, offered }: { readonly forms: readonly Json[]; readonly offered: Json },
): { readonly extensions: Json; readonly header: string } {
  const plain = { 'payment-identifier': paymentIdentifier };
  const candidates = [
    ...forms.map((one) => ({ ...one, ...offered })),
    ...forms,
    { ...plain, ...offered },
    plain,
  ];
  for (const extensions of candidates) {
    const header = headerOf({ ...core, extensions });
    if (header.length <= maxChallengeCharacters) return { extensions, header };
  }
  return { extensions: {}, header: headerOf({ ...core, extensions: {} }) };
}

function headerOf(challenge: PaymentRequired): string {
  return Buffer.from(JSON.stringify(challenge)).toString('base64');
}

/** The members a 402 body has beside the problem's own: the challenge again and what helps to pay (I7.7). */
export function challengeMembers({
  servable,
  challenge,
  deployment,
  v1Network,
}: {
  challenge: PaymentRequired;
  servable: Servable;
  deployment: Deployment;
  v1Network: string | null;
}): Readonly<Record<string, unknown>> {
  return {
    ...(v1Network === null ? challenge : versionOne(challenge, v1Network)),
    quoted_cost_usd: servable.priceMicroUsd / 1e6,
    quoted_micro_usd: servable.priceMicroUsd,
    ...(servable.priceComponents === null ? {} : { price_components: servable.priceComponents }),
    payment: {
      rail: 'x402',
      request_header: 'PAYMENT-SIGNATURE',
      response_header: 'PAYMENT-RESPONSE',
      retry: 'Repeat the same request with the payment header.',
      provider_priority: paymentProviderPriority(deployment)
        .filter(({ enabled }) => enabled)
        .map((entry) => entry.payment_mode),
    },
    artifact: artifactOf(servable),
    grant_auth: {
      challenge_endpoint: '/v1/grant/challenge?wallet=<wallet>',
      session_endpoint: '/v1/grant/session',
      token_header: 'X-Svc-Grant-Token',
      covered_by_programs: programsCovering(routeUri(servable.route)),
    },
    documentation,
  };
}

/** The same of the MPP family, whose challenge stands in a header alone (I7.7, P4.7). */
export function mppChallengeMembers(servable: Servable): Readonly<Record<string, unknown>> {
  return {
    quoted_cost_usd: servable.priceMicroUsd / 1e6,
    quoted_micro_usd: servable.priceMicroUsd,
    payment: {
      rail: 'mpp',
      request_header: 'Authorization',
      response_header: 'Payment-Receipt',
      retry: 'Repeat the same request with Authorization: Payment and the signed challenge.',
    },
    artifact: artifactOf(servable),
    documentation,
  };
}

/** The same of a tool call that no other rail is offered for: its challenge stands in `_meta` (P10.16). */
export function mppToolMembers(servable: Servable): Readonly<Record<string, unknown>> {
  return {
    quoted_cost_usd: servable.priceMicroUsd / 1e6,
    quoted_micro_usd: servable.priceMicroUsd,
    payment: {
      rail: 'mpp',
      request_member: `params._meta["${paymentMember.mpp}"]`,
      response_member: `result._meta["${receiptMember.mpp}"]`,
      retry: 'Repeat the same call with the credential of the signed challenge, an object.',
    },
    artifact: artifactOf(servable),
    documentation,
  };
}

const documentation = { openapi: '/openapi.json', pricing: '/v1/pricing', help: '/help' };

function artifactOf(servable: Servable): Readonly<Record<string, unknown>> {
  return {
    source_date: servable.sourceDate,
    version: servable.artifactVersion,
    etag: servable.body.etag,
    computed_at_utc: servable.computedAt,
    ...(servable.counts === null ? {} : { counts: servable.counts }),
  };
}

// one body cannot serve both versions: the version 2 object moves aside (P2.49)
function versionOne(challenge: PaymentRequired, network: string): Readonly<Record<string, unknown>> {
  const exact = challenge.accepts.find((entry) => entry.extra['name'] !== gatewayDomain.name);
  const { url, description, mimeType } = challenge.resource;
  const accepts =
    exact === undefined
      ? []
      : [
          {
            scheme: exact.scheme,
            network,
            maxAmountRequired: exact.amount,
            resource: url,
            description,
            mimeType,
            payTo: exact.payTo,
            maxTimeoutSeconds: exact.maxTimeoutSeconds,
            asset: exact.asset,
            extra: exact.extra,
          },
        ];
  return { x402Version: 1, error: challenge.error, accepts, x402_v2: challenge };
}

function challengeOf(input: ChallengeInput): Omit<PaymentRequired, 'extensions'> {
  const { servable, plan, deployment } = input;
  const { route, priceMicroUsd } = servable;
  return {
    x402Version: 2,
    error: input.error,
    resource: {
      url: `${deployment.baseUrl}${plan.path}${plan.query}`,
      description: route.note === undefined ? route.description : `${route.description} ${route.note}`,
      mimeType: mimeTypeOf(servable),
    },
    accepts: requirements({ ...input, amountMicroUsd: priceMicroUsd }),
  };
}

function mimeTypeOf({ body }: ChallengeInput['servable']): string {
  return body.mediaType.replace(/;.*/, '');
}

/** What the extension describes: one request, or one call of a tool. */
export type DescribedCall = {
  readonly servable: Pick<Servable, 'route' | 'tool'>;
  readonly plan: Pick<RoutePlan, 'pathValues' | 'queryValues' | 'bodyValues'>;
  /** Media type of the answer. */
  readonly mimeType: string;
  /** Whether an excerpt of the answer is shown. */
  readonly example: boolean;
};

/**
 * The discovery extension of x402, `bazaar`: how a resource is called and what it answers, with a schema that `info` is
 * valid against. Catalogues refuse a member without a type (P2.11).
 */
export function discoveryExtension(described: DescribedCall): Json {
  const { servable, plan } = described;
  const input = servable.tool === null ? requestInput(described) : toolInput(described);
  const output = outputOf(described);
  const templated = servable.tool === null && Object.keys(plan.pathValues).length > 0;
  return {
    info: { input: input.info, ...(output === null ? {} : { output: output.info }) },
    schema: {
      $schema: jsonSchemaDraft,
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: input.properties,
          required: input.required,
          additionalProperties: false,
        },
        ...(output === null ? {} : { output: output.schema }),
      },
      required: ['input'],
    },
    ...(templated ? { routeTemplate: servable.route.path.replaceAll(/\{(\w+)\}/g, ':$1') } : {}),
  };
}

type Input = { readonly info: Json; readonly properties: Json; readonly required: readonly string[] };

function requestInput({ servable, plan }: DescribedCall): Input {
  const { method } = servable.route;
  const { pathValues, queryValues, bodyValues } = plan;
  const inPath = Object.keys(pathValues).length > 0;
  return {
    info: {
      type: 'http',
      method,
      ...(inPath ? { pathParams: pathValues } : {}),
      queryParams: queryValues,
      ...(bodyValues === null ? {} : { bodyType: 'json', body: bodyValues }),
    },
    properties: {
      type: { type: 'string', const: 'http' },
      method: { type: 'string', enum: [method] },
      ...(inPath ? { pathParams: { type: 'object' } } : {}),
      queryParams: { type: 'object' },
      ...(bodyValues === null
        ? {}
        : { bodyType: { type: 'string', const: 'json' }, body: { type: 'object' } }),
    },
    required: ['type', 'method'],
  };
}

/** A tool's arguments by name and type alone; the whole schema stands in `tools/list`. */
function toolInput({ servable }: DescribedCall): Input {
  const { params } = servable.route;
  const types = params.map((param) => [param.name, { type: parameterSchema(param)['type'] }]);
  return {
    info: {
      type: 'mcp',
      toolName: servable.tool,
      transport: 'streamable-http',
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(types),
        required: params.filter(({ required }) => required).map(({ name }) => name),
      },
    },
    properties: {
      type: { type: 'string', const: 'mcp' },
      toolName: { type: 'string' },
      transport: { type: 'string', enum: ['streamable-http'] },
      inputSchema: { type: 'object' },
    },
    required: ['type', 'toolName', 'inputSchema'],
  };
}

function outputOf({ servable, mimeType, example }: DescribedCall): { info: Json; schema: Json } | null {
  if (mimeType !== 'application/json') return null;
  // inside the result of a tool it would lie deeper than an echoed challenge may (P2.16)
  const shown = example && servable.tool === null;
  const excerpt = shown ? discoveryExample(servable.route.schemaId) : null;
  return {
    info: { type: 'json', ...(excerpt === null ? {} : { example: excerpt }) },
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string' },
        ...(excerpt === null ? {} : { example: { type: 'object' } }),
      },
      required: ['type'],
    },
  };
}
