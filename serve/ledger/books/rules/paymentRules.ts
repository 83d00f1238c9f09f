import { statement } from '../../steps/statement.ts';
import type { BookRule } from '../bookRule.ts';

/** What binds claims, settlement jobs and receipts together (P8.21, P8.28). */
export const paymentRules: readonly BookRule[] = [
  {
    rule: 'claim_has_its_receipt',
    breaches: statement(`SELECT p.receipt_id AS subject, p.provider AS detail FROM payments p
      LEFT JOIN receipts r ON r.receipt_id = p.receipt_id AND r.claim_key = p.claim_key
      WHERE r.receipt_id IS NULL`),
  },
  {
    rule: 'payment_matches_receipt',
    breaches: statement(`SELECT r.receipt_id AS subject, p.provider AS detail FROM receipts r
      JOIN payments p ON p.claim_key = r.claim_key
      WHERE p.amount_micro <> r.quoted_micro OR p.fingerprint <> r.fingerprint OR r.settlement_mode <>
        CASE p.provider WHEN 'x402_exact' THEN 'x402_direct' WHEN 'mpp' THEN 'mpp' ELSE 'gateway_batched' END`),
  },
  {
    rule: 'phase_matches_status',
    breaches: statement(`SELECT r.receipt_id AS subject, p.phase AS detail FROM receipts r
      JOIN payments p ON p.claim_key = r.claim_key
      WHERE (r.charge_status IN ('settled','queued_for_batch','refunded','disputed') AND p.phase <> 'accepted')
        OR (r.charge_status = 'failed' AND p.phase <> 'refused')
        OR (r.charge_status IN ('authorized','submitted') AND p.phase IN ('accepted','refused'))`),
  },
  {
    rule: 'job_has_open_or_ended_claim',
    breaches: statement(`SELECT p.receipt_id AS subject, j.state AS detail FROM settlement_jobs j
      JOIN payments p ON p.claim_key = j.claim_key JOIN receipts r ON r.receipt_id = p.receipt_id
      WHERE (j.outcome = 'settled' AND r.charge_status NOT IN ('settled','refunded','disputed'))
        OR (j.outcome = 'refused' AND r.charge_status <> 'failed')`),
  },
];
