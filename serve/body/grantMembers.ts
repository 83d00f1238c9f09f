import { instant } from '../../data/contract/values/instant.ts';

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
