import { type GrantSessionAnswer, grantSeconds } from '../../data/contract/billing/grants.ts';
import type { GrantAdmin, GrantRow } from '../ledger/port/grant.ts';
import { sessionBody } from './grantAnswers.ts';
import type { GrantTokens } from './grantToken.ts';

/**
 * Opens a session of a grant: the row is durable before its token is shown (I5.39, I3.17). `nonce` names the
 * challenge it came from, which is marked in the same transaction.
 */
export async function mintSession(deps: {
  grants: Pick<GrantAdmin, 'mintSession'>;
  tokens: GrantTokens;
  grant: GrantRow;
  /** The wallet that signed; null for a session of an account. */
  wallet: string | null;
  nonce: string | null;
  /** The operator who hands it out; journalled. */
  as?: `operator:${string}`;
  nowMs: number;
  ulid(): string;
}): Promise<GrantSessionAnswer> {
  const { grant } = deps;
  const issuedSeconds = Math.floor(deps.nowMs / 1000);
  const expiresSeconds = issuedSeconds + grantSeconds.session;
  const session = {
    sessionId: `gss_${deps.ulid()}`,
    grantId: grant.grantId,
    wallet: deps.wallet,
    accountId: grant.accountId,
    issuedMs: issuedSeconds * 1000,
    expiresMs: expiresSeconds * 1000,
  };
  const by = deps.as === undefined ? {} : { as: deps.as };
  await deps.grants.mintSession({ session, nonce: deps.nonce, ...by });
  const { sessionId, grantId, wallet } = session;
  const token = deps.tokens.mint({ sessionId, grantId, wallet, issuedSeconds, expiresSeconds });
  return sessionBody({ token, session, grant, nowMs: deps.nowMs });
}
