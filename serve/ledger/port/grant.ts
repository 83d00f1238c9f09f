import { integer, optional, type RowOf, rowReader, text, words } from '../rows/columns.ts';
import { type GrantReceiptInput, type IdemInput, type ReceiptRow, receiptTable } from './receipt.ts';

// grants, their sessions and their debits (PAYMENTS 7, INTERFACE I3.C and I5.E)

export type GrantProgram = 'design_partner_alpha' | 'founding_user_credit';
export type GrantStatus = 'active' | 'exhausted' | 'expired' | 'revoked' | 'suspended';
export type DebitState = 'held' | 'debited' | 'released' | 'reversed';

/** `grants` without the note. */
export const grantTable = {
  grantId: text('grant_id'),
  program: text<GrantProgram>('program'),
  wallet: optional(text('wallet')),
  accountId: optional(text('account_id')),
  /** as stored; expiry is computed from the clock in answers (P7.14) */
  status: text<GrantStatus>('status'),
  budgetMicro: integer('budget_micro'),
  spentMicro: integer('spent_micro'),
  heldMicro: integer('held_micro'),
  /** `GET /v1/readiness`, exact templates (I5.42) */
  routes: words('routes'),
  minPriceMicro: integer('min_price_micro'),
  issuedMs: integer('issued_ms'),
  expiresMs: integer('expires_ms'),
  updatedMs: integer('updated_ms'),
} as const;

export type GrantRow = RowOf<typeof grantTable>;
export const grantRow = rowReader(grantTable);

export type NewGrant = Omit<GrantRow, 'status' | 'spentMicro' | 'heldMicro' | 'issuedMs' | 'updatedMs'>;

export const sessionTable = {
  sessionId: text('session_id'),
  grantId: text('grant_id'),
  wallet: optional(text('wallet')),
  accountId: optional(text('account_id')),
  issuedMs: integer('issued_ms'),
  expiresMs: integer('expires_ms'),
  revokedMs: optional(integer('revoked_ms')),
} as const;

export type GrantSession = RowOf<typeof sessionTable>;

/** `grant_debits` without what only the ledger uses. */
export const debitTable = {
  debitId: text('debit_id'),
  grantId: text('grant_id'),
  sessionId: text('session_id'),
  receiptId: text('receipt_id'),
  routeId: text('route_id'),
  amountMicro: integer('amount_micro'),
  state: text<DebitState>('state'),
  createdMs: integer('created_ms'),
  updatedMs: integer('updated_ms'),
} as const;

/** A debit with the reconciliation key of its receipt. */
export const shownDebitTable = { ...debitTable, reconciliationKey: receiptTable.reconciliationKey } as const;

export type DebitRow = RowOf<typeof shownDebitTable>;

/** `grant_events` without its number and grant. */
export const grantEventTable = {
  kind: text('kind'),
  detail: text('detail'),
  actor: text('actor'),
  atMs: integer('at_ms'),
} as const;

export type GrantEvent = RowOf<typeof grantEventTable>;

/** A hold with its receipt (P7.8). */
export type HoldInput = {
  readonly debitId: string;
  readonly grantId: string;
  readonly sessionId: string;
  /** the route-declared price, more than 0 */
  readonly amountMicro: number;
  /** how long a crash may leave it held: 60 s (P7.11) */
  readonly holdMs: number;
  readonly receipt: GrantReceiptInput;
  readonly idem: IdemInput | null;
};

/** `held` carries receipt and grant as they are after this hold (P7.15). */
export type HoldResult =
  | { readonly kind: 'held'; readonly receipt: ReceiptRow; readonly grant: GrantRow }
  | {
      readonly kind: 'refused';
      readonly why: 'unknown' | 'expired' | 'exhausted' | 'suspended' | 'revoked' | 'insufficient';
      /** null when the grant is unknown */
      readonly grant: GrantRow | null;
    }
  | { readonly kind: 'replay'; readonly receipt: ReceiptRow; readonly grant: GrantRow }
  | { readonly kind: 'idem_conflict' };

/** What came of an operator's change; `illegal` is a transition I3.13 does not have. */
export type GrantChange =
  | { readonly kind: 'changed'; readonly grant: GrantRow }
  | { readonly kind: 'unknown' | 'illegal' | 'over_spent' | 'taken' };

type Change = { readonly grantId: string; readonly as: `operator:${string}`; readonly atMs: number };

/** The stored side of grants; tokens and signatures are checked elsewhere. Every change is journalled. */
export type GrantAdmin = {
  /** `taken`: the wallet or account has a live grant of that program. */
  create(o: { grant: NewGrant; as: `operator:${string}`; atMs: number }): Promise<GrantChange>;
  find(grantId: string): Promise<GrantRow | null>;
  list(): Promise<readonly GrantRow[]>;
  /** Every grant of a wallet, the first to expire first (I5.41). */
  ofWallet(wallet: string): Promise<readonly GrantRow[]>;
  /** In order of their holds; with `newest` the last so many, newest first. */
  debits(grantId: string, o?: { readonly newest: number }): Promise<readonly DebitRow[]>;
  events(grantId: string): Promise<readonly GrantEvent[]>;
  suspend(o: Change): Promise<GrantChange>;
  /** Back to `active` or `exhausted` by the remaining budget. */
  resume(o: Change): Promise<GrantChange>;
  /** Final; its sessions end with it (I3.17). */
  revoke(o: Change): Promise<GrantChange>;
  /** Sets a later end; an expired grant becomes active again. */
  extend(o: Change & { readonly expiresMs: number }): Promise<GrantChange>;
  topUp(o: Change & { readonly addMicro: number }): Promise<GrantChange>;
  setRoutes(
    o: Change & { readonly routes: readonly string[]; readonly minPriceMicro: number },
  ): Promise<GrantChange>;
  linkWallet(o: Change & { readonly wallet: string }): Promise<GrantChange>;
  /** Operator's correction of a committed debit (P7.10); false when it is not `debited`. */
  reverse(o: { debitId: string; as: `operator:${string}`; reason: string; atMs: number }): Promise<boolean>;
  /** Writes a session; in the same transaction a nonce's outcome `minted`, and who handed it out as an operator. */
  mintSession(o: {
    session: Omit<GrantSession, 'revokedMs'>;
    nonce: string | null;
    as?: `operator:${string}`;
  }): Promise<void>;
  session(sessionId: string): Promise<{ readonly session: GrantSession; readonly grant: GrantRow } | null>;
};

/** `challenges` without what became of them. */
export const challengeTable = {
  nonce: text('nonce'),
  wallet: text('wallet'),
  message: text('message'),
  issuedMs: integer('issued_ms'),
  expiresMs: integer('expires_ms'),
} as const;

/** A challenge with the exact bytes to sign (P7.1, P7.2). */
export type ChallengeRow = RowOf<typeof challengeTable>;

export type ChallengeStore = {
  /** Stores one; of more than five live ones of a wallet the oldest is dropped (P7.2). */
  create(row: ChallengeRow): Promise<void>;
  /** Spends the nonce, also when no session follows (P7.3). */
  consume(o: { nonce: string; atMs: number }): Promise<ChallengeRow | 'unknown' | 'already_used'>;
  setOutcome(o: {
    nonce: string;
    outcome: 'bad_signature' | 'not_enrolled' | 'grant_not_active';
  }): Promise<void>;
};
