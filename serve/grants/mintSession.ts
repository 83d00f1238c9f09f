import { type GrantSessionAnswer, grantSeconds } from '../../contract/grants.ts';
import type { GrantAdmin, GrantRow } from '../ledger/port/grant.ts';
import { sessionBody } from './grantAnswers.ts';
import type { GrantTokens } from './grantToken.ts';

/**
 * Opens a session of a grant: the row is durable before its token is shown (I5.39, I3.17). `nonce` names the
 * challenge it came from, which is marked in the same transaction.
 */
export async function mintSession(o: {
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
  const { grant } = o;
  const issuedSeconds = Math.floor(o.nowMs / 1000);
  const expiresSeconds = issuedSeconds + grantSeconds.session;
  const session = {
    sessionId: `gss_${o.ulid()}`,
    grantId: grant.grantId,
    wallet: o.wallet,
    accountId: grant.accountId,
    issuedMs: issuedSeconds * 1000,
    expiresMs: expiresSeconds * 1000,
  };
  const by = o.as === undefined ? {} : { as: o.as };
  await o.grants.mintSession({ session, nonce: o.nonce, ...by });
  const { sessionId, grantId, wallet } = session;
  const token = o.tokens.mint({ sessionId, grantId, wallet, issuedSeconds, expiresSeconds });
  return sessionBody({ token, session, grant, nowMs: o.nowMs });
}
