import type { CheckoutRow } from '../port/checkout.ts';
import type { HoldInput, NewGrant } from '../port/grant.ts';
import type { ApiKeyRecord } from '../port/key.ts';
import type { ClaimInput, SettlementJobInput, Transition } from '../port/payment.ts';
import type { IdemInput, ReceiptRow } from '../port/receipt.ts';
import { replayWindowMs } from '../receipt.ts';

// rows of the port as JSON texts with the names of the columns, which the ledger's functions read

/** Bytes in the notation a bytea column reads. */
export function hexBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

const latestInt64 = 2n ** 63n - 1n;

function atMost(seconds: bigint): string {
  return String(seconds > latestInt64 ? latestInt64 : seconds);
}

/** A row of `receipts`; `delivery` may already be known when it is inserted. */
export function receiptColumns(r: ReceiptRow): Record<string, unknown> {
  return {
    receipt_id: r.receiptId,
    reconciliation_key: r.reconciliationKey,
    response_id: r.responseId,
    request_id: r.requestId,
    route_id: r.routeId,
    route_uri: r.routeUri,
    fingerprint: hexBytes(r.fingerprint),
    settlement_mode: r.settlementMode,
    charge_status: r.chargeStatus,
    quoted_micro: r.quotedMicro,
    charged_micro: r.chargedMicro,
    payer_identity: r.payerIdentity,
    claim_key: r.claimKey === null ? null : hexBytes(r.claimKey),
    grant_id: r.grantId,
    api_key_id: r.apiKeyId,
    tool: r.tool,
    artifact_key: r.artifactKey,
    artifact_version: r.artifactVersion,
    source_date: r.sourceDate,
    refunded_micro: r.refundedMicro,
    delivery_status: r.delivery,
    replay_count: r.replayCount,
    quality_flags: r.qualityFlags,
    actor: r.actor,
    reason: r.reason,
    created_ms: r.createdMs,
    updated_ms: r.updatedMs,
  };
}

/** A row of `payments` at its claim. */
export function paymentColumns(c: ClaimInput, phase: 'claimed' | 'calling'): Record<string, unknown> {
  return {
    claim_key: hexBytes(c.claimKey),
    provider: c.provider,
    network: c.network,
    domain_contract: c.domainContract,
    payer: c.payer,
    nonce: hexBytes(c.nonce),
    client_ref: c.clientRef,
    pay_to: c.payTo,
    amount_micro: c.amountMicro,
    valid_after: atMost(c.validAfter),
    valid_before: atMost(c.validBefore),
    payload_hash: hexBytes(c.payloadHash),
    fingerprint: hexBytes(c.fingerprint),
    phase,
    receipt_id: c.receipt.receiptId,
    tx_hash: c.txHash,
    owner: c.owner,
    owner_until_ms: c.ownerUntilMs,
    // the worker looks when the handler is over
    next_check_ms: c.ownerUntilMs,
    checks: 0,
    finality: 'none',
    created_ms: c.receipt.createdMs,
    updated_ms: c.receipt.createdMs,
  };
}

export function jobColumns(job: SettlementJobInput): Record<string, unknown> {
  const { kind, payload, notBeforeMs, deadlineMs } = job;
  return { kind, payload: hexBytes(payload), not_before_ms: notBeforeMs, deadline_ms: deadlineMs };
}

/** A transition with the phase its payment reaches (P8.28). */
export function transitionColumns(t: Transition, phase: string | null): Record<string, unknown> {
  const { set } = t;
  return {
    id: t.receiptId,
    from: t.from,
    to: t.to,
    actor: t.actor,
    reason: t.reason,
    ref: t.externalRef ?? null,
    at: t.atMs,
    window: replayWindowMs,
    tx: set.settlementTxHash ?? null,
    transfer: set.gatewayTransferId ?? null,
    batch: set.batchId ?? null,
    failure: set.failureReason ?? null,
    refund: set.refundReference ?? null,
    refunded: set.refundedMicro ?? null,
    flag: set.addFlag ?? null,
    phase,
    next: set.nextCheckMs ?? null,
    finality: set.finality ?? null,
    block: set.blockNumber ?? null,
  };
}

export function idemColumns(idem: IdemInput): Record<string, unknown> {
  const { holder, key, fingerprint, expiresMs } = idem;
  return { holder, key, fingerprint: hexBytes(fingerprint), expires_ms: expiresMs };
}

export function holdColumns(h: HoldInput): Record<string, unknown> {
  return {
    debit_id: h.debitId,
    grant_id: h.grantId,
    session_id: h.sessionId,
    amount_micro: h.amountMicro,
    hold_ms: h.holdMs,
  };
}

export function grantColumns(g: NewGrant): Record<string, unknown> {
  return {
    grant_id: g.grantId,
    program: g.program,
    wallet: g.wallet,
    account_id: g.accountId,
    budget_micro: g.budgetMicro,
    routes: g.routes,
    min_price_micro: g.minPriceMicro,
    expires_ms: g.expiresMs,
  };
}

export function keyColumns(k: Omit<ApiKeyRecord, 'revokedMs' | 'revokedBy' | 'replacedBy' | 'lastUsedMs'>) {
  return {
    key_id: k.keyId,
    salt: hexBytes(k.salt),
    secret_hash: hexBytes(k.secretHash),
    label: k.label,
    scopes: k.scopes,
    created_ms: k.createdMs,
    created_by: k.createdBy,
    expires_ms: k.expiresMs,
  };
}

export function checkoutColumns(c: Omit<CheckoutRow, 'providerSessionId' | 'state' | 'updatedMs'>) {
  return {
    checkout_id: c.checkoutId,
    provider: c.provider,
    idempotency_key: c.idempotencyKey,
    account_id: c.accountId,
    wallet: c.wallet,
    credit_micro: c.creditMicro,
    charge_minor: c.chargeMinor,
    currency: c.currency,
    state: 'creating',
    grant_id: c.grantId,
    pickup_hash: hexBytes(c.pickupHash),
    created_ms: c.createdMs,
    updated_ms: c.createdMs,
  };
}
