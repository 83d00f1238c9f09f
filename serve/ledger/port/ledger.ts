import type { CheckReport, ExportRow } from './books.ts';
import type { CheckoutStore } from './checkout.ts';
import type { DayInput, FiguresInput, LedgerDay, LedgerFigures } from './day.ts';
import type { ChallengeStore, GrantAdmin, HoldInput, HoldResult } from './grant.ts';
import type { JobQueue } from './job.ts';
import type { KeyAdmin } from './key.ts';
import type {
  AliasInput,
  CheckNote,
  ClaimedPayment,
  ClaimInput,
  ClaimResult,
  DueKind,
  Transition,
  UnknownOutcome,
  Watchlist,
} from './payment.ts';
import type { Delivery, IdemInput, JournalRow, ReceiptInput, ReceiptRow } from './receipt.ts';

// the ledger port (PAYMENTS 8.A): the rest of the server sees money state through these types and nothing else

export type { ApiKeyInfo, ApiKeyRecord, KeyAdmin, KeyScope, NewApiKey } from './key.ts';
export type { ChargeStatus, Delivery, ReceiptInput, ReceiptRow, ReceiptView } from './receipt.ts';

/**
 * Why the ledger refuses work. `restored_copy` refuses what moves money or budget only (S38): uncharged
 * receipts are still taken.
 */
export type LedgerFailure =
  | 'not_open'
  | 'disk_full'
  | 'disk_low'
  | 'file_busy'
  | 'writer_restarting'
  | 'writer_dead'
  | 'unreachable'
  | 'restored_copy';

/** `failing` makes `/ready` and every paid route 503 (I3.6); `restored_copy` leaves API keys working. */
export type LedgerHealth = {
  readonly status: 'ok' | 'failing';
  readonly reason: LedgerFailure | null;
  /** operations handed over and not yet durable */
  readonly waiting: number;
  /** an operation has waited longer than 2 s (P8.8) */
  readonly slow: boolean;
};

/** What one sweep of the worker ended or forgot (P7.11, P7.14, P8.62). */
export type SweepReport = {
  readonly holdsReleased: number;
  readonly grantsExpired: number;
  readonly challengesDeleted: number;
  readonly idempotencyDeleted: number;
  readonly webhooksDeleted: number;
  /** charged answers whose handler ended before it recorded their delivery: `undelivered` from now on */
  readonly answersLost: number;
};

/**
 * Money state of one deployment. Every method is one transaction (P8.2); a promise resolves after it is durable
 * (P8.3); conflicts are results, exceptions mean the ledger is unavailable or the code is wrong (P8.4).
 *
 * Methods that move money throw IssuerError `settlement_unavailable` when the ledger cannot write and
 * `overloaded` when its queue is full (P8.8): nothing was taken then, and the answer is that 503. They throw
 * `store_unwritable` when the outcome of a write is unknown (P8.10, P8.16). Methods that only read throw
 * `settlement_unavailable` when the ledger gives no answer.
 */
