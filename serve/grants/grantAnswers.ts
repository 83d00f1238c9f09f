import { discoveryMembers } from '../../data/contract/billing/billingEnvelope.ts';
import {
  type GrantSessionAnswer,
  type GrantState,
  grantTokenHeader,
  runwayFields,
} from '../../data/contract/billing/grants.ts';
import { liveAmong } from '../../data/contract/routes/routes.ts';
import { instant } from '../../data/contract/values/instant.ts';
import type { DebitRow, GrantRow, GrantSession, GrantStatus } from '../ledger/port/grant.ts';

const debitTerms = {
  grant_debit_policy: 'route_declared_price',
  grant_cache_treatment: 'fresh_and_cached_charge_same_route_quote',
} as const;

/** Names of debit states on the wire (P7.10). */
export function debitStatus(state: DebitRow['state']): 'debited' | 'reversed' {
  return state === 'held' || state === 'debited' ? 'debited' : 'reversed';
}

/** The body of F03 (I4.F03.2). `routeUriOf` names the route behind an id. */
export function grantStateBody({
  grant,
  session,
  debits,
  routeUriOf,
  nowMs,
}: {
  grant: GrantRow;
  session: GrantSession;
  /** newest first, at most 20 */
  debits: readonly DebitRow[];
  routeUriOf(routeId: string): string;
  nowMs: number;
}): GrantState {
  return {
    grant_id: grant.grantId,
    grant_program: grant.program,
    grant_status: grantStanding(grant, nowMs),
    grant_source: 'budget_grant',
    wallet: grant.wallet,
    account_id: grant.accountId,
    grant_budget_usd: grant.budgetMicro / 1e6,
    grant_remaining_usd: remainingMicro(grant) / 1e6,
    grant_spent_usd: (grant.spentMicro + grant.heldMicro) / 1e6,
    grant_issued_at: instant(grant.issuedMs),
    grant_expires_at: instant(grant.expiresMs),
    grant_expires_in_seconds: secondsUntil(grant.expiresMs, nowMs),
    ...debitTerms,
    grant_limit_type: 'budget_usd',
    grant_limit_unit: 'usd',
    grant_runway_authoritative_fields: [...runwayFields],
    covered_routes: liveAmong(grant.routes),
    session: {
      session_id: session.sessionId,
      issued_at: instant(session.issuedMs),
      expires_at: instant(session.expiresMs),
      expires_in_seconds: secondsUntil(session.expiresMs, nowMs),
    },
    recent_debits: debits.map((debit) => ({
      at_utc: instant(debit.createdMs),
      route: routeUriOf(debit.routeId),
      amount_usd: debit.amountMicro / 1e6,
      reconciliation_key: debit.reconciliationKey,
      status: debitStatus(debit.state),
    })),
    ...discoveryMembers,
  };
}

/** The body of F05 and F16 (I5.39). */
export function sessionBody({
  token,
  session,
  grant,
  nowMs,
}: {
  token: string;
  session: Omit<GrantSession, 'revokedMs'>;
  grant: GrantRow;
  nowMs: number;
}): GrantSessionAnswer {
  const standing = grantStanding(grant, nowMs);
  return {
    token,
    token_type: 'Bearer',
    token_header: grantTokenHeader,
    session_id: session.sessionId,
    wallet: session.wallet,
    expires_at: instant(session.expiresMs),
    expires_in_seconds: Math.round((session.expiresMs - session.issuedMs) / 1000),
    billing_mode_unlocked: 'identity_credit',
    grant_id: grant.grantId,
    grant_program: grant.program,
    grant_status: standing === 'exhausted' ? 'exhausted' : 'active',
    grant_source: 'budget_grant',
    grant_budget_usd: grant.budgetMicro / 1e6,
    grant_remaining_usd: remainingMicro(grant) / 1e6,
    grant_expires_at: instant(grant.expiresMs),
    grant_expires_in_seconds: secondsUntil(grant.expiresMs, nowMs),
    ...debitTerms,
    grant_limit_type: 'compatibility_credit_equivalent',
    grant_limit_unit: 'usd_cents_equivalent',
    grant_credit_equivalent_limit: Math.floor(grant.budgetMicro / 10_000),
    grant_credit_equivalent_remaining: Math.floor(remainingMicro(grant) / 10_000),
    grant_runway_authoritative_fields: [...runwayFields],
    covered_routes: liveAmong(grant.routes),
    ...discoveryMembers,
  };
}

/** What is left of a budget; what is held counts as gone (P7.8). */
export function remainingMicro(grant: Pick<GrantRow, 'budgetMicro' | 'spentMicro' | 'heldMicro'>): number {
  return grant.budgetMicro - grant.spentMicro - grant.heldMicro;
}

/**
 * Status of a grant at an instant (I3.13, P7.14): revoked is final; the end of its time is seen before the worker
 * writes it, and the boundary belongs to expired (P7.13); then what an operator suspended; then what is left.
 */
export function grantStanding(grant: GrantRow, nowMs: number): GrantStatus {
  if (grant.status === 'revoked') return 'revoked';
  if (grant.status === 'expired' || nowMs >= grant.expiresMs) return 'expired';
  if (grant.status === 'suspended') return 'suspended';
  return remainingMicro(grant) < grant.minPriceMicro ? 'exhausted' : 'active';
}

/** Whole seconds until an instant, never below zero. */
export function secondsUntil(ms: number, nowMs: number): number {
  return Math.max(0, Math.floor((ms - nowMs) / 1000));
}
