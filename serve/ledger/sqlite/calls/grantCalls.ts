import type { DatabaseSync } from 'node:sqlite';
import type { ChallengeRow, GrantAdmin, GrantChange, NewGrant } from '../../port/grant.ts';
import { grantRow } from '../../rows.ts';
import { uniqueViolated } from '../databaseError.ts';

type Input<Name extends keyof GrantAdmin> = Parameters<GrantAdmin[Name]>[0];

/** What the writer can do with grants, sessions and challenges; each function runs inside a transaction. */
export type GrantCalls = {
  createGrant(o: { grant: NewGrant; as: string; atMs: number }): GrantChange;
  suspendGrant(o: Input<'suspend'>): GrantChange;
  resumeGrant(o: Input<'resume'>): GrantChange;
  revokeGrant(o: Input<'revoke'>): GrantChange;
  extendGrant(o: Input<'extend'>): GrantChange;
  topUpGrant(o: Input<'topUp'>): GrantChange;
  setGrantRoutes(o: Input<'setRoutes'>): GrantChange;
  linkGrantWallet(o: Input<'linkWallet'>): GrantChange;
  reverseDebit(o: Input<'reverse'>): boolean;
  mintSession(o: Input<'mintSession'>): void;
  createChallenge(row: ChallengeRow): void;
  consumeChallenge(o: { nonce: string; atMs: number }): ChallengeRow | 'unknown' | 'already_used';
  setChallengeOutcome(o: { nonce: string; outcome: string }): void;
};

const liveChallenges = 5;

