// Promotional budgets and the routes each covers by default (I5.43).

export const grantPrograms = {
  design_partner_alpha: {
    description:
      'Promotional budget for design partners; a wallet signs in and the budget pays calls at list price.',
    identity_mode: 'wallet_first_with_session_token',
    recommended_budget_range_usd: { min: 100, max: 250 },
    recommended_default_budget_usd: 100,
    recommended_default_routes: [
      'GET /v1/company-report/{ticker}',
      'POST /v1/bundles/company-report',
      'GET /v1/spectra-field-map/{ticker}',
      'GET /v1/readiness',
      'GET /v1/daily-changes/latest',
      'GET /v1/daily-changes/evidence',
      'GET /v1/core-history/{ticker}',
      'GET /v1/morning-brief/natural',
      'GET /v1/top-stressed/natural',
      'GET /v1/covenant-stress/natural',
      'GET /v1/pricing',
      'GET /v1/contract/fields',
      'GET /v1/grants/status',
    ],
  },
  founding_user_credit: {
    description: 'Starting credit of a founding user; tied to an account, a wallet may be linked.',
    identity_mode: 'account_first_optional_wallet_link',
    recommended_budget_range_usd: { min: 10, max: 25 },
    recommended_default_budget_usd: 25,
    recommended_default_routes: [
      'GET /v1/readiness',
      'GET /v1/daily-changes/latest',
      'GET /v1/pricing',
      'GET /v1/contract/fields',
      'GET /v1/grants/status',
    ],
  },
} as const;

export type GrantProgram = keyof typeof grantPrograms;

/** Programs whose default routes contain the route named `METHOD /path/template`. */
export function programsCovering(uri: string): GrantProgram[] {
  return (Object.keys(grantPrograms) as GrantProgram[]).filter((program) =>
    (grantPrograms[program].recommended_default_routes as readonly string[]).includes(uri),
  );
}

/** Session terms published with the prices (I4.F01.5). */
export const grantSession = {
  supported: true,
  challenge_endpoint: '/v1/grant/challenge?wallet=<wallet>',
  challenge_ttl_seconds: 600,
  session_endpoint: '/v1/grant/session',
  session_ttl_seconds: 86_400,
  token_header: 'X-Svc-Grant-Token',
  authorization_bearer: 'Bearer ii1.<payload>.<signature>',
  requires_enrolled_wallet: true,
  requires_personal_sign: true,
  unsigned_wallet_supported: false,
  unlocks_billing_mode: 'identity_credit',
  x402_required_after_credit: true,
  budget_grant_debit_basis: 'route_declared_price',
  budget_grant_cache_treatment: 'fresh_and_cached_charge_same_route_quote',
  budget_grant_limit_type: 'compatibility_credit_equivalent',
  budget_grant_limit_unit: 'usd_cents_equivalent',
  budget_grant_limit_field_status: 'compatibility_only',
  budget_grant_runway_fields: ['grant_budget_usd', 'grant_remaining_usd', 'grant_expires_at'],
  legacy_grant_limit_type: 'request_count',
  legacy_grant_limit_unit: 'requests',
} as const;
