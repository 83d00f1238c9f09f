import type { ExportRow } from './port/books.ts';
import type { CheckoutRow, CheckoutState } from './port/checkout.ts';
import type {
  DebitRow,
  DebitState,
  GrantProgram,
  GrantRow,
  GrantSession,
  GrantStatus,
} from './port/grant.ts';
import type { JobOutcome, JobRow, JobState } from './port/job.ts';
import type { Finality, PaymentPhase, PaymentRow, Provider } from './port/payment.ts';
import type { ChargeStatus, Delivery, JournalRow, ReceiptRow, SettlementMode } from './port/receipt.ts';

// database rows of both adapters as the port shows them; the tables' own constraints vouch for the words

/** A row as a driver hands it over: SQLite gives numbers, bigints and JSON texts, PostgreSQL texts and objects. */
export type RawRow = Readonly<Record<string, unknown>>;

/**
 * A whole number of a column that stays below 2^53 (P8.15).
 *
 * @throws RangeError when it does not.
 */
export function wholeNumber(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`the ledger holds ${String(value)} where a whole number below 2^53 belongs`);
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : wholeNumber(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : text(value);
}

function bytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) {
    // a Buffer is shown as what it is, plain bytes
    return Buffer.isBuffer(value) ? new Uint8Array(value.buffer, value.byteOffset, value.length) : value;
  }
  throw new TypeError('the ledger holds something else where bytes belong');
}

function bytesOrNull(value: unknown): Uint8Array | null {
  return value === null || value === undefined ? null : bytes(value);
}

function strings(value: unknown): readonly string[] {
  return (typeof value === 'string' ? JSON.parse(value) : value) as string[];
}

/** A row of `receipts`. */
export function receiptRow(row: RawRow): ReceiptRow {
  return {
    receiptId: text(row['receipt_id']),
    reconciliationKey: text(row['reconciliation_key']),
    responseId: text(row['response_id']),
    requestId: text(row['request_id']),
    routeId: text(row['route_id']),
    routeUri: text(row['route_uri']),
    fingerprint: bytes(row['fingerprint']),
    settlementMode: row['settlement_mode'] as SettlementMode,
    chargeStatus: row['charge_status'] as ChargeStatus,
    quotedMicro: wholeNumber(row['quoted_micro']),
    chargedMicro: wholeNumber(row['charged_micro']),
    payerIdentity: textOrNull(row['payer_identity']),
    claimKey: bytesOrNull(row['claim_key']),
    grantId: textOrNull(row['grant_id']),
    apiKeyId: textOrNull(row['api_key_id']),
    tool: textOrNull(row['tool']),
    artifactKey: text(row['artifact_key']),
    artifactVersion: text(row['artifact_version']),
    sourceDate: textOrNull(row['source_date']),
    settlementTxHash: textOrNull(row['settlement_tx_hash']),
    gatewayTransferId: textOrNull(row['gateway_transfer_id']),
    batchId: textOrNull(row['batch_id']),
    refundReference: textOrNull(row['refund_reference']),
    refundedMicro: wholeNumber(row['refunded_micro']),
    failureReason: textOrNull(row['failure_reason']),
    settledMs: numberOrNull(row['settled_ms']),
    handoffMs: numberOrNull(row['handoff_ms']),
    delivery: row['delivery_status'] as Delivery | 'pending',
    replayUntilMs: numberOrNull(row['replay_until_ms']),
    replayCount: wholeNumber(row['replay_count']),
    qualityFlags: strings(row['quality_flags']),
    actor: text(row['actor']),
    reason: text(row['reason']),
    externalRef: textOrNull(row['external_ref']),
    createdMs: wholeNumber(row['created_ms']),
    updatedMs: wholeNumber(row['updated_ms']),
  };
}

/** A row of `payments`. */
export function paymentRow(row: RawRow): PaymentRow {
  return {
    claimKey: bytes(row['claim_key']),
    provider: row['provider'] as Provider,
    network: text(row['network']),
    domainContract: text(row['domain_contract']),
    payer: text(row['payer']),
    nonce: bytes(row['nonce']),
    clientRef: textOrNull(row['client_ref']),
    payTo: text(row['pay_to']),
    amountMicro: wholeNumber(row['amount_micro']),
    validAfter: BigInt(row['valid_after'] as bigint | string),
    validBefore: BigInt(row['valid_before'] as bigint | string),
    payloadHash: bytes(row['payload_hash']),
    fingerprint: bytes(row['fingerprint']),
    phase: row['phase'] as PaymentPhase,
    receiptId: text(row['receipt_id']),
    txHash: textOrNull(row['tx_hash']),
    refusal: textOrNull(row['refusal']),
    owner: text(row['owner']),
    ownerUntilMs: wholeNumber(row['owner_until_ms']),
    nextCheckMs: numberOrNull(row['next_check_ms']),
    checks: wholeNumber(row['checks']),
    finality: row['finality'] as Finality,
    blockNumber: numberOrNull(row['block_number']),
    createdMs: wholeNumber(row['created_ms']),
    updatedMs: wholeNumber(row['updated_ms']),
  };
}

/** A row of `receipt_events`. */
export function journalRow(row: RawRow): JournalRow {
  return {
    from: row['from_status'] as ChargeStatus | '',
    to: row['to_status'] as ChargeStatus,
    actor: text(row['actor']),
    reason: text(row['reason']),
    externalRef: textOrNull(row['external_ref']),
    atMs: wholeNumber(row['at_ms']),
  };
}

