import { discoveryMembers } from '../../contract/billing/billingEnvelope.ts';
import { versions } from '../../contract/values/versions.ts';

/** The accounts of a call that is free, and the brace after them (I5.46, column discovery). */
export function freeAccounts({
  requestId,
  routeUri,
  latencyMs,
}: {
  requestId: string;
  routeUri: string;
  latencyMs: number;
}): string {
  const members = {
    usage_metadata: { estimated_cost_usd: 0, elapsed_ms: latencyMs, tokens_used: 0, authoritative: false },
    billing: {
      billing_contract_version: versions.billing,
      request_id: requestId,
      route_uri: routeUri,
      ...discoveryMembers,
      grant_id: null,
      grant_program: null,
      grant_status: 'not_applicable',
      grant_source: 'none',
      grant_budget_usd: null,
      grant_remaining_usd: null,
      grant_debit_usd: 0,
      grant_expires_at: null,
      grant_expires_in_seconds: null,
      grant_debit_policy: 'route_declared_price',
      grant_cache_treatment: 'fresh_and_cached_charge_same_route_quote',
      grant_limit_type: null,
      grant_limit_unit: null,
      grant_runway_authoritative_fields: [],
    },
    settlement_receipt: null,
    response_metadata: null,
  };
  return JSON.stringify(members).slice(1);
}
