import { grantChallengeEndpoint, type RefusedGrant } from '../../data/contract/billing/grants.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { GrantRow, GrantStatus } from '../ledger/port/grant.ts';
import { grantStanding, remainingMicro } from './grantAnswers.ts';

// the refusals of grants: 401 for a token, 402 for a call, 403 for a session (I5.4, I5.41, I5.42)

/** 401: the token's time is over (I5.4). */
export function grantTokenExpired(): IssuerError {
  return new IssuerError({
    code: 'grant_token_expired',
    message: 'The grant token has expired.',
    hint: 'Open a new grant session.',
  });
}

/** 401: a grant route without a token (I4.F03.3). */
export function grantIdentityRequired(): IssuerError {
  return new IssuerError({
    code: 'grant_identity_required',
    message: 'This route needs a grant session token.',
    hint: 'Ask for a challenge, sign it and open a session.',
    details: { challenge_endpoint: `${grantChallengeEndpoint}?wallet=<wallet>` },
  });
}

/** 503: no secret signs tokens on this deployment, or the ledger cannot be written (I7.5). */
export function grantsUnavailable(message: string): IssuerError {
  return new IssuerError({
    code: 'settlement_unavailable',
    message,
    hint: 'Nothing was debited; send the same request again later.',
    details: { rail: 'grant' },
  });
}

/** 402: the route is not in the grant's list (I5.42 a). */
export function routeNotCovered(grant: GrantRow, call: RefusedCall): IssuerError {
  return new IssuerError({
    code: 'grant_route_not_covered',
    message: `This grant does not cover ${call.routeUri}.`,
    hint: 'GET /v1/grants/status lists what it covers; pay this call with one of accepts.',
    details: { grant: refusedGrant(grant, call) },
  });
}

/** 402: too little is left; the rest is not used as part payment (I5.42 d). */
export function insufficientBudget(grant: GrantRow, call: RefusedCall): IssuerError {
  return new IssuerError({
    code: 'grant_insufficient_budget',
    message: 'Too little is left of this grant for the call.',
    hint: 'Have the grant topped up by who issued it, or pay this call with one of accepts; a new session changes nothing.',
    details: { grant: refusedGrant(grant, call) },
  });
}

/** 402: the grant is expired, suspended or revoked (I5.42 d). */
export function grantNotActive(grant: GrantRow, call: RefusedCall): IssuerError {
  return new IssuerError({
    code: 'grant_not_active',
    message: `This grant is ${grantStanding(grant, call.nowMs)}.`,
    hint: 'Pay this call with one of accepts.',
    details: { grant: refusedGrant(grant, call) },
  });
}

/** 403: no session is opened for a grant that does not live (I5.41, F16). */
export function noLivingGrant(status: GrantStatus | null): IssuerError {
  return new IssuerError({
    code: 'grant_not_active',
    status: 403,
    message: status === null ? 'There is no grant yet.' : `The grant is ${status}.`,
    hint: 'A session needs an active grant.',
    details: { grant_status: status },
  });
}

/** The call a grant was refused for. */
export type RefusedCall = { readonly routeUri: string; readonly priceMicro: number; readonly nowMs: number };

function refusedGrant(grant: GrantRow, call: RefusedCall): RefusedGrant {
  return {
    grant_id: grant.grantId,
    grant_program: grant.program,
    grant_status: grantStanding(grant, call.nowMs),
    grant_remaining_usd: remainingMicro(grant) / 1e6,
    required_usd: call.priceMicro / 1e6,
  };
}
