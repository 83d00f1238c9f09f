import type { ChallengeRow, ChallengeStore, GrantAdmin } from '../port/grant.ts';
import { challengeRow } from '../rows/rows.ts';
import { statement } from '../steps/statement.ts';
import { firstOf, rowsOf, type Steps } from '../steps/steps.ts';
import { journalGrant } from './journalGrant.ts';

const liveChallenges = 5;

/** The statements of challenges (P7.1–P7.3) and sessions (I3.17). */
export const sessionWriteStatements = {
  insertSession:
    statement(`INSERT INTO grant_sessions (session_id, grant_id, wallet, account_id, issued_ms, expires_ms)
    VALUES ($1, $2, $3, $4, $5, $6)`),
  insertChallenge: statement(`INSERT INTO challenges (nonce, wallet, message, issued_ms, expires_ms)
    VALUES ($1, $2, $3, $4, $5)`),
  // the ranks are counted in a query of its own: the databases spell an offset without a limit differently
  dropOldest: statement(`DELETE FROM challenges WHERE nonce IN (SELECT nonce FROM (
      SELECT nonce, row_number() OVER (ORDER BY issued_ms DESC, nonce DESC) AS place FROM challenges
      WHERE wallet = $1 AND consumed_ms IS NULL AND expires_ms > $2) live WHERE place > $3)`),
  consume: statement(`UPDATE challenges SET consumed_ms = $1 WHERE nonce = $2 AND consumed_ms IS NULL
    RETURNING *`),
  isKnown: statement('SELECT 1 AS found FROM challenges WHERE nonce = $1'),
  setOutcome: statement('UPDATE challenges SET outcome = $1 WHERE nonce = $2'),
} as const;

const { insertSession, insertChallenge, dropOldest, consume, isKnown, setOutcome } = sessionWriteStatements;

/** Stores a challenge; of more than five live ones of a wallet the oldest is dropped (P7.2). */
export function* createChallenge({ nonce, wallet, message, issuedMs, expiresMs }: ChallengeRow): Steps<void> {
  yield* rowsOf(insertChallenge, nonce, wallet, message, issuedMs, expiresMs);
  yield* rowsOf(dropOldest, wallet, issuedMs, liveChallenges);
}

/** Spends the nonce, also when no session follows (P7.3). */
export function* consumeChallenge(
  asked: Parameters<ChallengeStore['consume']>[0],
): Steps<ChallengeRow | 'unknown' | 'already_used'> {
  const row = yield* firstOf(consume, asked.atMs, asked.nonce);
  if (row !== null) return challengeRow(row);
  return (yield* firstOf(isKnown, asked.nonce)) === null ? 'unknown' : 'already_used';
}

export function* setChallengeOutcome(asked: Parameters<ChallengeStore['setOutcome']>[0]): Steps<void> {
  yield* rowsOf(setOutcome, asked.outcome, asked.nonce);
}

/** Writes a session, the outcome of its nonce, and the operator who issued it. */
export function* mintSession(asked: Parameters<GrantAdmin['mintSession']>[0]): Steps<void> {
  const { session, nonce, as } = asked;
  const { sessionId, grantId, wallet, accountId, issuedMs, expiresMs } = session;
  yield* rowsOf(insertSession, sessionId, grantId, wallet, accountId, issuedMs, expiresMs);
  if (nonce !== null) yield* rowsOf(setOutcome, 'minted', nonce);
  if (as === undefined) return;
  yield* journalGrant({ grantId, kind: 'session', detail: sessionId, as, atMs: issuedMs });
}
