import { discoveryMembers } from '../../data/contract/billing/billingEnvelope.ts';
import { type CheckoutSession, creditsUsd } from '../../data/contract/billing/checkout.ts';
import type { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { instant } from '../../data/contract/values/instant.ts';
import {
  idempotencyKeyInvalid,
  idempotencyKeyReused,
  invalidGrantToken,
  isIdempotencyKey,
} from '../access/credentials.ts';
import type { CheckoutConfig } from '../config/checkoutConfig.ts';
import type { GrantSecrets } from '../config/grantsConfig.ts';
import { headerValue, type LiveCall } from '../free/freeAnswer.ts';
import { checkedWallet } from '../grants/grantArguments.ts';
import { grantTokenExpired } from '../grants/grantRefusals.ts';
import type { KnownSessions } from '../grants/grantSessions.ts';
import type { CheckoutRow, NewCheckout } from '../ledger/port/checkout.ts';
import type { Ledger, LedgerLog } from '../ledger/port/ledger.ts';
import { readBody } from '../routing/readBody.ts';
import { checkoutRefusal, tooMuchCredit } from './checkoutRefusals.ts';
import type { CheckoutLimits } from './hourlyLimit.ts';
import { opensCheckout, pickupHash, pickupSecret, pickupSecretAgain } from './pickupSecret.ts';
import type { ProviderSession, StripeClient } from './stripeClient.ts';

/** How long a buyer has at the provider's page (P5.6). */
const openSeconds = 1800;
/** Most USD an account may have left after crediting (P5.4). */
const maxRemainingUsd = 25;

export type OpenCheckoutDeps = {
  readonly ledger: Pick<Ledger, 'checkout'>;
  readonly client: StripeClient;
  readonly config: CheckoutConfig;
  readonly secrets: GrantSecrets;
  /** The sessions of grants, whose tokens prove who holds an account. */
  readonly sessions: Pick<KnownSessions, 'read'>;
  readonly limits: CheckoutLimits;
  readonly log: LedgerLog;
  ulid(): string;
};

/** F14: a row first, then the provider, so that no money comes in for what is not known here (P5.5). */
export async function openCheckout(
  call: LiveCall,
  deps: OpenCheckoutDeps,
): Promise<{ status: 201; body: CheckoutSession }> {
  const asked = readCreation(call);
  const { checkout, pickup } = await stored(call, asked, deps);
  const session = await atProvider(checkout, deps);
  await deps.ledger.checkout.opened({
    checkoutId: checkout.checkoutId,
    providerSessionId: session.id,
    atMs: call.nowMs,
  });
  const credit = creditsUsd.find((usd) => usd * 1_000_000 === checkout.creditMicro) ?? creditsUsd[0];
  return {
    status: 201,
    body: {
      checkout_id: checkout.checkoutId,
      state: 'open',
      checkout_url: session.url,
      expires_at: instant(expiresSeconds(checkout) * 1000),
      credit_usd: credit,
      charge_usd: credit,
      currency: 'usd',
      account_id: checkout.accountId,
      wallet: checkout.wallet,
      pickup_secret: pickup,
      ...discoveryMembers,
    },
  };
}

type Asked = {
  readonly idempotencyKey: string;
  readonly accountId: string;
  readonly creditUsd: number;
  readonly wallet: string | null;
};

function readCreation({ request, route }: LiveCall): Asked {
  const idempotencyKey = headerValue(request, 'idempotency-key');
  if (idempotencyKey === null) throw checkoutRefusal('keyMissing');
  if (!isIdempotencyKey(idempotencyKey)) throw idempotencyKeyInvalid();
  const values = readBody({ route, bytes: request.body });
  const wallet = values.get('wallet');
  return {
    idempotencyKey,
    accountId: String(values.get('account_id')),
    creditUsd: Number(values.get('credit_usd')),
    wallet: wallet === undefined ? null : checkedWallet(String(wallet)),
  };
}

/**
 * The row of this key: a new one, or the one an equal request made before (P5.5). The name of an account proves nothing
 * (P5.3): adding to its active grant takes a session of that grant.
 */
async function stored(
  call: LiveCall,
  asked: Asked,
  deps: OpenCheckoutDeps,
): Promise<{ checkout: CheckoutRow; pickup: string }> {
  const { idempotencyKey } = asked;
  const checkoutId = `chk_${deps.ulid()}`;
  const pickup = pickupSecret(deps.secrets[0].secret, { checkoutId, idempotencyKey });
  const { clientAddress } = call.request;
  const takeTryBack = deps.limits.tries.take(clientAddress, call.nowMs);
  const takeBack = deps.limits.creations.take(clientAddress, call.nowMs);
  const grantId = await heldGrant(call, deps);
  const row: NewCheckout = {
    checkoutId,
    provider: deps.config.provider,
    idempotencyKey,
    accountId: asked.accountId,
    wallet: asked.wallet,
    creditMicro: asked.creditUsd * 1_000_000,
    chargeMinor: asked.creditUsd * 100,
    currency: 'usd',
    grantId,
    pickupHash: pickupHash(pickup),
    createdMs: call.nowMs,
    maxRemainingMicro: maxRemainingUsd * 1_000_000,
  };
  const first = await deps.ledger.checkout.create(row);
  const outcome =
    first.kind === 'open_checkout' && (await giveUp(first.checkout, { call, deps, grantId }))
      ? await deps.ledger.checkout.create(row)
      : first;
  if (outcome.kind === 'created') return { checkout: outcome.checkout, pickup };
  takeBack();
  switch (outcome.kind) {
    case 'replay': {
      takeTryBack();
      const { checkout } = outcome;
      const again = pickupSecretAgain(deps.secrets, {
        checkoutId: checkout.checkoutId,
        idempotencyKey,
        stored: checkout.pickupHash,
      });
      // every secret of its day is deleted: the checkout can be paid, but its secret not shown again
      if (again === null) throw idempotencyKeyReused();
      return { checkout, pickup: again };
    }
    case 'reused':
      throw idempotencyKeyReused();
    case 'not_proven':
      throw notProven(call);
    case 'open_checkout':
      throw checkoutRefusal('isOpen');
    case 'over_limit':
      throw tooMuchCredit(maxRemainingUsd);
  }
}

/**
 * Ends the open checkout of an account at its provider for a buyer who will not finish it: a closed window, another
 * amount. Only who holds its pickup secret (P5.3), or a session of the grant it raises, may end it before its time, or
 * a stranger could close a buyer's pay page. What was paid in the same moment stays open for its event (P5.8).
 */
async function giveUp(
  open: CheckoutRow,
  { call, deps, grantId }: { call: LiveCall; deps: OpenCheckoutDeps; grantId: string | null },
): Promise<boolean> {
  const { checkoutId, providerSessionId } = open;
  const secret = headerValue(call.request, 'x-checkout-secret');
  const proven =
    (secret !== null && opensCheckout(secret, open.pickupHash)) ||
    (grantId !== null && open.grantId === grantId);
  const over = call.nowMs >= expiresSeconds(open) * 1000;
  if (providerSessionId === null || !(proven || over)) return false;
  const answer = await deps.client.expire(providerSessionId);
  const status = answer.kind === 'answer' ? answer.value : answer.kind;
  const fields = { checkout_id: checkoutId, status };
  deps.log({ level: 'info', event: 'checkout_given_up', fields });
  if (status !== 'expired') return false;
  await deps.ledger.checkout.ended({ checkoutId, atMs: call.nowMs });
  return true;
}

/** The grant whose session token the request carries; null without a good one. */
async function heldGrant({ presented }: LiveCall, { sessions }: OpenCheckoutDeps): Promise<string | null> {
  const { grant: token } = presented;
  const known = token?.kind === 'valid' ? await sessions.read(token.claims) : null;
  return known?.grant.grantId ?? null;
}

/** What is wrong with the proof: its time, the token, or that it is none of this account. */
function notProven({ presented: { credentials, grant: token } }: LiveCall): IssuerError {
  if (token?.kind === 'expired') return grantTokenExpired();
  return credentials.grant !== null && token?.kind !== 'valid'
    ? invalidGrantToken()
    : checkoutRefusal('needsProof');
}

/** The provider's session; its idempotency key is the checkout's id, so a repeat makes no second one (P5.5). */
async function atProvider(
  checkout: CheckoutRow,
  deps: OpenCheckoutDeps,
): Promise<ProviderSession & { readonly url: string }> {
  const { checkoutId, chargeMinor, creditMicro, currency } = checkout;
  const answer = await deps.client.create({
    checkoutId,
    amountMinor: chargeMinor,
    creditMicro,
    expiresSeconds: expiresSeconds(checkout),
  });
  const fields = { checkout_id: checkoutId };
  if (answer.kind === 'refused') {
    const { status, code } = answer;
    deps.log({ level: 'warn', event: 'checkout_refused', fields: { ...fields, status, code } });
    throw checkoutRefusal('providerUnavailable');
  }
  if (answer.kind === 'unclear') {
    deps.log({ level: 'warn', event: 'checkout_unclear', fields: { ...fields, why: answer.reason } });
    throw checkoutRefusal('providerUnavailable');
  }
  const { value } = answer;
  const { url } = value;
  const ours =
    value.checkoutId === checkoutId &&
    value.amountMinor === chargeMinor &&
    value.currency === currency &&
    value.live === deps.config.live;
  if (ours && url !== null && isPayPage(url, deps.config.apiBase)) return { ...value, url };
  deps.log({ level: 'error', event: 'checkout_provider_inconsistent', fields });
  throw checkoutRefusal('providerUnavailable');
}

// a plain page is shown only where the provider itself is a plain one of this machine
function isPayPage(url: string, apiBase: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, origin } = new URL(url);
  return protocol === 'https:' || origin === new URL(apiBase).origin;
}

function expiresSeconds({ createdMs }: CheckoutRow): number {
  return Math.floor(createdMs / 1000) + openSeconds;
}
