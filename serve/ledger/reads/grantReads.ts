import {
  type DebitRow,
  type GrantEvent,
  type GrantRow,
  type GrantSession,
  grantEventTable,
  grantRow,
  grantTable,
  sessionTable,
  shownDebitTable,
} from '../port/grant.ts';
import { firstOf, rowsBy, type Steps, statement } from '../steps/steps.ts';

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

export function allGrants(): Steps<readonly GrantRow[]> {
  return rowsBy(grantTable, grantStatements.all);
}

/** Every grant of a wallet, the first to expire first (I5.41). */
export function grantsOfWallet(wallet: string): Steps<readonly GrantRow[]> {
  return rowsBy(grantTable, grantStatements.ofWallet, wallet);
}

/** In order of their holds; with `newest` the last so many, newest first. */
export function debitsOf(grantId: string, newest: number | null): Steps<readonly DebitRow[]> {
  const { debits, newestDebits } = grantStatements;
  return newest === null
    ? rowsBy(shownDebitTable, debits, grantId)
    : rowsBy(shownDebitTable, newestDebits, grantId, newest);
}

export function grantEventsOf(grantId: string): Steps<readonly GrantEvent[]> {
  return rowsBy(grantEventTable, grantStatements.events, grantId);
}

/** A session with the grant it spends from. */
export function* sessionOf(sessionId: string): Steps<{ session: GrantSession; grant: GrantRow } | null> {
  const [session] = yield* rowsBy(sessionTable, grantStatements.session, sessionId);
  if (session === undefined) return null;
  const grant = yield* grantOf(session.grantId);
  return grant === null ? null : { session, grant };
}
