import type { CheckoutRow, CheckoutState } from '../port/checkout.ts';
import type {
  ChallengeRow,
  DebitRow,
  DebitState,
  GrantEvent,
  GrantProgram,
  GrantRow,
  GrantSession,
  GrantStatus,
} from '../port/grant.ts';
import type { JobOutcome, JobRow, JobState } from '../port/job.ts';
import type { ApiKeyRecord, KeyScope } from '../port/key.ts';
import type {
  Finality,
  PaymentPhase,
  PaymentRow,
  Provider,
  SettlementJobInput,
  WatchEntry,
} from '../port/payment.ts';
import type { ChargeStatus, Delivery, JournalRow, ReceiptRow, SettlementMode } from '../port/receipt.ts';
import {
  bytes,
  type Columns,
  chainSeconds,
  integer,
  jsonText,
  optional,
  type RawRow,
  rowReader,
  text,
  words,
} from './columns.ts';

// the column table of the ledger: what the port names a column, and how both databases keep it

export const receiptTable = {
  receiptId: text('receipt_id'),
  reconciliationKey: text('reconciliation_key'),
  responseId: text('response_id'),
  requestId: text('request_id'),
  routeId: text('route_id'),
  routeUri: text('route_uri'),
  fingerprint: bytes('fingerprint'),
  settlementMode: text<SettlementMode>('settlement_mode'),
  chargeStatus: text<ChargeStatus>('charge_status'),
  quotedMicro: integer('quoted_micro'),
  chargedMicro: integer('charged_micro'),
  payerIdentity: optional(text('payer_identity')),
  claimKey: optional(bytes('claim_key')),
  grantId: optional(text('grant_id')),
  apiKeyId: optional(text('api_key_id')),
  tool: optional(text('tool')),
  artifactKey: text('artifact_key'),
  artifactVersion: text('artifact_version'),
  sourceDate: optional(text('source_date')),
  settlementTxHash: optional(text('settlement_tx_hash')),
  gatewayTransferId: optional(text('gateway_transfer_id')),
  batchId: optional(text('batch_id')),
  refundReference: optional(text('refund_reference')),
  refundedMicro: integer('refunded_micro'),
  failureReason: optional(text('failure_reason')),
  settledMs: optional(integer('settled_ms')),
  handoffMs: optional(integer('handoff_ms')),
  delivery: text<Delivery | 'pending'>('delivery_status'),
  replayUntilMs: optional(integer('replay_until_ms')),
  replayCount: integer('replay_count'),
  qualityFlags: words('quality_flags'),
  actor: text('actor'),
  reason: text('reason'),
  externalRef: optional(text('external_ref')),
  createdMs: integer('created_ms'),
  updatedMs: integer('updated_ms'),
} as const;

export const paymentTable = {
  claimKey: bytes('claim_key'),
  provider: text<Provider>('provider'),
  network: text('network'),
  domainContract: text('domain_contract'),
  payer: text('payer'),
  nonce: bytes('nonce'),
  clientRef: optional(text('client_ref')),
  payTo: text('pay_to'),
  amountMicro: integer('amount_micro'),
  validAfter: chainSeconds('valid_after'),
  validBefore: chainSeconds('valid_before'),
  payloadHash: bytes('payload_hash'),
  fingerprint: bytes('fingerprint'),
  phase: text<PaymentPhase>('phase'),
  receiptId: text('receipt_id'),
  txHash: optional(text('tx_hash')),
  refusal: optional(text('refusal')),
  owner: text('owner'),
  ownerUntilMs: integer('owner_until_ms'),
  nextCheckMs: optional(integer('next_check_ms')),
  checks: integer('checks'),
  finality: text<Finality>('finality'),
  blockNumber: optional(integer('block_number')),
  createdMs: integer('created_ms'),
  updatedMs: integer('updated_ms'),
} as const;

/** `receipt_events` without its number and receipt. */
const journalTable = {
  from: text<ChargeStatus | ''>('from_status'),
  to: text<ChargeStatus>('to_status'),
  actor: text('actor'),
  reason: text('reason'),
  externalRef: optional(text('external_ref')),
  atMs: integer('at_ms'),
} as const;

/** `grants` without the note. */
const grantTable = {
  grantId: text('grant_id'),
  program: text<GrantProgram>('program'),
  wallet: optional(text('wallet')),
  accountId: optional(text('account_id')),
  status: text<GrantStatus>('status'),
  budgetMicro: integer('budget_micro'),
  spentMicro: integer('spent_micro'),
  heldMicro: integer('held_micro'),
  routes: words('routes'),
  minPriceMicro: integer('min_price_micro'),
  issuedMs: integer('issued_ms'),
  expiresMs: integer('expires_ms'),
  updatedMs: integer('updated_ms'),
} as const;

/** `grant_events` without its number and grant. */
const grantEventTable = {
  kind: text('kind'),
  detail: text('detail'),
  actor: text('actor'),
  atMs: integer('at_ms'),
} as const;

