import { discoveryMembers } from './billingEnvelope.ts';
import { type CheckoutProgress, type CheckoutSession, checkoutIdExample } from './checkout.ts';
import { type GrantChallenge, type GrantSessionAnswer, type GrantState, runwayFields } from './grants.ts';

// the examples of INTERFACE F03 and I5.E; nothing in them opens anything

const wallet = '0x1111111111111111111111111111111111111111';
const grantId = 'grt_01JKZ3M6Q2V8R4T7W9Y1A3C5E7';
const sessionId = 'gss_01JKZ3M6Q2V8R4T7W9Y1A3C5E7';

export const grantStateExample: GrantState = {
  grant_id: grantId,
  grant_program: 'design_partner_alpha',
  grant_status: 'active',
  grant_source: 'budget_grant',
  wallet,
  account_id: null,
  grant_budget_usd: 100,
  grant_remaining_usd: 99.96,
  grant_spent_usd: 0.04,
  grant_issued_at: '2026-02-01T00:00:00Z',
  grant_expires_at: '2026-03-03T00:00:00Z',
  grant_expires_in_seconds: 2_049_120,
  grant_debit_policy: 'route_declared_price',
  grant_cache_treatment: 'fresh_and_cached_charge_same_route_quote',
  grant_limit_type: 'budget_usd',
  grant_limit_unit: 'usd',
  grant_runway_authoritative_fields: [...runwayFields],
  covered_routes: ['GET /v1/readiness'],
  session: {
    session_id: sessionId,
    issued_at: '2026-02-07T10:00:00Z',
    expires_at: '2026-02-08T10:00:00Z',
    expires_in_seconds: 86_000,
  },
  recent_debits: [
    {
      at_utc: '2026-02-07T10:01:00Z',
      route: 'GET /v1/readiness',
      amount_usd: 0.04,
      reconciliation_key: 'rec_0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d',
      status: 'debited',
    },
  ],
  ...discoveryMembers,
};

export const grantChallengeExample: GrantChallenge = {
  wallet,
  wallet_checksum: wallet,
  message: `api.example.com wants you to sign in with your Ethereum account:\n${wallet}\n\nOpen an Issuer Intelligence grant session. This signature is not a payment.\n\nURI: https://api.example.com/v1/grant/session\nVersion: 1\nChain ID: 8453\nNonce: k3J9sQ2mX7pL0vB4tZ8nR1wY\nIssued At: 2026-02-07T10:00:00Z\nExpiration Time: 2026-02-07T10:10:00Z`,
  nonce: 'k3J9sQ2mX7pL0vB4tZ8nR1wY',
  issued_at: '2026-02-07T10:00:00Z',
  expires_at: '2026-02-07T10:10:00Z',
  expires_in_seconds: 600,
  signature_type: 'personal_sign',
  chain_id: 8453,
  session_endpoint: '/v1/grant/session',
  session_ttl_seconds: 86_400,
  token_header: 'X-Svc-Grant-Token',
  grant_runway_authoritative_fields: [...runwayFields],
  ...discoveryMembers,
};

export const grantSessionExample: GrantSessionAnswer = {
  token: 'ii1.eyJ2IjoxfQ.3q2-7w',
  token_type: 'Bearer',
  token_header: 'X-Svc-Grant-Token',
  session_id: sessionId,
  wallet,
  expires_at: '2026-02-08T10:01:00Z',
  expires_in_seconds: 86_400,
  billing_mode_unlocked: 'identity_credit',
  grant_id: grantId,
  grant_program: 'design_partner_alpha',
  grant_status: 'active',
  grant_source: 'budget_grant',
  grant_budget_usd: 100,
  grant_remaining_usd: 100,
  grant_expires_at: '2026-03-03T00:00:00Z',
  grant_expires_in_seconds: 2_051_940,
  grant_debit_policy: 'route_declared_price',
  grant_cache_treatment: 'fresh_and_cached_charge_same_route_quote',
  grant_limit_type: 'compatibility_credit_equivalent',
  grant_limit_unit: 'usd_cents_equivalent',
  grant_credit_equivalent_limit: 10_000,
  grant_credit_equivalent_remaining: 10_000,
  grant_runway_authoritative_fields: [...runwayFields],
  covered_routes: ['GET /v1/readiness'],
  ...discoveryMembers,
};

export const checkoutSessionExample: CheckoutSession = {
  checkout_id: checkoutIdExample,
  state: 'open',
  checkout_url: 'https://checkout.example.com/c/pay/cs_1',
  expires_at: '2026-02-07T10:30:00Z',
  credit_usd: 10,
  charge_usd: 10,
  currency: 'usd',
  account_id: 'desk-1',
  wallet: null,
  pickup_secret: 'q2s0m1yA7k9bPz4w6d3fR8u5x1v0n2c4e6g8i0k2m4o',
  ...discoveryMembers,
};

export const checkoutStateExample: CheckoutProgress = {
  checkout_id: checkoutIdExample,
  state: 'paid',
  grant_id: grantId,
  grant_status: 'active',
  credit_usd: 10,
  created_at: '2026-02-07T10:00:00Z',
  updated_at: '2026-02-07T10:02:00Z',
  ...discoveryMembers,
};
