import { randomBytes } from 'node:crypto';
import { discoveryMembers } from '../../data/contract/billing/billingEnvelope.ts';
import { type CheckoutProgress, creditsUsd } from '../../data/contract/billing/checkout.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { instant } from '../../data/contract/values/instant.ts';
import type { Config } from '../config/config.ts';
import { headerValue, type LiveCall, type LiveRoute, type LiveRoutes } from '../free/freeAnswer.ts';
import type { ComposedGrants } from '../grants/composeGrants.ts';
import { allLiveRoutes } from '../grants/coverage.ts';
import { grantStanding } from '../grants/grantAnswers.ts';
import { noLivingGrant } from '../grants/grantRefusals.ts';
import { mintSession } from '../grants/grantSessions.ts';
import type { GrantTokens } from '../grants/grantToken.ts';
import type { CheckoutStore } from '../ledger/port/checkout.ts';
import type { Ledger, LedgerLog } from '../ledger/port/ledger.ts';
import { readBody } from '../routing/readBody.ts';
import { checkoutRefusal } from './checkoutRefusals.ts';
import { checkoutLimits } from './hourlyLimit.ts';
import { openCheckout } from './openCheckout.ts';
import { opensCheckout } from './pickupSecret.ts';
import { stripeClient } from './stripeClient.ts';
import { takeWebhook, type WebhookOutcome } from './takeWebhook.ts';

/** Card checkout of one server: the routes F14–F17. */
export type ComposedCheckout = {
  readonly routes: LiveRoutes;
  /** Closes the provider's connections. */
  stop(): Promise<void>;
};

/** A server that sells nothing by card (P5.10). */
export function noCheckout(): ComposedCheckout {
  const unavailable: LiveRoute = async () => {
    throw checkoutRefusal('notConfigured');
  };
  return {
    routes: new Map<string, LiveRoute>([
      ['F14', unavailable],
      ['F15', unavailable],
      ['F16', unavailable],
      [
        'F17',
        async () => {
          throw checkoutRefusal('noWebhook');
        },
      ],
    ]),
    stop: async () => {},
  };
}

/** Wires card checkout of one configuration; nothing is reached before a buyer comes. */
export function composeCheckout(deps: {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly grants: ComposedGrants;
  readonly routes: readonly Route[];
  readonly log: LedgerLog;
  ulid(): string;
  /** How the provider is reached; HTTP unless a simulation has its own. */
  readonly connect?: typeof stripeClient;
  /** Receives the outcome of each notification of the provider. */
  webhook?(outcome: WebhookOutcome): void;
}): ComposedCheckout {
  const { ledger, grants } = deps;
  const config = deps.config.checkout;
  const { signing } = grants;
  if (config === null || signing === null) return noCheckout();
  const client = (deps.connect ?? stripeClient)(config);
  const common = { ledger, client, config, log: deps.log, ulid: deps.ulid };
  const { secrets, sessions } = signing;
  const opening = { ...common, secrets, sessions, limits: checkoutLimits() };
  const counted = deps.webhook === undefined ? {} : { counted: deps.webhook };
  const webhook = { ...common, ...counted, coverage: allLiveRoutes(deps.routes) };
  const pickup: PickupDeps = { ledger, tokens: signing.tokens, nobody: randomBytes(32), ulid: deps.ulid };
  return {
    routes: new Map<string, LiveRoute>([
      ['F14', (call) => openCheckout(call, opening)],
      ['F15', (call) => checkoutState(call, pickup)],
      ['F16', (call) => checkoutToken(call, pickup)],
      ['F17', (call) => takeWebhook(call, webhook)],
    ]),
    stop: () => client.close(),
  };
}

type PickupDeps = {
  readonly ledger: Pick<Ledger, 'checkout' | 'grants'>;
  readonly tokens: GrantTokens;
  /** Stands for the hash of a checkout that does not exist. */
  readonly nobody: Uint8Array;
  ulid(): string;
};

type Found = NonNullable<Awaited<ReturnType<CheckoutStore['find']>>>;

/** The checkout its secret opens; an unknown one is compared as well, so that timing reveals nothing. */
async function opened(call: LiveCall, deps: PickupDeps): Promise<Found> {
  const secret = headerValue(call.request, 'x-checkout-secret');
  if (secret === null) throw checkoutRefusal('invalidSecret');
  const found = await deps.ledger.checkout.find(String(call.params.values.get('checkout_id')));
  const same = opensCheckout(secret, found?.checkout.pickupHash ?? deps.nobody);
  if (!same || found === null) throw checkoutRefusal('invalidSecret');
  return found;
}

async function checkoutState(call: LiveCall, deps: PickupDeps) {
  const { checkout, grant } = await opened(call, deps);
  const credit = creditsUsd.find((usd) => usd * 1_000_000 === checkout.creditMicro) ?? creditsUsd[0];
  const body: CheckoutProgress = {
    checkout_id: checkout.checkoutId,
    state: checkout.state,
    grant_id: checkout.grantId,
    grant_status: grant === null ? null : grantStanding(grant, call.nowMs),
    credit_usd: credit,
    created_at: instant(checkout.createdMs),
    updated_at: instant(checkout.updatedMs),
    ...discoveryMembers,
  };
  return { status: 200, body } as const;
}

async function checkoutToken(call: LiveCall, deps: PickupDeps) {
  readBody({ route: call.route, bytes: call.request.body });
  const { checkout, grant } = await opened(call, deps);
  // a partly refunded checkout keeps a budget for the rest (I4.F16.1)
  const bought = checkout.state === 'paid' || checkout.state === 'refunded';
  if (!bought || grant === null) throw noLivingGrant(null);
  const standing = grantStanding(grant, call.nowMs);
  if (standing !== 'active' && standing !== 'exhausted') throw noLivingGrant(standing);
  const body = await mintSession({
    grants: deps.ledger.grants,
    tokens: deps.tokens,
    grant,
    wallet: grant.wallet,
    nonce: null,
    nowMs: call.nowMs,
    ulid: deps.ulid,
  });
  return { status: 200, body } as const;
}
