import { discoveryMembers } from '../../data/contract/billing/billingEnvelope.ts';
import { versions } from '../../data/contract/values/versions.ts';
import { grantMembers } from '../body/grantMembers.ts';

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
      ...grantMembers(null),
    },
    settlement_receipt: null,
    response_metadata: null,
  };
  return JSON.stringify(members).slice(1);
}
