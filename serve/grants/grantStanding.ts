import type { GrantRow, GrantStatus } from '../ledger/port/grant.ts';

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
