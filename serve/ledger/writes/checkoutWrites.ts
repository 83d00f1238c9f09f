import {
  type CheckoutCreated,
  type CheckoutRow,
  type CheckoutStore,
  checkoutRow,
  type NewCheckout,
  openCheckoutMs,
  type WebhookEffect,
  type WebhookEvent,
  type WebhookResult,
} from '../port/checkout.ts';
import { type GrantRow, grantRow } from '../port/grant.ts';
import { wholeNumber } from '../rows/columns.ts';
import { changesOf, firstOf, rowsOf, type Steps, statement, takeTurn } from '../steps/steps.ts';
import { journalGrant, lockGrant, writeStatus } from './grantWrites.ts';

/** The statements of card checkouts (P5.3–P5.6). */
export const checkoutWriteStatements = {
  ofKey: statement('SELECT * FROM checkout_sessions WHERE idempotency_key = $1'),
  openOf: statement(`SELECT * FROM checkout_sessions
    WHERE account_id = $1 AND state IN ('creating','open') AND created_ms > $2
    ORDER BY created_ms DESC LIMIT 1`),
  insert:
    statement(`INSERT INTO checkout_sessions (checkout_id, provider, idempotency_key, account_id, wallet,
      credit_micro, charge_minor, currency, state, grant_id, pickup_hash, created_ms, updated_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'creating', $9, $10, $11, $11) RETURNING *`),
  open: statement(`UPDATE checkout_sessions SET state = 'open', provider_session_id = $1, updated_ms = $2
    WHERE checkout_id = $3 AND state = 'creating' RETURNING checkout_id`),
  end: statement(`UPDATE checkout_sessions SET state = 'expired', updated_ms = $1
    WHERE checkout_id = $2 AND state = 'open' RETURNING checkout_id`),
  livingGrant: statement(
    `SELECT * FROM grants WHERE program = 'founding_user_credit' AND account_id = $1
      AND status NOT IN ('revoked','expired')`,
    { lock: 'FOR UPDATE' },
  ),
} as const;

const { ofKey, openOf, insert, open, end, livingGrant } = checkoutWriteStatements;

/** The account's living grant, held against other writers. */
function* livingGrantOf(accountId: string): Steps<GrantRow | null> {
  const row = yield* firstOf(livingGrant, accountId);
  return row === null ? null : grantRow(row);
}

/** Creates a checkout: idempotent by key, one open one an account, a bounded remainder (P5.3–P5.5). */
export function* createCheckout(asked: NewCheckout): Steps<CheckoutCreated> {
  const { accountId, createdMs, creditMicro } = asked;
  yield* takeTurn(`checkout ${accountId}`);
  const known = yield* firstOf(ofKey, asked.idempotencyKey);
  if (known !== null) {
    const checkout = checkoutRow(known);
    return isSameOrder(checkout, asked) ? { kind: 'replay', checkout } : { kind: 'reused' };
  }
  const grant = yield* livingGrantOf(accountId);
  if (grant !== null && grant.grantId !== asked.grantId) return { kind: 'not_proven' };
  const other = yield* firstOf(openOf, accountId, createdMs - openCheckoutMs);
  if (other !== null) return { kind: 'open_checkout', checkout: checkoutRow(other) };
  const remaining = grant === null ? 0 : grant.budgetMicro - grant.spentMicro;
  if (remaining + creditMicro > asked.maxRemainingMicro) return { kind: 'over_limit' };
  return { kind: 'created', checkout: yield* stored(asked, grant?.grantId ?? null) };
}

function isSameOrder(checkout: CheckoutRow, asked: NewCheckout): boolean {
  return (
    checkout.accountId === asked.accountId &&
    checkout.creditMicro === asked.creditMicro &&
    checkout.wallet === asked.wallet
  );
}

function* stored(asked: NewCheckout, grantId: string | null): Steps<CheckoutRow> {
  const { checkoutId, provider, idempotencyKey, accountId, wallet, creditMicro } = asked;
  const { chargeMinor, currency, pickupHash, createdMs } = asked;
  const row = yield* firstOf(
    insert,
    checkoutId,
    provider,
    idempotencyKey,
    accountId,
    wallet,
    creditMicro,
    chargeMinor,
    currency,
    grantId,
    pickupHash,
    createdMs,
  );
  if (row === null) throw new Error(`the checkout ${checkoutId} was not stored`);
  return checkoutRow(row);
}

