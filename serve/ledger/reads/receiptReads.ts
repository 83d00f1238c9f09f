import type { Ledger } from '../port/ledger.ts';
import { type ClaimedPayment, paymentRow } from '../port/payment.ts';
import { type JournalRow, journalTable, type ReceiptRow, receiptRow } from '../port/receipt.ts';
import { wholeNumber } from '../rows/columns.ts';
import { firstOf, ledgerClock, rowsBy, type Steps, statement } from '../steps/steps.ts';

/** The reads of claims and receipts. */
export const receiptStatements = {
  // a claim of its own, or the payment that answered the credential and did not fail (P2.46a)
  payment: statement(
    `SELECT p.*, NULL AS alias_hash FROM payments p WHERE p.claim_key = $1
      UNION ALL SELECT p.*, a.payload_hash FROM payment_aliases a
        JOIN receipts r ON r.claim_key = a.answered_by JOIN payments p ON p.claim_key = a.answered_by
        WHERE a.claim_key = $1 AND r.charge_status <> 'failed'`,
    { bigints: true },
  ),
  receipt: statement('SELECT * FROM receipts WHERE receipt_id = $1'),
  ofTransfer: statement('SELECT * FROM receipts WHERE gateway_transfer_id = $1'),
  // the first condition is the partial index's; CROSS JOIN keeps SQLite from starting at the payments
  undelivered: statement(`SELECT p.claim_key FROM receipts r CROSS JOIN payments p
    WHERE r.delivery_status IN ('pending','undelivered') AND r.fingerprint = $1 AND r.created_ms >= $2
      AND r.charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND p.claim_key = r.claim_key AND p.payer = $3
      AND (r.delivery_status = 'undelivered' OR p.owner_until_ms <= ledger_now($4))
    ORDER BY r.charge_status IN ('queued_for_batch','settled') DESC, p.created_ms, p.claim_key LIMIT 1`),
  journal: statement('SELECT * FROM receipt_events WHERE receipt_id = $1 ORDER BY event_id'),
  payerExposure: statement(`SELECT coalesce(sum(charged_micro), 0) AS micro FROM receipts
    WHERE charge_status = 'queued_for_batch' AND payer_identity = $1`),
  totalExposure: statement(`SELECT coalesce(sum(charged_micro), 0) AS micro FROM receipts
    WHERE charge_status = 'queued_for_batch'`),
  newestEvent: statement('SELECT coalesce(max(event_id), 0) AS n FROM receipt_events'),
  newestClaim: statement('SELECT coalesce(max(created_ms), 0) AS ms FROM payments'),
} as const;

/** The receipt of an id. */
export function* receiptOf(receiptId: string): Steps<ReceiptRow | null> {
  const row = yield* firstOf(receiptStatements.receipt, receiptId);
  return row === null ? null : receiptRow(row);
}

/** The claim of a key, or the one whose alias it is, with its receipt (I5.14 check 6, P2.46a). */
export function* claimOf(claimKey: Uint8Array): Steps<ClaimedPayment | null> {
  const row = yield* firstOf(receiptStatements.payment, claimKey);
  if (row === null) return null;
  const { alias_hash } = row;
  const payment = paymentRow(alias_hash === null ? row : { ...row, payload_hash: alias_hash });
  const receipt = yield* receiptOf(payment.receiptId);
  return receipt === null ? null : { payment, receipt };
}

/** The receipt a gateway's transfer belongs to (P3.9). */
export function* receiptOfTransfer(gatewayTransferId: string): Steps<ReceiptRow | null> {
  const row = yield* firstOf(receiptStatements.ofTransfer, gatewayTransferId);
  return row === null ? null : receiptRow(row);
}

/** The double-payment guard's lookup (P2.46). */
export function* undeliveredClaim(
  asked: Parameters<Ledger['findUndelivered']>[0],
): Steps<ClaimedPayment | null> {
  const { fingerprint, sinceMs, payer } = asked;
  const row = yield* firstOf(receiptStatements.undelivered, fingerprint, sinceMs, payer, ledgerClock);
  return row === null ? null : yield* claimOf(row['claim_key'] as Uint8Array);
}

/** The journal of a receipt, oldest first (I3.5). */
export function journalOf(receiptId: string): Steps<readonly JournalRow[]> {
  return rowsBy(journalTable, receiptStatements.journal, receiptId);
}

/** Micro-USD queued at the gateway: one payer's, or everybody's without one (P3.11). */
export function* queuedMicro(payerIdentity: string | null): Steps<number> {
  const { payerExposure, totalExposure } = receiptStatements;
  const row = yield* payerIdentity === null ? firstOf(totalExposure) : firstOf(payerExposure, payerIdentity);
  return wholeNumber(row?.['micro']);
}

/** Number of the newest journal row, 0 for none. */
export function* newestEvent(): Steps<number> {
  return wholeNumber((yield* firstOf(receiptStatements.newestEvent))?.['n']);
}

/** When the newest claim was made, 0 for none. */
export function* newestClaimMs(): Steps<number> {
  return wholeNumber((yield* firstOf(receiptStatements.newestClaim))?.['ms']);
}
