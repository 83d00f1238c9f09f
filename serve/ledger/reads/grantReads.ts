import type { DebitRow, GrantEvent, GrantRow, GrantSession } from '../port/grant.ts';
import { debitRow, grantEventRow, grantRow, sessionRow } from '../rows/tables.ts';
import { firstOf, rowsOf, type Steps, statement } from '../steps/steps.ts';

/** The reads of grants, their sessions and their debits. */
export const grantStatements = {
  grant: statement('SELECT * FROM grants WHERE grant_id = $1'),
  all: statement('SELECT * FROM grants ORDER BY issued_ms, grant_id'),
  ofWallet: statement('SELECT * FROM grants WHERE wallet = $1 ORDER BY expires_ms, grant_id'),
  debits: statement(`SELECT d.*, r.reconciliation_key FROM grant_debits d
    JOIN receipts r ON r.receipt_id = d.receipt_id
    WHERE d.grant_id = $1 ORDER BY d.created_ms, d.debit_id`),
  newestDebits: statement(`SELECT d.*, r.reconciliation_key FROM grant_debits d
    JOIN receipts r ON r.receipt_id = d.receipt_id
    WHERE d.grant_id = $1 ORDER BY d.created_ms DESC, d.debit_id DESC LIMIT $2`),
  events: statement('SELECT * FROM grant_events WHERE grant_id = $1 ORDER BY event_id'),
  session: statement('SELECT * FROM grant_sessions WHERE session_id = $1'),
} as const;

export function* grantOf(grantId: string): Steps<GrantRow | null> {
  const row = yield* firstOf(grantStatements.grant, grantId);
  return row === null ? null : grantRow(row);
}

export function* allGrants(): Steps<GrantRow[]> {
  return (yield* rowsOf(grantStatements.all)).map(grantRow);
}

/** Every grant of a wallet, the first to expire first (I5.41). */
export function* grantsOfWallet(wallet: string): Steps<GrantRow[]> {
  return (yield* rowsOf(grantStatements.ofWallet, wallet)).map(grantRow);
}

/** In order of their holds; with `newest` the last so many, newest first. */
export function* debitsOf(grantId: string, newest: number | null): Steps<DebitRow[]> {
  const { debits, newestDebits } = grantStatements;
  const rows = newest === null ? rowsOf(debits, grantId) : rowsOf(newestDebits, grantId, newest);
  return (yield* rows).map(debitRow);
}

export function* grantEventsOf(grantId: string): Steps<GrantEvent[]> {
  return (yield* rowsOf(grantStatements.events, grantId)).map(grantEventRow);
}

/** A session with the grant it spends from. */
export function* sessionOf(sessionId: string): Steps<{ session: GrantSession; grant: GrantRow } | null> {
  const row = yield* firstOf(grantStatements.session, sessionId);
  if (row === null) return null;
  const session = sessionRow(row);
  const grant = yield* grantOf(session.grantId);
  return grant === null ? null : { session, grant };
}
