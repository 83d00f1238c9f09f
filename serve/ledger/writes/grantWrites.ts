import {
  type ChallengeRow,
  type ChallengeStore,
  challengeTable,
  type GrantAdmin,
  type GrantChange,
  type GrantRow,
  grantRow,
} from '../port/grant.ts';
import { changesOf, firstOf, rowsBy, rowsOf, type Steps, statement, UniqueViolated } from '../steps/steps.ts';

export const grantEvent = statement(`INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms)
  VALUES ($1, $2, $3, $4, $5)`);

/** Writes a row of a grant's journal; steps of its status are journalled by a trigger. */
export function* journalGrant(event: {
  grantId: string;
  kind: string;
  detail: string;
  as: string;
  atMs: number;
}): Steps<void> {
  const { grantId, kind, detail, as, atMs } = event;
  yield* rowsOf(grantEvent, grantId, kind, detail, as, atMs);
}

type Input<Name extends keyof GrantAdmin> = Parameters<GrantAdmin[Name]>[0];
type Change = Input<'suspend'>;

/** The statements of changes to grants (I3.13). */
export const grantWriteStatements = {
  lock: statement('SELECT * FROM grants WHERE grant_id = $1', { lock: 'FOR UPDATE' }),
  insert: statement(`INSERT INTO grants (grant_id, program, wallet, account_id, status, budget_micro, routes,
      min_price_micro, issued_ms, expires_ms, updated_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $9)`),
  // the note names the actor of the journal row that the trigger writes, and is removed after it
  setStatus: statement('UPDATE grants SET status = $1, note = $2, updated_ms = $3 WHERE grant_id = $4'),
  clearNote: statement('UPDATE grants SET note = NULL WHERE grant_id = $1'),
  setExpiry: statement('UPDATE grants SET expires_ms = $1, updated_ms = $2 WHERE grant_id = $3'),
  addBudget: statement(
    'UPDATE grants SET budget_micro = budget_micro + $1, updated_ms = $2 WHERE grant_id = $3',
  ),
  setRoutes: statement(`UPDATE grants SET routes = $1, min_price_micro = $2, updated_ms = $3
    WHERE grant_id = $4`),
  setWallet: statement('UPDATE grants SET wallet = $1, updated_ms = $2 WHERE grant_id = $3'),
  judge: statement('UPDATE grants SET status = $1 WHERE grant_id = $2'),
  endSessions: statement(`UPDATE grant_sessions SET revoked_ms = $1
    WHERE grant_id = $2 AND revoked_ms IS NULL`),
  debit: statement('SELECT grant_id FROM grant_debits WHERE debit_id = $1'),
  reverse: statement(`UPDATE grant_debits SET state = 'reversed', updated_ms = $1
    WHERE debit_id = $2 AND state = 'debited' RETURNING debit_id`),
} as const;

const { lock, insert, setStatus, clearNote, judge } = grantWriteStatements;

/** The grant, held against other writers until the transaction ends: the one lock order of budgets starts here. */
export function* lockGrant(grantId: string): Steps<GrantRow | null> {
  const row = yield* firstOf(lock, grantId);
  return row === null ? null : grantRow(row);
}

/** Whether what is left covers the cheapest route (P7.14). */
function statusOf(grant: {
  readonly budgetMicro: number;
  readonly spentMicro: number;
  readonly minPriceMicro: number;
}): 'active' | 'exhausted' {
  return grant.budgetMicro - grant.spentMicro < grant.minPriceMicro ? 'exhausted' : 'active';
}

/** Writes a status under an actor's name. */
export function* writeStatus(change: Change & { status: string }): Steps<void> {
  const { grantId, as, atMs, status } = change;
  yield* rowsOf(setStatus, status, as, atMs, grantId);
  yield* rowsOf(clearNote, grantId);
}

/** Moves a grant out of one of the states; `to` is decided by its remaining budget when it is absent. */
function* moveStatus(change: Change, from: readonly GrantRow['status'][], to?: string): Steps<GrantChange> {
  const grant = yield* lockGrant(change.grantId);
  if (grant === null) return { kind: 'unknown' };
  if (!from.includes(grant.status)) return { kind: 'illegal' };
  try {
    yield* writeStatus({ ...change, status: to ?? statusOf(grant) });
  } catch (error) {
    return takenOr(error);
  }
  return yield* changed(change.grantId);
}

/** Runs a change beside the status on a grant that is not revoked, and journals it under the operator's name. */
function* changeTerms(
  change: Change,
  { kind, detail, write }: { kind: string; detail: string; write: Steps<unknown> },
): Steps<GrantChange> {
  const { grantId, as, atMs } = change;
  const grant = yield* lockGrant(grantId);
  if (grant === null) return { kind: 'unknown' };
  if (grant.status === 'revoked') return { kind: 'illegal' };
  try {
    yield* write;
  } catch (error) {
    return takenOr(error);
  }
  yield* judgeRemainder(grantId);
  yield* journalGrant({ grantId, kind, detail, as, atMs });
  return yield* changed(grantId);
}

