import {
  type CheckoutCreated,
  type CheckoutRow,
  type CheckoutStore,
  type NewCheckout,
  openCheckoutMs,
} from '../port/checkout.ts';
import type { GrantRow } from '../port/grant.ts';
import { checkoutRow, grantRow } from '../rows/rows.ts';
import { statement } from '../steps/statement.ts';
import { changesOf, firstOf, type Steps, takeTurn } from '../steps/steps.ts';

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
export function* livingGrantOf(accountId: string): Steps<GrantRow | null> {
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