export type Ledger = {
  /** @throws IssuerError `configuration` or `store_unwritable` when the store cannot keep its promises (P8.5). */
  open(): Promise<void>;
  /** Makes everything handed over durable, then lets go of the store. */
  close(): Promise<void>;
  health(): Promise<LedgerHealth>;

  /**
   * The read-only lookup of I5.14 check 6. An alias is found as the payment that answered it, with the payload hash of
   * the alias; one whose payment failed is not found (P2.46a).
   */
  findClaim(claimKey: Uint8Array): Promise<ClaimedPayment | null>;
  /**
   * The double-payment guard's lookup (P2.46): the claim of this payer for this request since `sinceMs` whose
   * answer was not delivered and whose handler has ended; settled and queued ones first. A handler that answered
   * 503 and called `delivered(…, 'undelivered')` counts as ended, although its call may run on.
   */
  findUndelivered(o: {
    payer: string;
    fingerprint: Uint8Array;
    sinceMs: number;
  }): Promise<ClaimedPayment | null>;
  /**
   * Makes a credential an alias of the payment that answers it; false: it was claimed or answered meanwhile, or the
   * payment failed, read again (P2.46a).
   */
  alias(alias: AliasInput): Promise<boolean>;
  findReceipt(receiptId: string): Promise<ReceiptRow | null>;
  /** The receipt a gateway's transfer belongs to (P3.9). */
  findTransfer(gatewayTransferId: string): Promise<ReceiptRow | null>;
  journal(receiptId: string): Promise<readonly JournalRow[]>;
  /** The claim, T2, T3 or the hand-over mark, and the settlement job, in one transaction (P8.22). */
  claim(claim: ClaimInput): Promise<ClaimResult>;
  /** False: another writer was faster, read again (P8.27). */
  transition(transition: Transition): Promise<boolean>;
  /** Stores that the call ended without a definite answer; false when the phase is no longer `calling`. */
  noteUnknown(outcome: UnknownOutcome): Promise<boolean>;
  /** Stores a transaction hash a provider has named, before the call is repeated (P2.39). */
  noteTx(claimKey: Uint8Array, txHash: string): Promise<void>;
  /** Hands over that the handler or its background call of these claims still lives (P8.40). */
  renew(o: { claimKeys: readonly Uint8Array[]; owner: string; ownerUntilMs: number }): void;
  /**
   * Takes an uncharged receipt over, to be called before the first byte and not awaited (P6.6): the row that is
   * durable at the latest 100 ms later (P8.3).
   */
  noteNotCharged(receipt: ReceiptInput): ReceiptRow;
  /** The same with an `Idempotency-Key`: the row decides which receipt the answer quotes (P6.6). */
  insertNotCharged(
    receipt: ReceiptInput,
    idem: IdemInput,
  ): Promise<ReceiptRow | { readonly replayOf: ReceiptRow } | 'idem_conflict'>;
  hold(hold: HoldInput): Promise<HoldResult>;
  /** Commit or release (P7.9); false when the hold had already ended. Need not be awaited. */
  endHold(debitId: string, to: 'debited' | 'released'): Promise<boolean>;
  /** Takes the final delivery state over, durable at the latest 100 ms later (P1.14). */
  delivered(receiptId: string, delivery: Delivery): void;
  /** Hands over that a receipt was served again (P8.30). */
  replayed(receiptId: string): void;

  /**
   * Leases due claims to this worker by compare-and-set of their owner (P8.40). Settled and queued ones need no handler
   * to have ended: their call has (P8.54).
   */
  takeDue(o: {
    kind: DueKind;
    owner: string;
    leaseMs: number;
    limit: number;
  }): Promise<readonly ClaimedPayment[]>;
  /** Ends one check of a leased claim; false when the lease was lost. */
  noteCheck(note: CheckNote): Promise<boolean>;
  /** Epoch milliseconds of the clock its rows end by, which all its processes share (S37). */
  clock(): Promise<number>;
  /** Releases holds whose time is over at an instant, expires grants, forgets what may be forgotten; now by default. */
  sweep(atMs?: number): Promise<SweepReport>;
  /** Queued and not yet completed, of one payer and in total (P3.11). */
  queuedExposure(
    payerIdentity: string,
  ): Promise<{ readonly payerMicro: number; readonly totalMicro: number }>;
  /** Tells when a receipt may have moved, here or on another server (P8.18, P8.34): a hint, the row decides. */
  onReceipt(listener: (receiptId: string) => void): () => void;

  readonly jobs: JobQueue;
  readonly grants: GrantAdmin;
  readonly keys: KeyAdmin;
  readonly challenges: ChallengeStore;
  readonly checkout: CheckoutStore;
  readonly watchlist: Watchlist;

  /** Rows created from `fromMs` up to, not including, `toMs`, of one snapshot (P8.61). */
  export(o: { fromMs: number; toMs: number }): AsyncIterable<ExportRow>;
  check(): Promise<CheckReport>;
  /**
   * Figures of the operations page, read beside the server's work; the caller keeps them for a while.
   *
   * @throws IssuerError `settlement_unavailable` when they cannot be read, or not within `withinMs`.
   */
  figures(o: FiguresInput): Promise<LedgerFigures>;
  /** A day of the books for the operator's report, of one snapshot; for a process of its own, it may take seconds. */
  day(o: DayInput): Promise<LedgerDay>;
  /** Whether this is an older copy that was restored, and since when it may have forgotten payments (S38). */
  restored(): Promise<RestoredCopy | null>;
  /** Accepts a ledger restored from an older copy after `ledger check --chain` has run (S38); records who did. */
  acceptRestored(as: `operator:${string}` | null): Promise<void>;
};

/** Why a ledger counts as restored, and from when on it may have forgotten payments; null when it knows none. */
export type RestoredCopy = { readonly sinceMs: number | null };

/** The part of the ledger that answers with an API key need (P8.63). */
export type UnchargedLedger = Pick<
  Ledger,
  'open' | 'close' | 'health' | 'noteNotCharged' | 'insertNotCharged' | 'replayed' | 'delivered' | 'keys'
>;

/** Clock and timers of the ledger and the key ring, injected so that tests decide what time it is. */
export type LedgerTime = {
  /** milliseconds since the epoch */
  nowMs(): number;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
};

/** One structured line; carries ids, counts and codes, never a credential (P6.7). */
export type LedgerLog = (line: {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
}) => void;