/** Prepares the statements of grants (I3.13), sessions (I3.17) and challenges (P7.1–P7.3). */
export function grantCalls(database: DatabaseSync): GrantCalls {
  const insertGrant = database.prepare(`
    INSERT INTO grants (grant_id, program, wallet, account_id, status, budget_micro, routes, min_price_micro, issued_ms,
      expires_ms, updated_ms)
    VALUES (?, ?, ?, ?, CASE WHEN ? < ? THEN 'exhausted' ELSE 'active' END, ?, ?, ?, ?, ?, ?)`);
  const insertEvent = database.prepare(
    'INSERT INTO grant_events (grant_id, kind, detail, actor, at_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const grantOf = database.prepare('SELECT * FROM grants WHERE grant_id = ?');
  // the note names the actor of the journal row the trigger writes, and is taken back after it
  const setStatus = database.prepare(
    'UPDATE grants SET status = ?, note = ?, updated_ms = ? WHERE grant_id = ?',
  );
  const forgetNote = database.prepare('UPDATE grants SET note = NULL WHERE grant_id = ?');
  const setExpiry = database.prepare('UPDATE grants SET expires_ms = ?, updated_ms = ? WHERE grant_id = ?');
  const addBudget = database.prepare(
    'UPDATE grants SET budget_micro = budget_micro + ?, updated_ms = ? WHERE grant_id = ?',
  );
  const setRoutes = database.prepare(
    'UPDATE grants SET routes = ?, min_price_micro = ?, updated_ms = ? WHERE grant_id = ?',
  );
  const touchBudget = database.prepare('UPDATE grants SET budget_micro = budget_micro WHERE grant_id = ?');
  const setWallet = database.prepare('UPDATE grants SET wallet = ?, updated_ms = ? WHERE grant_id = ?');
  const endSessions = database.prepare(
    'UPDATE grant_sessions SET revoked_ms = ? WHERE grant_id = ? AND revoked_ms IS NULL',
  );
  const debitOf = database.prepare(
    'SELECT grant_id, amount_micro, state FROM grant_debits WHERE debit_id = ?',
  );
  const reverse = database.prepare(
    "UPDATE grant_debits SET state = 'reversed', updated_ms = ? WHERE debit_id = ? AND state = 'debited'",
  );
  const insertSession = database.prepare(`
    INSERT INTO grant_sessions (session_id, grant_id, wallet, account_id, issued_ms, expires_ms)
    VALUES (?, ?, ?, ?, ?, ?)`);
  const insertChallenge = database.prepare(
    'INSERT INTO challenges (nonce, wallet, message, issued_ms, expires_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const dropOldest = database.prepare(`
    DELETE FROM challenges WHERE nonce IN (
      SELECT nonce FROM challenges WHERE wallet = ? AND consumed_ms IS NULL AND expires_ms > ?
      ORDER BY issued_ms DESC, nonce DESC LIMIT -1 OFFSET ?)`);
  const consume = database.prepare(
    'UPDATE challenges SET consumed_ms = ? WHERE nonce = ? AND consumed_ms IS NULL RETURNING *',
  );
  const challengeOf = database.prepare('SELECT 1 FROM challenges WHERE nonce = ?');
  const setOutcome = database.prepare('UPDATE challenges SET outcome = ? WHERE nonce = ?');

  type By = { grantId: string; as: string; atMs: number };

  function changed(grantId: string): GrantChange {
    const row = grantOf.get(grantId);
    return row === undefined ? { kind: 'unknown' } : { kind: 'changed', grant: grantRow(row) };
  }

  /** Runs a change on a grant that exists and is not revoked, and journals it under the operator's name. */
  function change(o: By & { kind: string; detail: string }, act: () => void): GrantChange {
    const row = grantOf.get(o.grantId);
    if (row === undefined) return { kind: 'unknown' };
    if (row['status'] === 'revoked') return { kind: 'illegal' };
    try {
      act();
    } catch (error) {
      if (uniqueViolated(error)) return { kind: 'taken' };
      throw error;
    }
    insertEvent.run(o.grantId, o.kind, o.detail, o.as, o.atMs);
    return changed(o.grantId);
  }

  function moveStatus(
    o: By,
    from: readonly string[],
    to: (row: Record<string, unknown>) => string,
  ): GrantChange {
    const row = grantOf.get(o.grantId);
    if (row === undefined) return { kind: 'unknown' };
    if (!from.includes(String(row['status']))) return { kind: 'illegal' };
    try {
      setStatus.run(to(row), o.as, o.atMs, o.grantId);
    } catch (error) {
      if (uniqueViolated(error)) return { kind: 'taken' };
      throw error;
    }
    forgetNote.run(o.grantId);
    return changed(o.grantId);
  }

  return {
    createGrant: ({ grant: g, as, atMs }) => {
      try {
        insertGrant.run(
          g.grantId,
          g.program,
          g.wallet,
          g.accountId,
          g.budgetMicro,
          g.minPriceMicro,
          g.budgetMicro,
          JSON.stringify(g.routes),
          g.minPriceMicro,
          atMs,
          g.expiresMs,
          atMs,
        );
      } catch (error) {
        if (uniqueViolated(error)) return { kind: 'taken' };
        throw error;
      }
      insertEvent.run(g.grantId, 'created', String(g.budgetMicro), as, atMs);
      return changed(g.grantId);
    },
    suspendGrant: (o) => moveStatus(o, ['active', 'exhausted'], () => 'suspended'),
    resumeGrant: (o) => moveStatus(o, ['suspended'], byRemaining),
    revokeGrant: (o) => {
      const outcome = moveStatus(o, ['active', 'exhausted', 'suspended', 'expired'], () => 'revoked');
      if (outcome.kind === 'changed') endSessions.run(o.atMs, o.grantId);
      return outcome;
    },
    extendGrant: (o) => {
      const row = grantOf.get(o.grantId);
      const detail = String(o.expiresMs);
      if (row?.['status'] === 'expired') {
        const outcome = moveStatus(o, ['expired'], () => 'active');
        if (outcome.kind !== 'changed') return outcome;
      }
      return change({ ...o, kind: 'extend', detail }, () => {
        setExpiry.run(o.expiresMs, o.atMs, o.grantId);
        // lets the trigger judge the remainder of a grant that came back
        touchBudget.run(o.grantId);
      });
    },
    topUpGrant: (o) =>
      change({ ...o, kind: 'topup', detail: String(o.addMicro) }, () =>
        addBudget.run(o.addMicro, o.atMs, o.grantId),
      ),
    setGrantRoutes: (o) =>
      change({ ...o, kind: 'routes', detail: o.routes.join(',') }, () => {
        setRoutes.run(JSON.stringify(o.routes), o.minPriceMicro, o.atMs, o.grantId);
        touchBudget.run(o.grantId);
      }),
    linkGrantWallet: (o) =>
      change({ ...o, kind: 'wallet', detail: o.wallet }, () => setWallet.run(o.wallet, o.atMs, o.grantId)),
    reverseDebit: (o) => {
      if (reverse.run(o.atMs, o.debitId).changes === 0) return false;
      const debit = debitOf.get(o.debitId);
      insertEvent.run(String(debit?.['grant_id']), 'reverse', `${o.debitId}: ${o.reason}`, o.as, o.atMs);
      return true;
    },
    mintSession: ({ session: s, nonce, as }) => {
      insertSession.run(s.sessionId, s.grantId, s.wallet, s.accountId, s.issuedMs, s.expiresMs);
      if (nonce !== null) setOutcome.run('minted', nonce);
      if (as !== undefined) insertEvent.run(s.grantId, 'session', s.sessionId, as, s.issuedMs);
    },
    createChallenge: (c) => {
      insertChallenge.run(c.nonce, c.wallet, c.message, c.issuedMs, c.expiresMs);
      dropOldest.run(c.wallet, c.issuedMs, liveChallenges);
    },
    consumeChallenge: ({ nonce, atMs }) => {
      const row = consume.get(atMs, nonce);
      if (row === undefined) return challengeOf.get(nonce) === undefined ? 'unknown' : 'already_used';
      return {
        nonce,
        wallet: String(row['wallet']),
        message: String(row['message']),
        issuedMs: Number(row['issued_ms']),
        expiresMs: Number(row['expires_ms']),
      };
    },
    setChallengeOutcome: ({ nonce, outcome }) => {
      setOutcome.run(outcome, nonce);
    },
  };
}

function byRemaining(row: Record<string, unknown>): 'active' | 'exhausted' {
  const remaining = Number(row['budget_micro']) - Number(row['spent_micro']);
  return remaining < Number(row['min_price_micro']) ? 'exhausted' : 'active';
}