/** `creating` → `open`; false when it is something else. */
export function* openCheckout(asked: Parameters<CheckoutStore['opened']>[0]): Steps<boolean> {
  return (yield* changesOf(open, asked.providerSessionId, asked.atMs, asked.checkoutId)) === 1;
}

/** `open` → `expired`; false when it is something else. */
export function* endCheckout(asked: Parameters<CheckoutStore['ended']>[0]): Steps<boolean> {
  return (yield* changesOf(end, asked.atMs, asked.checkoutId)) === 1;
}

type Effect<Kind extends WebhookEffect['kind']> = Extract<WebhookEffect, { kind: Kind }>;

const as = 'operator:checkout';

/** The statements of the card provider's events (P5.8, P5.9). */
export const webhookWriteStatements = {
  takeEvent:
    statement(`INSERT INTO webhook_events (provider, event_id, type, body_sha256, result, received_ms)
    VALUES ($1, $2, $3, $4, 'ignored', $5) ON CONFLICT DO NOTHING RETURNING event_id`),
  setResult: statement('UPDATE webhook_events SET result = $1 WHERE provider = $2 AND event_id = $3'),
  checkout: statement('SELECT * FROM checkout_sessions WHERE checkout_id = $1', { lock: 'FOR UPDATE' }),
  setState: statement(`UPDATE checkout_sessions SET state = $1, grant_id = $2, updated_ms = $3
    WHERE checkout_id = $4`),
  walletTaken: statement(`SELECT 1 AS found FROM grants
    WHERE program = 'founding_user_credit' AND wallet = $1 AND grant_id <> $2
      AND status NOT IN ('revoked','expired')`),
  insertGrant:
    statement(`INSERT INTO grants (grant_id, program, wallet, account_id, status, budget_micro, routes,
      min_price_micro, issued_ms, expires_ms, updated_ms)
    VALUES ($1, 'founding_user_credit', $2, $3, 'active', $4, $5, $6, $7, $8, $7)`),
  raise: statement(`UPDATE grants SET budget_micro = budget_micro + $1, expires_ms = $2, routes = $3,
      min_price_micro = $4, wallet = $5, updated_ms = $6
    WHERE grant_id = $7`),
  lower: statement('UPDATE grants SET budget_micro = $1, updated_ms = $2 WHERE grant_id = $3'),
  refunds: statement("SELECT detail FROM grant_events WHERE grant_id = $1 AND kind = 'refund'"),
} as const;

const statements = webhookWriteStatements;

/** Takes an event once and applies what it asks for, in one transaction. */
export function* applyWebhook(event: WebhookEvent): Steps<WebhookResult> {
  const { provider, eventId, type, bodySha256, receivedMs, effect } = event;
  if ((yield* changesOf(statements.takeEvent, provider, eventId, type, bodySha256, receivedMs)) === 0) {
    return 'duplicate';
  }
  const result = yield* applyEffect(effect, receivedMs);
  yield* rowsOf(statements.setResult, result, provider, eventId);
  return result;
}

function* applyEffect(effect: WebhookEffect, atMs: number): Steps<WebhookResult> {
  if (effect.kind === 'none') return 'ignored';
  const row = yield* firstOf(statements.checkout, effect.checkoutId);
  if (row === null) return effect.kind === 'paid' ? 'mismatch' : 'ignored';
  const checkout = checkoutRow(row);
  switch (effect.kind) {
    case 'paid':
      return yield* applyPaid(checkout, effect, atMs);
    case 'expired':
    case 'failed':
      if (!isWaiting(checkout)) return 'ignored';
      yield* setState(checkout, effect.kind, atMs);
      return 'closed';
    case 'refunded':
      return yield* applyRefund(checkout, effect, atMs);
    case 'disputed':
      return yield* applyDispute(checkout, atMs);
  }
}

function isWaiting({ state }: CheckoutRow): boolean {
  return state === 'creating' || state === 'open';
}

function isCredited({ state }: CheckoutRow): boolean {
  return state === 'paid' || state === 'refunded';
}

function* setState(
  checkout: CheckoutRow,
  state: CheckoutRow['state'],
  atMs: number,
  grantId = checkout.grantId,
): Steps<void> {
  yield* rowsOf(statements.setState, state, grantId, atMs, checkout.checkoutId);
}