/** A row of `grants`. */
export function grantRow(row: RawRow): GrantRow {
  return {
    grantId: text(row['grant_id']),
    program: row['program'] as GrantProgram,
    wallet: textOrNull(row['wallet']),
    accountId: textOrNull(row['account_id']),
    status: row['status'] as GrantStatus,
    budgetMicro: wholeNumber(row['budget_micro']),
    spentMicro: wholeNumber(row['spent_micro']),
    heldMicro: wholeNumber(row['held_micro']),
    routes: strings(row['routes']),
    minPriceMicro: wholeNumber(row['min_price_micro']),
    issuedMs: wholeNumber(row['issued_ms']),
    expiresMs: wholeNumber(row['expires_ms']),
    updatedMs: wholeNumber(row['updated_ms']),
  };
}

/** A row of `grant_sessions`. */
export function sessionRow(row: RawRow): GrantSession {
  return {
    sessionId: text(row['session_id']),
    grantId: text(row['grant_id']),
    wallet: textOrNull(row['wallet']),
    accountId: textOrNull(row['account_id']),
    issuedMs: wholeNumber(row['issued_ms']),
    expiresMs: wholeNumber(row['expires_ms']),
    revokedMs: numberOrNull(row['revoked_ms']),
  };
}

/** A row of `grant_debits` with the reconciliation key of its receipt. */
export function debitRow(row: RawRow): DebitRow {
  return {
    debitId: text(row['debit_id']),
    grantId: text(row['grant_id']),
    sessionId: text(row['session_id']),
    receiptId: text(row['receipt_id']),
    reconciliationKey: text(row['reconciliation_key']),
    routeId: text(row['route_id']),
    amountMicro: wholeNumber(row['amount_micro']),
    state: row['state'] as DebitState,
    createdMs: wholeNumber(row['created_ms']),
    updatedMs: wholeNumber(row['updated_ms']),
  };
}

/** A row of `settlement_jobs`. */
export function jobRow(row: RawRow): JobRow {
  const json = row['outcome_json'];
  return {
    jobId: wholeNumber(row['job_id']),
    claimKey: bytes(row['claim_key']),
    kind: row['kind'] as JobRow['kind'],
    payload: bytesOrNull(row['payload']),
    state: row['state'] as JobState,
    leaseOwner: textOrNull(row['lease_owner']),
    leaseUntilMs: numberOrNull(row['lease_until_ms']),
    attempts: wholeNumber(row['attempts']),
    notBeforeMs: wholeNumber(row['not_before_ms']),
    deadlineMs: wholeNumber(row['deadline_ms']),
    signer: textOrNull(row['signer']),
    accountNonce: numberOrNull(row['account_nonce']),
    rawTx: bytesOrNull(row['raw_tx']),
    txHash: textOrNull(row['tx_hash']),
    outcome: row['outcome'] as JobOutcome | null,
    outcomeJson: json !== null && typeof json === 'object' ? JSON.stringify(json) : textOrNull(json),
    lastError: textOrNull(row['last_error']),
  };
}

/** A row of `checkout_sessions`. */
export function checkoutRow(row: RawRow): CheckoutRow {
  return {
    checkoutId: text(row['checkout_id']),
    provider: text(row['provider']),
    providerSessionId: textOrNull(row['provider_session_id']),
    idempotencyKey: text(row['idempotency_key']),
    accountId: text(row['account_id']),
    wallet: textOrNull(row['wallet']),
    creditMicro: wholeNumber(row['credit_micro']),
    chargeMinor: wholeNumber(row['charge_minor']),
    currency: text(row['currency']),
    state: row['state'] as CheckoutState,
    grantId: textOrNull(row['grant_id']),
    pickupHash: bytes(row['pickup_hash']),
    createdMs: wholeNumber(row['created_ms']),
    updatedMs: wholeNumber(row['updated_ms']),
  };
}

/** A receipt joined with its payment, grant and debit (P8.60). */
export function exportRow(row: RawRow): ExportRow {
  const receipt = receiptRow(row);
  const { claimKey } = receipt;
  const debited = row['debit_state'] === 'debited';
  return {
    reconciliationKey: receipt.reconciliationKey,
    receiptId: receipt.receiptId,
    requestId: receipt.requestId,
    responseId: receipt.responseId,
    createdMs: receipt.createdMs,
    updatedMs: receipt.updatedMs,
    settledMs: receipt.settledMs,
    routeUri: receipt.routeUri,
    tool: receipt.tool,
    sourceDate: receipt.sourceDate,
    artifactVersion: receipt.artifactVersion,
    settlementMode: receipt.settlementMode,
    chargeStatus: receipt.chargeStatus,
    provider: (row['provider'] ?? null) as Provider | null,
    network: textOrNull(row['network']),
    domainContract: textOrNull(row['domain_contract']),
    quotedMicro: receipt.quotedMicro,
    chargedMicro: receipt.chargedMicro,
    refundedMicro: receipt.refundedMicro,
    grantId: receipt.grantId,
    grantProgram: textOrNull(row['program']),
    grantDebitMicro: debited ? wholeNumber(row['debit_micro']) : 0,
    payerIdentity: receipt.payerIdentity,
    authorizationHash: claimKey === null ? null : Buffer.from(claimKey).toString('hex'),
    gatewayTransferId: receipt.gatewayTransferId,
    batchId: receipt.batchId,
    settlementTxHash: receipt.settlementTxHash,
    refundReference: receipt.refundReference,
    failureReason: receipt.failureReason,
    delivery: receipt.delivery,
    replayCount: receipt.replayCount,
    apiKeyId: receipt.apiKeyId,
    qualityFlags: receipt.qualityFlags,
  };
}
