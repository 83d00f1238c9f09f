import { statement } from '../steps/statement.ts';

/** The rows of the reconciliation export from `$1` up to, not including, `$2`, in epoch milliseconds (P8.60). */
export const exportRows = statement(`SELECT r.*, p.provider, p.network, p.domain_contract, g.program,
    d.amount_micro AS debit_micro, d.state AS debit_state
  FROM receipts r LEFT JOIN payments p ON p.claim_key = r.claim_key
    LEFT JOIN grants g ON g.grant_id = r.grant_id LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
  WHERE r.created_ms >= $1 AND r.created_ms < $2 ORDER BY r.created_ms, r.receipt_id`);
