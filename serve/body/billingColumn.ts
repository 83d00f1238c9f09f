import type { BillingEnvelope, settlementModes } from '../../data/contract/billing/billingEnvelope.ts';
import { type GrantTerms, grantMembers } from './grantMembers.ts';

/** The paid columns of I5.46, named by the settlement mode of the receipt. */
export type BillingColumn = (typeof settlementModes)[number];

type Members = Omit<
  BillingEnvelope,
  | 'billing_contract_version'
  | 'request_id'
  | 'route_uri'
  | 'billing'
  | 'usage_metadata'
  | 'settlement_receipt'
  | 'response_metadata'
>;

const modes = {
  x402_direct: { billing_mode: 'x402', billing_status: 'charged', payment_status: 'settled' },
  gateway_batched: { billing_mode: 'x402', billing_status: 'charged', payment_status: 'queued' },
  mpp: { billing_mode: 'mpp', billing_status: 'charged', payment_status: 'mpp_credential' },
  grant_covered: {
    billing_mode: 'identity_credit',
    billing_status: 'not_charged',
    payment_status: 'grant_applied',
  },
  api_key_not_charged: {
    billing_mode: 'api_key_not_charged',
    billing_status: 'not_charged',
    payment_status: 'api_key_bypass',
  },
  shadow_unsettled: {
    billing_mode: 'x402',
    billing_status: 'not_charged',
    payment_status: 'not_applicable',
  },
} as const satisfies Record<BillingColumn, Partial<Members>>;

/** Values of one column of I5.46; a queued payment reads `settled` once it is (I5.26). */
export function billingColumn(
  column: BillingColumn,
  {
    chargeStatus,
    quotedMicro,
    grant,
  }: { readonly chargeStatus: string; readonly quotedMicro: number; readonly grant: GrantTerms | null },
): Members {
  const mode = modes[column];
  const settledLater = column === 'gateway_batched' && chargeStatus === 'settled';
  const quoted = quotedMicro / 1e6;
  const cost = mode.billing_status === 'charged' ? quoted : 0;
  return {
    billing_mode: mode.billing_mode,
    billing_status: mode.billing_status,
    payment_status: settledLater ? 'settled' : mode.payment_status,
    cost_usd: cost,
    actual_cost_usd: cost,
    quoted_cost_usd: quoted,
    credits_charged: cost === 0 ? 0 : quotedMicro / 10_000,
    ...grantMembers(grant),
  };
}
