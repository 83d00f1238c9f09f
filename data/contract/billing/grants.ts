import { z } from 'zod';
import { count, datetime, usd } from '../values/primitives.ts';
import { discoveryEnvelope } from './billingEnvelope.ts';
import programs from './grantPrograms.json' with { type: 'json' };

// what the grant routes answer: F03, F04 and F05, and F16, which gives the same session

/** The three members that say how long a budget lasts (I5.35, I5.39). */
export const runwayFields = ['grant_budget_usd', 'grant_remaining_usd', 'grant_expires_at'] as const;

export const grantTokenHeader = 'X-Svc-Grant-Token';
export const grantChallengeEndpoint = '/v1/grant/challenge';
export const grantSessionEndpoint = '/v1/grant/session';

/** Fixed times of I8.1 in seconds. */
export const grantSeconds = { challenge: 600, session: 86_400, budget: 2_592_000 } as const;

/** The template of I5.36; a wallet shows and checks its first line. Another network has its own chain id in it. */
export const grantMessageTemplate = [
  '{host} wants you to sign in with your Ethereum account:',
  '{wallet_checksum}',
  '',
  'Open an Issuer Intelligence grant session. This signature is not a payment.',
  '',
  `URI: {base_url}${grantSessionEndpoint}`,
  'Version: 1',
  'Chain ID: 8453',
  'Nonce: {nonce}',
  'Issued At: {issued_at}',
  'Expiration Time: {expires_at}',
].join('\n');

const walletAddress = z.string().regex(/^0x[0-9a-f]{40}$/);
const runway = z.array(z.enum(runwayFields));
const liveStatus = z.enum(['active', 'exhausted']);
const anyStatus = z.enum(['active', 'exhausted', 'expired', 'revoked', 'suspended']);
const grantId = z.string().regex(/^grt_[0-9A-HJKMNP-TV-Z]{26}$/);
const sessionId = z.string().regex(/^gss_[0-9A-HJKMNP-TV-Z]{26}$/);
const debitTerms = {
  grant_debit_policy: z.literal('route_declared_price'),
  grant_cache_treatment: z.literal('fresh_and_cached_charge_same_route_quote'),
};

/** F03, budget and state of the grant behind a token (I4.F03.2). */
export const grantState = discoveryEnvelope.extend({
  grant_id: grantId,
  grant_program: z.string(),
  grant_status: anyStatus,
  grant_source: z.literal('budget_grant'),
  wallet: walletAddress.nullable(),
  account_id: z.string().nullable(),
  grant_budget_usd: usd,
  grant_remaining_usd: usd,
  grant_spent_usd: usd,
  grant_issued_at: datetime,
  grant_expires_at: datetime,
  grant_expires_in_seconds: count,
  ...debitTerms,
  grant_limit_type: z.literal('budget_usd'),
  grant_limit_unit: z.literal('usd'),
  grant_runway_authoritative_fields: runway,
  covered_routes: z.array(z.string()),
  session: z.object({
    session_id: sessionId,
    issued_at: datetime,
    expires_at: datetime,
    expires_in_seconds: count,
  }),
  /** Newest first, at most 20. */
  recent_debits: z
    .array(
      z.object({
        at_utc: datetime,
        route: z.string(),
        amount_usd: usd,
        reconciliation_key: z.string().regex(/^rec_[0-9a-f]{32}$/),
        status: z.enum(['debited', 'reversed']),
      }),
    )
    .max(20),
});

/** F04, the message a wallet signs (I5.35). */
export const grantChallenge = discoveryEnvelope.extend({
  wallet: walletAddress,
  wallet_checksum: z.string(),
  message: z.string(),
  nonce: z.string().regex(/^[A-Za-z0-9]{24}$/),
  issued_at: datetime,
  expires_at: datetime,
  expires_in_seconds: count,
  signature_type: z.literal('personal_sign'),
  /** 8453 on the production network. */
  chain_id: z.number().int().positive(),
  session_endpoint: z.literal(grantSessionEndpoint),
  session_ttl_seconds: z.literal(grantSeconds.session),
  token_header: z.literal(grantTokenHeader),
  grant_runway_authoritative_fields: runway,
});

/** F05 and F16, a session token and the budget behind it (I5.39). */
export const grantSessionAnswer = discoveryEnvelope.extend({
  token: z.string().max(1024),
  token_type: z.literal('Bearer'),
  token_header: z.literal(grantTokenHeader),
  session_id: sessionId,
  /** null for a budget bought for an account without a wallet. */
  wallet: walletAddress.nullable(),
  expires_at: datetime,
  expires_in_seconds: count,
  billing_mode_unlocked: z.literal('identity_credit'),
  grant_id: grantId,
  grant_program: z.string(),
  grant_status: liveStatus,
  grant_source: z.literal('budget_grant'),
  grant_budget_usd: usd,
  grant_remaining_usd: usd,
  grant_expires_at: datetime,
  grant_expires_in_seconds: count,
  ...debitTerms,
  grant_limit_type: z.literal('compatibility_credit_equivalent'),
  grant_limit_unit: z.literal('usd_cents_equivalent'),
  grant_credit_equivalent_limit: count,
  grant_credit_equivalent_remaining: count,
  grant_runway_authoritative_fields: runway,
  covered_routes: z.array(z.string()),
});

/** What a 402 says of the grant that was refused (I5.42). */
export const refusedGrant = z.object({
  grant_id: grantId,
  grant_program: z.string(),
  grant_status: anyStatus,
  grant_remaining_usd: usd,
  required_usd: usd,
});

export type GrantState = z.infer<typeof grantState>;
export type GrantChallenge = z.infer<typeof grantChallenge>;
export type GrantSessionAnswer = z.infer<typeof grantSessionAnswer>;
export type RefusedGrant = z.infer<typeof refusedGrant>;

/** Promotional budgets and the routes each covers by default (I5.43). */
export const grantPrograms = programs;

export type GrantProgram = keyof typeof grantPrograms;

/** Programs whose default routes contain the route named `METHOD /path/template`. */
export function programsCovering(uri: string): GrantProgram[] {
  return (Object.keys(grantPrograms) as GrantProgram[]).filter((program) =>
    grantPrograms[program].recommended_default_routes.includes(uri),
  );
}

/** Session terms published with the prices (I4.F01.5). */
export const grantSession = {
  supported: true,
  challenge_endpoint: `${grantChallengeEndpoint}?wallet=<wallet>`,
  challenge_ttl_seconds: grantSeconds.challenge,
  session_endpoint: grantSessionEndpoint,
  session_ttl_seconds: grantSeconds.session,
  token_header: grantTokenHeader,
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
  budget_grant_runway_fields: runwayFields,
  legacy_grant_limit_type: 'request_count',
  legacy_grant_limit_unit: 'requests',
} as const;