function* applyPaid(checkout: CheckoutRow, effect: Effect<'paid'>, atMs: number): Steps<WebhookResult> {
  const same =
    effect.modeMatches &&
    effect.amountMinor === checkout.chargeMinor &&
    effect.currency === checkout.currency;
  if (!same) return 'mismatch';
  // money for a checkout that was given up needs an operator
  if (!isWaiting(checkout)) return isCredited(checkout) ? 'ignored' : 'mismatch';
  const grantId = yield* credit(checkout, effect, atMs);
  yield* setState(checkout, 'paid', atMs, grantId);
  return 'credited';
}

/** Raises the account's grant for a buyer who proved to hold it (P5.3), or makes one; answers its id. */
function* credit(checkout: CheckoutRow, effect: Effect<'paid'>, atMs: number): Steps<string> {
  const { accountId, checkoutId, creditMicro } = checkout;
  yield* takeTurn(`checkout ${accountId}`);
  const living = yield* livingGrantOf(accountId);
  const raised = living !== null && living.grantId === checkout.grantId ? living : null;
  const grantId = raised?.grantId ?? effect.newGrantId;
  const wallet = yield* freeWallet(checkout, grantId);
  const routes = JSON.stringify(effect.routes);
  if (raised === null) {
    // an account's name proves nothing: money never joins a budget its buyer has not proven to hold
    const name = living === null ? accountId : `${accountId}#${checkoutId}`;
    const { minPriceMicro, expiresMs } = effect;
    yield* rowsOf(
      statements.insertGrant,
      grantId,
      wallet,
      name,
      creditMicro,
      routes,
      minPriceMicro,
      atMs,
      expiresMs,
    );
  } else {
    const expiresMs = Math.max(raised.expiresMs, effect.expiresMs);
    const kept = raised.wallet ?? wallet;
    const { minPriceMicro } = effect;
    yield* rowsOf(statements.raise, creditMicro, expiresMs, routes, minPriceMicro, kept, atMs, grantId);
  }
  yield* journalGrant({ grantId, kind: 'credit', detail: `${checkoutId} ${creditMicro}`, as, atMs });
  return grantId;
}

/** The checkout's wallet unless another grant has it; the account's token comes with the pickup secret then. */
function* freeWallet({ wallet }: CheckoutRow, grantId: string): Steps<string | null> {
  if (wallet === null) return null;
  return (yield* firstOf(statements.walletTaken, wallet, grantId)) === null ? wallet : null;
}

/** Lowers the budget by what was refunded since the last event: a provider reports the sum of all refunds. */
function* applyRefund(checkout: CheckoutRow, effect: Effect<'refunded'>, atMs: number): Steps<WebhookResult> {
  const { checkoutId, grantId } = checkout;
  if (grantId === null || !isCredited(checkout)) return 'ignored';
  const grant = yield* lockGrant(grantId);
  if (grant === null) return 'ignored';
  const more = effect.refundedMicro - (yield* refundedSoFar(checkoutId, grantId));
  if (more <= 0) return 'ignored';
  const budget = Math.max(grant.spentMicro + grant.heldMicro, grant.budgetMicro - more);
  yield* rowsOf(statements.lower, budget, atMs, grantId);
  yield* journalGrant({ grantId, kind: 'refund', detail: `${checkoutId} ${effect.refundedMicro}`, as, atMs });
  yield* setState(checkout, 'refunded', atMs);
  return 'refunded';
}

function* refundedSoFar(checkoutId: string, grantId: string): Steps<number> {
  const details = (yield* rowsOf(statements.refunds, grantId)).map((row) => String(row['detail']).split(' '));
  const sums = details.filter(([id]) => id === checkoutId).map(([, micro]) => wholeNumber(micro));
  return Math.max(0, ...sums);
}

/** Suspends the grant a disputed card had credited. */
function* applyDispute(checkout: CheckoutRow, atMs: number): Steps<WebhookResult> {
  const { grantId } = checkout;
  if (grantId === null || !isCredited(checkout)) return 'ignored';
  const grant = yield* lockGrant(grantId);
  if (grant === null || (grant.status !== 'active' && grant.status !== 'exhausted')) return 'ignored';
  yield* writeStatus({ grantId, as, atMs, status: 'suspended' });
  return 'suspended';
}
