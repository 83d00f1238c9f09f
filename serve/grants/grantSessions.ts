import { type GrantSessionAnswer, grantSeconds } from '../../data/contract/billing/grants.ts';
import type { GrantClaims } from '../access/accessDecision.ts';
import type { GrantAdmin, GrantRow, GrantSession } from '../ledger/port/grant.ts';
import { sessionBody } from './grantAnswers.ts';
import type { GrantTokens } from './grantToken.ts';

/** A live session with its grant as it was read. */
export type KnownSession = { readonly session: GrantSession; readonly grant: GrantRow };

/** The session rows behind tokens, cached for 5 s each (P7.6). */
export type KnownSessions = {
  /** null: the token's session is not there, does not match, or was ended. */
  find(claims: GrantClaims): Promise<KnownSession | null>;
  /** The same, read now. */
  read(claims: GrantClaims): Promise<KnownSession | null>;
};

const keptMs = 5000;
const mostKept = 10_000;

/** Builds the look-up; what is not found is not remembered. */
export function knownSessions({
  grants,
  nowMs,
}: {
  grants: Pick<GrantAdmin, 'session'>;
  nowMs(): number;
}): KnownSessions {
  const kept = new Map<string, { readonly known: KnownSession; readonly atMs: number }>();

  async function read(claims: GrantClaims): Promise<KnownSession | null> {
    const found = await grants.session(claims.sessionId);
    if (found === null || !belongs(found, claims)) {
      kept.delete(claims.sessionId);
      return null;
    }
    kept.delete(claims.sessionId);
    kept.set(claims.sessionId, { known: found, atMs: nowMs() });
    if (kept.size > mostKept) {
      const oldest = kept.keys().next();
      if (oldest.done !== true) kept.delete(oldest.value);
    }
    return found;
  }

  return {
    read,
    async find(claims) {
      const known = kept.get(claims.sessionId);
      const age = known === undefined ? Number.NaN : nowMs() - known.atMs;
      // a clock that stepped back makes nothing younger
      if (known !== undefined && age >= 0 && age < keptMs && belongs(known.known, claims)) return known.known;
      return read(claims);
    },
  };
}

// a session ends with its grant, but the answer names the revoked grant, not a bad token (I4.F03.3)
function belongs({ session, grant }: KnownSession, claims: GrantClaims): boolean {
  return (
    session.grantId === claims.grantId &&
    session.wallet === claims.wallet &&
    session.issuedMs === claims.issuedSeconds * 1000 &&
    session.expiresMs === claims.expiresSeconds * 1000 &&
    (session.revokedMs === null || grant.status === 'revoked')
  );
}

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
