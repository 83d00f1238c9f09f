import { instant } from '../../data/contract/values/instant.ts';
import { billingColumn } from '../body/billingColumn.ts';
import type { EnvelopeCall } from '../body/envelope.ts';

/** What a call that was paid or covered cost; what its mode or its receipt says of every such call is omitted (I4.MCP.34). */
export function soldBilling({ receipt, replayed, requestId }: EnvelopeCall): object {
  const { settlementMode, chargeStatus, quotedMicro, settlement } = receipt;
  const grant = settlement?.grant ?? null;
  const column = billingColumn(settlementMode, { chargeStatus, quotedMicro, grant });
  const hash = settlement?.settlementTxHash ?? null;
  return {
    billing_mode: column.billing_mode,
    billing_status: column.billing_status,
    cost_usd: column.cost_usd,
    quoted_cost_usd: column.quoted_cost_usd,
    charge_status: chargeStatus,
    receipt_id: receipt.receiptId,
    reconciliation_key: receipt.reconciliationKey,
    request_id: requestId,
    ...(hash === null ? {} : { settlement_tx_hash: hash }),
    ...(replayed ? { replayed } : {}),
    ...(grant === null
      ? {}
      : {
          grant_id: grant.grantId,
          grant_debit_usd: grant.debitMicro / 1e6,
          grant_remaining_usd: grant.remainingMicro / 1e6,
          grant_expires_at: instant(grant.expiresMs),
        }),
  };
}

/** The same of a call that costs nothing (I5.46, column discovery). */
export function freeBilling(requestId: string): object {
  return {
    billing_mode: 'public_discovery',
    billing_status: 'discovery_only',
    cost_usd: 0,
    request_id: requestId,
  };
}