const sessionTable = {
  sessionId: text('session_id'),
  grantId: text('grant_id'),
  wallet: optional(text('wallet')),
  accountId: optional(text('account_id')),
  issuedMs: integer('issued_ms'),
  expiresMs: integer('expires_ms'),
  revokedMs: optional(integer('revoked_ms')),
} as const;

/** `grant_debits` without what only the ledger uses. */
const debitTable = {
  debitId: text('debit_id'),
  grantId: text('grant_id'),
  sessionId: text('session_id'),
  receiptId: text('receipt_id'),
  routeId: text('route_id'),
  amountMicro: integer('amount_micro'),
  state: text<DebitState>('state'),
  createdMs: integer('created_ms'),
  updatedMs: integer('updated_ms'),
} as const;

/** `challenges` without what became of them. */
const challengeTable = {
  nonce: text('nonce'),
  wallet: text('wallet'),
  message: text('message'),
  issuedMs: integer('issued_ms'),
  expiresMs: integer('expires_ms'),
} as const;

const jobTable = {
  jobId: integer('job_id'),
  claimKey: bytes('claim_key'),
  kind: text<SettlementJobInput['kind']>('kind'),
  payload: optional(bytes('payload')),
  state: text<JobState>('state'),
  leaseOwner: optional(text('lease_owner')),
  leaseUntilMs: optional(integer('lease_until_ms')),
  attempts: integer('attempts'),
  notBeforeMs: integer('not_before_ms'),
  deadlineMs: integer('deadline_ms'),
  signer: optional(text('signer')),
  accountNonce: optional(integer('account_nonce')),
  rawTx: optional(bytes('raw_tx')),
  txHash: optional(text('tx_hash')),
  outcome: optional(text<JobOutcome>('outcome')),
  outcomeJson: optional(jsonText('outcome_json')),
  lastError: optional(text('last_error')),
} as const;

const checkoutTable = {
  checkoutId: text('checkout_id'),
  provider: text('provider'),
  providerSessionId: optional(text('provider_session_id')),
  idempotencyKey: text('idempotency_key'),
  accountId: text('account_id'),
  wallet: optional(text('wallet')),
  creditMicro: integer('credit_micro'),
  chargeMinor: integer('charge_minor'),
  currency: text('currency'),
  state: text<CheckoutState>('state'),
  grantId: optional(text('grant_id')),
  pickupHash: bytes('pickup_hash'),
  createdMs: integer('created_ms'),
  updatedMs: integer('updated_ms'),
} as const;

const keyTable = {
  keyId: text('key_id'),
  salt: bytes('salt'),
  secretHash: bytes('secret_hash'),
  label: text('label'),
  scopes: words<KeyScope>('scopes'),
  createdMs: integer('created_ms'),
  createdBy: text('created_by'),
  expiresMs: optional(integer('expires_ms')),
  revokedMs: optional(integer('revoked_ms')),
  revokedBy: optional(text('revoked_by')),
  replacedBy: optional(text('replaced_by')),
  lastUsedMs: optional(integer('last_used_ms')),
} as const;

/** `payer_watchlist` without when and by whom an entry was cleared. */
const watchTable = {
  payer: text('payer'),
  provider: text<Provider>('provider'),
  reason: text('reason'),
  receiptId: optional(text('receipt_id')),
  addedMs: integer('added_ms'),
} as const;

/** The column table by the name of each table in both databases. */
export const tables: Readonly<Record<string, Columns>> = {
  receipts: receiptTable,
  payments: paymentTable,
  receipt_events: journalTable,
  grants: grantTable,
  grant_events: grantEventTable,
  grant_sessions: sessionTable,
  grant_debits: debitTable,
  challenges: challengeTable,
  settlement_jobs: jobTable,
  checkout_sessions: checkoutTable,
  api_keys: keyTable,
  payer_watchlist: watchTable,
};

// database rows of both adapters as the port shows them

export const receiptRow: (row: RawRow) => ReceiptRow = rowReader(receiptTable);
export const paymentRow: (row: RawRow) => PaymentRow = rowReader(paymentTable);
export const journalRow: (row: RawRow) => JournalRow = rowReader(journalTable);
export const grantRow: (row: RawRow) => GrantRow = rowReader(grantTable);
export const grantEventRow: (row: RawRow) => GrantEvent = rowReader(grantEventTable);
export const sessionRow: (row: RawRow) => GrantSession = rowReader(sessionTable);
export const challengeRow: (row: RawRow) => ChallengeRow = rowReader(challengeTable);
export const jobRow: (row: RawRow) => JobRow = rowReader(jobTable);
export const checkoutRow: (row: RawRow) => CheckoutRow = rowReader(checkoutTable);
export const keyRecord: (row: RawRow) => ApiKeyRecord = rowReader(keyTable);
export const watchRow: (row: RawRow) => WatchEntry = rowReader(watchTable);

const debit = rowReader(debitTable);

/** A row of `grant_debits` with the reconciliation key of its receipt. */
export function debitRow(row: RawRow): DebitRow {
  return { ...debit(row), reconciliationKey: String(row['reconciliation_key']) };
}
