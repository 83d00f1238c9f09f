import { z } from 'zod';
import { count, date, datetime, int, sha256, usd } from '../values/primitives.ts';

// The envelope of a paid JSON object (I5.44–I5.50). Every member is always present.

export const billingModes = [
  'x402',
  'mpp',
  'api_key_not_charged',
  'identity_credit',
  'public_discovery',
] as const;
export const billingStatuses = ['charged', 'not_charged', 'discovery_only'] as const;
export const paymentStatuses = [
  'settled',
  'queued',
  'grant_applied',
  'api_key_bypass',
  'mpp_credential',
  'not_applicable',
] as const;
export const settlementModes = [
  'api_key_not_charged',
  'grant_covered',
  'x402_direct',
  'mpp',
  'gateway_batched',
  'shadow_unsettled',
] as const;
export const chargeStatuses = [
  'not_charged',
  'authorized',
  'queued_for_batch',
  'submitted',
  'settled',
  'failed',
  'refunded',
  'disputed',
] as const;
export const providers = ['x402_exact', 'gateway_batched', 'mpp'] as const;
export const grantStatuses = [
  'active',
  'exhausted',
  'expired',
  'revoked',
  'suspended',
  'not_applicable',
] as const;

const billingMembers = {
  billing_contract_version: z.literal('billing-v1'),
  request_id: z.string(),
  route_uri: z.string(),
  billing_mode: z.enum(billingModes),
  billing_status: z.enum(billingStatuses),
  payment_status: z.enum(paymentStatuses),
  cost_usd: usd,
  actual_cost_usd: usd,
  quoted_cost_usd: usd,
  credits_charged: count,
  grant_id: z.string().nullable(),
  grant_program: z.string().nullable(),
  grant_status: z.enum(grantStatuses),
  grant_source: z.enum(['budget_grant', 'legacy_identity_credit', 'none']),
  grant_budget_usd: usd.nullable(),
  grant_remaining_usd: usd.nullable(),
  grant_debit_usd: usd,
  grant_expires_at: datetime.nullable(),
  grant_expires_in_seconds: count.nullable(),
  grant_debit_policy: z.literal('route_declared_price'),
  grant_cache_treatment: z.literal('fresh_and_cached_charge_same_route_quote'),
  grant_limit_type: z.enum(['request_count', 'budget_usd', 'compatibility_credit_equivalent']).nullable(),
  grant_limit_unit: z.enum(['requests', 'usd', 'usd_cents_equivalent']).nullable(),
  grant_runway_authoritative_fields: z.array(z.string()),
};

/** The billing members by themselves, as the envelope repeats them in `billing.request`. */
export const billingRequest = z.object(billingMembers);

/** Per-call receipt (I5.48). */
export const settlementReceipt = z.object({
  schema_id: z.literal('settlement_receipt.v1'),
  receipt_id: z.string().regex(/^rcpt_[0-9A-HJKMNP-TV-Z]{26}$/),
  request_id: z.string(),
  response_id: z.string().regex(/^resp_[0-9A-HJKMNP-TV-Z]{26}$/),
  route_uri: z.string(),
  quoted_cost_usd: usd,
  charged_amount_usdc: z.string().regex(/^\d+\.\d{6}$/),
  settlement_mode: z.enum(settlementModes),
  charge_status: z.enum(chargeStatuses),
  provider: z.enum(providers).nullable(),
  network: z.string().nullable(),
  payer_identity: z.string().nullable(),
  reconciliation_key: z.string().regex(/^rec_[0-9a-f]{32}$/),
  payment_authorization_hash: sha256.nullable(),
  gateway_transfer_id: z.string().nullable(),
  batch_id: z.string().nullable(),
  settlement_tx_hash: z.string().nullable(),
  grant_id: z.string().nullable(),
  grant_debit_usd: usd,
  created_at_utc: datetime,
  updated_at_utc: datetime,
  quality_flags: z.array(
    z.enum(['gateway_not_used', 'settlement_not_confirmed', 'replayed', 'recovered', 'shadow_mode']),
  ),
  source_boundary: z.array(z.string()),
});

/** Which artifact the answer came from, and how it was asked for (I4.31). */
export const responseMetadata = z.object({
  request_id: z.string(),
  response_id: z.string(),
  route_uri: z.string(),
  schema_id: z.string(),
  source_date: date.nullable(),
  computed_at_utc: datetime.nullable(),
  served_at_utc: datetime,
  ticker: z.string().nullable(),
  product: z.string().nullable(),
  lookup: z.object({ asked: z.string(), matched_by: z.enum(['ticker', 'alias', 'cik']) }).nullable(),
  cost_usd: usd,
  billing_mode: z.enum(billingModes),
  billing_status: z.enum(billingStatuses),
  cache_hit: z.boolean(),
  replayed: z.boolean(),
  payload_mode: z.string().nullable(),
  quality_flags: z.array(z.string()),
  caveats: z.array(z.string()),
  evidence_hash: z.string().nullable(),
  evidence_hash_version: z.string().nullable(),
  latency_ms: int,
  artifact_key: z.string(),
  artifact_version: z.string(),
  artifact_sha256: sha256,
  payload_sha256: sha256,
});

/** The members that follow the payload of a paid JSON object (I4.28). */
export const billingEnvelope = z.object({
  ...billingMembers,
  billing: z.object({ request: billingRequest }),
  usage_metadata: z.object({
    estimated_cost_usd: usd,
    elapsed_ms: int,
    tokens_used: int,
    authoritative: z.literal(false),
  }),
  settlement_receipt: settlementReceipt,
  response_metadata: responseMetadata,
});

/** The seven constants every free JSON object carries (I5.46, column discovery). */
export const discoveryMembers = {
  cost_usd: 0,
  quoted_cost_usd: 0,
  actual_cost_usd: 0,
  credits_charged: 0,
  billing_mode: 'public_discovery',
  billing_status: 'discovery_only',
  payment_status: 'not_applicable',
} as const;

export const discoveryEnvelope = z.object({
  cost_usd: z.literal(0),
  quoted_cost_usd: z.literal(0),
  actual_cost_usd: z.literal(0),
  credits_charged: z.literal(0),
  billing_mode: z.literal('public_discovery'),
  billing_status: z.literal('discovery_only'),
  payment_status: z.literal('not_applicable'),
});

/** Names no payload uses at top level; `grant_*` stands for every name that begins so (I5.47). */
export const reservedMembers = [
  'billing',
  'billing_contract_version',
  'billing_mode',
  'billing_status',
  'payment_status',
  'cost_usd',
  'actual_cost_usd',
  'quoted_cost_usd',
  'credits_charged',
  'request_id',
  'route_uri',
  'usage_metadata',
  'settlement_receipt',
  'response_metadata',
  'latency_ms',
  'cache_hit',
  'free_tier_applied',
  'ok',
  'reason',
  'age_minutes',
  'grant_*',
] as const;
const reserved: ReadonlySet<string> = new Set(reservedMembers);

/** True for a name no payload may use at top level (I5.47). */
export function isReservedMember(name: string): boolean {
  return reserved.has(name) || name.startsWith('grant_');
}

export type BillingEnvelope = z.infer<typeof billingEnvelope>;
