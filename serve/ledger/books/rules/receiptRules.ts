import { statusFitsMode } from '../../schema/transitionTable.ts';
import { statement } from '../../steps/statement.ts';
import type { BookRule } from '../bookRule.ts';

/** What a receipt says of itself (P8.25, I3.10, I5.33). */
export const receiptRules: readonly BookRule[] = [
  {
    rule: 'reconciliation_key_unique',
    breaches: statement(`SELECT reconciliation_key AS subject, count(*) AS detail FROM receipts
      GROUP BY reconciliation_key HAVING count(*) > 1`),
  },
  {
    rule: 'mode_allows_status',
    breaches:
      statement(`SELECT receipt_id AS subject, settlement_mode || ' ' || charge_status AS detail FROM receipts
      WHERE NOT ${statusFitsMode}`),
  },
  {
    rule: 'charged_equals_quoted',
    breaches:
      statement(`SELECT receipt_id AS subject, charge_status AS detail FROM receipts WHERE charged_micro <>
      CASE WHEN charge_status IN ('settled','queued_for_batch','disputed','refunded') THEN quoted_micro ELSE 0 END`),
  },
  {
    rule: 'refund_within_charge',
    breaches: statement(`SELECT receipt_id AS subject, charge_status AS detail FROM receipts
      WHERE refunded_micro > charged_micro OR (refunded_micro > 0) <> (charge_status = 'refunded')`),
  },
  {
    // the transfer of what was taken, the reason of what was not, the reference of what went back
    rule: 'status_has_its_reference',
    breaches: statement(`SELECT receipt_id AS subject, charge_status AS detail FROM receipts
      WHERE (charge_status IN ('settled','refunded','disputed') AND settlement_mode <> 'gateway_batched'
          AND settlement_tx_hash IS NULL)
        OR (charge_status IN ('queued_for_batch','settled','refunded','disputed')
          AND settlement_mode = 'gateway_batched' AND gateway_transfer_id IS NULL)
        OR (charge_status = 'failed' AND failure_reason IS NULL)
        OR (charge_status = 'refunded' AND refund_reference IS NULL)
        OR (charge_status IN ('settled','refunded','disputed')) <> (settled_ms IS NOT NULL)`),
  },
  {
    // a facilitator may carry several exact transfers in one transaction: those are distinguished on chain (P8.55)
    rule: 'transfer_has_one_receipt',
    breaches: statement(`SELECT gateway_transfer_id AS subject, count(*) AS detail FROM receipts
        WHERE gateway_transfer_id IS NOT NULL GROUP BY gateway_transfer_id HAVING count(*) > 1
      UNION ALL SELECT settlement_tx_hash, count(*) FROM receipts
        WHERE settlement_mode = 'mpp' AND settlement_tx_hash IS NOT NULL
        GROUP BY settlement_tx_hash HAVING count(*) > 1
      UNION ALL SELECT tx_hash, count(*) FROM payments
        WHERE provider = 'mpp' AND tx_hash IS NOT NULL GROUP BY tx_hash HAVING count(*) > 1`),
  },
  {
    // a payment, a grant's debit, a key or the shadow: one of them and no other
    rule: 'receipt_has_one_cause',
    breaches: statement(`SELECT r.receipt_id AS subject, r.settlement_mode AS detail FROM receipts r
      LEFT JOIN payments p ON p.claim_key = r.claim_key AND p.receipt_id = r.receipt_id
      LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id AND d.grant_id = r.grant_id
      LEFT JOIN api_keys k ON k.key_id = r.api_key_id
      WHERE (CASE WHEN p.receipt_id IS NULL THEN 0 ELSE 1 END) + (CASE WHEN d.receipt_id IS NULL THEN 0 ELSE 1 END)
        + (CASE WHEN k.key_id IS NULL THEN 0 ELSE 1 END)
        <> CASE WHEN r.settlement_mode = 'shadow_unsettled' THEN 0 ELSE 1 END`),
  },
  {
    // column payer_identity of I5.46; on MPP it is the credential's own word or nothing
    rule: 'payer_is_the_cause',
    breaches: statement(`SELECT r.receipt_id AS subject, r.settlement_mode AS detail FROM receipts r
      LEFT JOIN payments p ON p.claim_key = r.claim_key
      WHERE r.settlement_mode IN ('x402_direct','gateway_batched','grant_covered','api_key_not_charged')
        AND coalesce(r.payer_identity, '') <> CASE r.settlement_mode WHEN 'grant_covered' THEN 'grant:' || r.grant_id
          WHEN 'api_key_not_charged' THEN 'apikey:' || r.api_key_id ELSE p.network || ':' || p.payer END`),
  },
  {
    rule: 'idempotency_key_has_its_receipt',
    breaches: statement(`SELECT i.receipt_id AS subject, i.holder AS detail FROM idempotency_keys i
      LEFT JOIN receipts r ON r.receipt_id = i.receipt_id
      WHERE r.receipt_id IS NULL`),
  },
];
