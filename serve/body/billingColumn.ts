import type { BillingEnvelope, settlementModes } from '../../data/contract/billing/billingEnvelope.ts';
import { instant } from '../../data/contract/values/instant.ts';

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

/** A grant as an answer shows it, after this debit (I5.46, P7.15). */
export type GrantTerms = {
  readonly grantId: string;
  readonly program: string;
  readonly status: 'active' | 'exhausted';
  readonly budgetMicro: number;
  readonly remainingMicro: number;
  readonly debitMicro: number;
  readonly expiresMs: number;
  readonly expiresInSeconds: number;
};

const runwayFields = ['grant_budget_usd', 'grant_remaining_usd', 'grant_expires_at'];

/** What an answer says of the grant behind it; without one, that there is none (I5.46). */
export function grantMembers(grant: GrantTerms | null) {
  return {
    grant_id: grant?.grantId ?? null,
    grant_program: grant?.program ?? null,
    grant_status: grant?.status ?? 'not_applicable',
    grant_source: grant === null ? 'none' : 'budget_grant',
    grant_budget_usd: grant === null ? null : grant.budgetMicro / 1e6,
    grant_remaining_usd: grant === null ? null : grant.remainingMicro / 1e6,
    grant_debit_usd: (grant?.debitMicro ?? 0) / 1e6,
    grant_expires_at: grant === null ? null : instant(grant.expiresMs),
    grant_expires_in_seconds: grant?.expiresInSeconds ?? null,
    grant_debit_policy: 'route_declared_price',
    grant_cache_treatment: 'fresh_and_cached_charge_same_route_quote',
    grant_limit_type: grant === null ? null : 'budget_usd',
    grant_limit_unit: grant === null ? null : 'usd',
    grant_runway_authoritative_fields: grant === null ? [] : runwayFields,
  } as const;
}
