import type { DatabaseSync } from 'node:sqlite';
import {
  type CheckoutCreated,
  type CheckoutRow,
  type NewCheckout,
  openCheckoutMs,
  type WebhookEffect,
  type WebhookEvent,
  type WebhookResult,
} from '../../port/checkout.ts';
import type { WatchEntry } from '../../port/payment.ts';
import { checkoutRow, grantRow, wholeNumber } from '../../rows.ts';

/** What the writer can do with card checkouts; each function runs inside a transaction. */
export type CheckoutCalls = {
  createCheckout(o: NewCheckout): CheckoutCreated;
  openCheckout(o: { checkoutId: string; providerSessionId: string; atMs: number }): boolean;
  endCheckout(o: { checkoutId: string; atMs: number }): boolean;
  applyWebhook(event: WebhookEvent): WebhookResult;
  watch(entry: WatchEntry): 'added' | 'already_listed';
  unwatch(o: { payer: string; by: string; atMs: number }): number;
};

type Paid = Extract<WebhookEffect, { kind: 'paid' }>;

const actor = 'operator:checkout';

/** Prepares the statements of checkouts (P5.5, P5.8, P5.9) and of the watch list (I3.9). */
export function checkoutCalls(database: DatabaseSync): CheckoutCalls {
  const byKey = database.prepare('SELECT * FROM checkout_sessions WHERE idempotency_key = ?');
  const byId = database.prepare('SELECT * FROM checkout_sessions WHERE checkout_id = ?');
  const openOf = database.prepare(`
    SELECT * FROM checkout_sessions WHERE account_id = ? AND state IN ('creating','open') AND created_ms > ?
    ORDER BY created_ms DESC LIMIT 1`);
  const insert = database.prepare(`
    INSERT INTO checkout_sessions (checkout_id, provider, idempotency_key, account_id, wallet, credit_micro,
      charge_minor, currency, state, grant_id, pickup_hash, created_ms, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'creating', ?, ?, ?, ?)`);
  const open = database.prepare(`
    UPDATE checkout_sessions SET state = 'open', provider_session_id = ?, updated_ms = ?
    WHERE checkout_id = ? AND state = 'creating'`);
  const end = database.prepare(
    "UPDATE checkout_sessions SET state = 'expired', updated_ms = ? WHERE checkout_id = ? AND state = 'open'",
  );
  const setState = database.prepare(
    'UPDATE checkout_sessions SET state = ?, grant_id = coalesce(?, grant_id), updated_ms = ? WHERE checkout_id = ?',
  );
  const takeEvent = database.prepare(`
    INSERT INTO webhook_events (provider, event_id, type, body_sha256, result, received_ms)
    VALUES (?, ?, ?, ?, 'ignored', ?) ON CONFLICT DO NOTHING`);
  const setResult = database.prepare(
    'UPDATE webhook_events SET result = ? WHERE provider = ? AND event_id = ?',
  );
  const grantOfAccount = database.prepare(`
    SELECT * FROM grants WHERE program = 'founding_user_credit' AND account_id = ?
      AND status NOT IN ('revoked','expired')`);
  const walletTaken = database.prepare(`
    SELECT 1 FROM grants WHERE program = 'founding_user_credit' AND wallet = ? AND grant_id <> ?
      AND status NOT IN ('revoked','expired')`);
  const insertGrant = database.prepare(`
    INSERT INTO grants (grant_id, program, wallet, account_id, status, budget_micro, routes, min_price_micro, issued_ms,
      expires_ms, updated_ms)
    VALUES (?, 'founding_user_credit', ?, ?, 'active', ?, ?, ?, ?, ?, ?)`);
  const raise = database.prepare(`
    UPDATE grants SET budget_micro = budget_micro + ?, expires_ms = max(expires_ms, ?), routes = ?,
      min_price_micro = ?, wallet = coalesce(wallet, ?), updated_ms = ?
    WHERE grant_id = ?`);
  const lower = database.prepare(`
    UPDATE grants SET budget_micro = max(spent_micro + held_micro, budget_micro - ?), updated_ms = ?
    WHERE grant_id = ?`);
  const refundedSoFar = database.prepare(`
    SELECT coalesce(max(CAST(substr(detail, length(?2) + 2) AS INTEGER)), 0) AS micro FROM grant_events
    WHERE grant_id = ?1 AND kind = 'refund' AND instr(detail, ?2 || ' ') = 1`);
  const suspend = database.prepare(`
    UPDATE grants SET status = 'suspended', note = 'operator:checkout', updated_ms = ?
    WHERE grant_id = ? AND status IN ('active','exhausted')`);
  const forgetNote = database.prepare('UPDATE grants SET note = NULL WHERE grant_id = ?');
  const insertEvent = database.prepare(
    'INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const watched = database.prepare(
    'SELECT 1 FROM payer_watchlist WHERE payer = ? AND provider = ? AND cleared_ms IS NULL',
  );
  const insertWatch = database.prepare(
    'INSERT INTO payer_watchlist (payer, provider, reason, receipt_id, added_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const clearWatch = database.prepare(
    'UPDATE payer_watchlist SET cleared_ms = ?, cleared_by = ? WHERE payer = ? AND cleared_ms IS NULL',
  );

  function credit(checkout: CheckoutRow, effect: Paid, atMs: number): WebhookResult {
    const routes = JSON.stringify(effect.routes);
    const living = grantOfAccount.get(checkout.accountId);
    const raises = living !== undefined && living['grant_id'] === checkout.grantId;
    const grantId = raises ? String(living['grant_id']) : effect.newGrantId;
    // a name proves nothing: money never joins a budget its buyer has not shown to hold (P5.3)
    const accountId =
      living === undefined ? checkout.accountId : `${checkout.accountId}#${checkout.checkoutId}`;
    // a wallet another grant has links nothing; the account's token comes with the pickup secret
    const { wallet } = checkout;
    const linked = wallet === null || walletTaken.get(wallet, grantId) !== undefined ? null : wallet;
    const { creditMicro } = checkout;
    if (!raises) {
      insertGrant.run(
        grantId,
        linked,
        accountId,
        creditMicro,
        routes,
        effect.minPriceMicro,
        atMs,
        effect.expiresMs,
        atMs,
      );
    } else {
      raise.run(creditMicro, effect.expiresMs, routes, effect.minPriceMicro, linked, atMs, grantId);
    }
    insertEvent.run(grantId, 'credit', `${checkout.checkoutId} ${creditMicro}`, actor, atMs);
    setState.run('paid', grantId, atMs, checkout.checkoutId);
    return 'credited';
  }

  function effectOf(effect: WebhookEffect, atMs: number): WebhookResult {
    if (effect.kind === 'none') return 'ignored';
    const found = byId.get(effect.checkoutId);
    if (found === undefined) return effect.kind === 'paid' ? 'mismatch' : 'ignored';
    const checkout = checkoutRow(found);
    const waiting = checkout.state === 'creating' || checkout.state === 'open';
    const credited = checkout.state === 'paid' || checkout.state === 'refunded';
    switch (effect.kind) {
      case 'paid': {
        const same =
          effect.modeMatches &&
          effect.amountMinor === checkout.chargeMinor &&
          effect.currency === checkout.currency;
        if (!same) return 'mismatch';
        if (waiting) return credit(checkout, effect, atMs);
        // money for a checkout that was given up needs an operator
        return credited ? 'ignored' : 'mismatch';
      }
      case 'expired':
      case 'failed':
        if (!waiting) return 'ignored';
        setState.run(effect.kind, null, atMs, checkout.checkoutId);
        return 'closed';
      case 'refunded': {
        if (checkout.grantId === null || !credited) return 'ignored';
        // a provider says what it has given back in all, each time it gives something back
        const earlier = wholeNumber(refundedSoFar.get(checkout.grantId, checkout.checkoutId)?.['micro']);
        if (effect.refundedMicro <= earlier) return 'ignored';
        lower.run(effect.refundedMicro - earlier, atMs, checkout.grantId);
        insertEvent.run(
          checkout.grantId,
          'refund',
          `${checkout.checkoutId} ${effect.refundedMicro}`,
          actor,
          atMs,
        );
        setState.run('refunded', null, atMs, checkout.checkoutId);
        return 'refunded';
      }
      case 'disputed':
        if (checkout.grantId === null || !credited) return 'ignored';
        if (suspend.run(atMs, checkout.grantId).changes === 0) return 'ignored';
        forgetNote.run(checkout.grantId);
        return 'suspended';
    }
  }

  return {
    createCheckout: (c) => {
      const known = byKey.get(c.idempotencyKey);
      if (known !== undefined) {
        const checkout = checkoutRow(known);
        const same =
          checkout.accountId === c.accountId &&
          checkout.creditMicro === c.creditMicro &&
          checkout.wallet === c.wallet;
        return same ? { kind: 'replay', checkout } : { kind: 'reused' };
      }
      const living = grantOfAccount.get(c.accountId);
      const grant = living === undefined ? null : grantRow(living);
      if (grant !== null && grant.grantId !== c.grantId) return { kind: 'not_proven' };
      const other = openOf.get(c.accountId, c.createdMs - openCheckoutMs);
      if (other !== undefined) return { kind: 'open_checkout', checkout: checkoutRow(other) };
      const remaining = grant === null ? 0 : grant.budgetMicro - grant.spentMicro;
      if (remaining + c.creditMicro > c.maxRemainingMicro) return { kind: 'over_limit' };
      insert.run(
        c.checkoutId,
        c.provider,
        c.idempotencyKey,
        c.accountId,
        c.wallet,
        c.creditMicro,
        c.chargeMinor,
        c.currency,
        grant?.grantId ?? null,
        c.pickupHash,
        c.createdMs,
        c.createdMs,
      );
      const stored = byId.get(c.checkoutId);
      if (stored === undefined) throw new Error(`the checkout ${c.checkoutId} was not stored`);
      return { kind: 'created', checkout: checkoutRow(stored) };
    },
    openCheckout: (o) => open.run(o.providerSessionId, o.atMs, o.checkoutId).changes === 1,
    endCheckout: (o) => end.run(o.atMs, o.checkoutId).changes === 1,
    applyWebhook: (e) => {
      const taken = takeEvent.run(e.provider, e.eventId, e.type, e.bodySha256, e.receivedMs);
      if (taken.changes === 0) return 'duplicate';
      const result = effectOf(e.effect, e.receivedMs);
      setResult.run(result, e.provider, e.eventId);
      return result;
    },
    watch: (w) => {
      if (watched.get(w.payer, w.provider) !== undefined) return 'already_listed';
      insertWatch.run(w.payer, w.provider, w.reason, w.receiptId, w.addedMs);
      return 'added';
    },
    unwatch: (o) => Number(clearWatch.run(o.atMs, o.by, o.payer).changes),
  };
}
