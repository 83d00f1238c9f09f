import { programsCovering } from '../../data/contract/billing/grantPrograms.ts';
import { paymentProviderPriority } from '../../data/contract/billing/paymentProviders.ts';
import {
  gatewayDomain,
  offerReceipt,
  type Requirement,
  requirements,
  type X402Provider,
} from '../../data/contract/billing/requirement.ts';
import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { routeUri } from '../../data/contract/routes/route.ts';
import { paymentMember, receiptMember } from '../../data/contract/tools/toolPayment.ts';
import type { Servable } from '../find/servable/servable.ts';
import type { MppChallenges } from '../payments/mpp/mppChallenge.ts';
import type { OfferSigner } from '../payments/proofs/signedOffers.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import { discoveryExtension, jsonSchemaDraft } from './discoveryExtension.ts';

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