/** Lets the remaining budget decide between active and exhausted. */
function* judgeRemainder(grantId: string): Steps<void> {
  const grant = yield* lockGrant(grantId);
  if (grant === null || (grant.status !== 'active' && grant.status !== 'exhausted')) return;
  const status = statusOf(grant);
  if (status !== grant.status) yield* rowsOf(judge, status, grantId);
}

function* changed(grantId: string): Steps<GrantChange> {
  const grant = yield* lockGrant(grantId);
  return grant === null ? { kind: 'unknown' } : { kind: 'changed', grant };
}

function takenOr(error: unknown): GrantChange {
  if (error instanceof UniqueViolated) return { kind: 'taken' };
  throw error;
}

export function* createGrant({ grant, as, atMs }: Input<'create'>): Steps<GrantChange> {
  const { grantId, program, wallet, accountId, budgetMicro, minPriceMicro, expiresMs } = grant;
  const status = statusOf({ budgetMicro, spentMicro: 0, minPriceMicro });
  const routes = JSON.stringify(grant.routes);
  try {
    yield* rowsOf(
      insert,
      grantId,
      program,
      wallet,
      accountId,
      status,
      budgetMicro,
      routes,
      minPriceMicro,
      atMs,
      expiresMs,
    );
  } catch (error) {
    return takenOr(error);
  }
  yield* journalGrant({ grantId, kind: 'created', detail: String(budgetMicro), as, atMs });
  return yield* changed(grantId);
}

export function suspendGrant(change: Input<'suspend'>): Steps<GrantChange> {
  return moveStatus(change, ['active', 'exhausted'], 'suspended');
}

export function resumeGrant(change: Input<'resume'>): Steps<GrantChange> {
  return moveStatus(change, ['suspended']);
}

/** Revokes a grant; its sessions end with it (I3.17). */
export function* revokeGrant(change: Input<'revoke'>): Steps<GrantChange> {
  const outcome = yield* moveStatus(change, ['active', 'exhausted', 'suspended', 'expired'], 'revoked');
  if (outcome.kind === 'changed') {
    yield* rowsOf(grantWriteStatements.endSessions, change.atMs, change.grantId);
  }
  return outcome;
}

export function* extendGrant(change: Input<'extend'>): Steps<GrantChange> {
  const { grantId, expiresMs, atMs } = change;
  const grant = yield* lockGrant(grantId);
  if (grant?.status === 'expired') {
    const outcome = yield* moveStatus(change, ['expired'], 'active');
    if (outcome.kind !== 'changed') return outcome;
  }
  const write = rowsOf(grantWriteStatements.setExpiry, expiresMs, atMs, grantId);
  return yield* changeTerms(change, { kind: 'extend', detail: String(expiresMs), write });
}

export function topUpGrant(change: Input<'topUp'>): Steps<GrantChange> {
  const { grantId, addMicro, atMs } = change;
  const write = rowsOf(grantWriteStatements.addBudget, addMicro, atMs, grantId);
  return changeTerms(change, { kind: 'topup', detail: String(addMicro), write });
}

export function setGrantRoutes(change: Input<'setRoutes'>): Steps<GrantChange> {
  const { grantId, routes, minPriceMicro, atMs } = change;
  const write = rowsOf(grantWriteStatements.setRoutes, JSON.stringify(routes), minPriceMicro, atMs, grantId);
  return changeTerms(change, { kind: 'routes', detail: routes.join(','), write });
}

export function linkGrantWallet(change: Input<'linkWallet'>): Steps<GrantChange> {
  const { grantId, wallet, atMs } = change;
  const write = rowsOf(grantWriteStatements.setWallet, wallet, atMs, grantId);
  return changeTerms(change, { kind: 'wallet', detail: wallet, write });
}

/** An operator's correction of a committed debit (P7.10); false when it is not `debited`. */
export function* reverseDebit({ debitId, as, reason, atMs }: Input<'reverse'>): Steps<boolean> {
  const debit = yield* firstOf(grantWriteStatements.debit, debitId);
  if (debit === null) return false;
  const grantId = String(debit['grant_id']);
  yield* lockGrant(grantId);
  if ((yield* changesOf(grantWriteStatements.reverse, atMs, debitId)) === 0) return false;
  yield* journalGrant({ grantId, kind: 'reverse', detail: `${debitId}: ${reason}`, as, atMs });
  return true;
}

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
  const [challenge] = yield* rowsBy(challengeTable, consume, asked.atMs, asked.nonce);
  if (challenge !== undefined) return challenge;
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
