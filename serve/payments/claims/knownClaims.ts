import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type Admit, type Claimed, type Refuse, refuse } from '../../access/accessDecision.ts';
import type { RateLimiter } from '../../http/rateLimit.ts';
import type { Delivery, Ledger, LedgerTime, ReceiptRow } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment, ClaimInput } from '../../ledger/port/payment.ts';
import { replayWindowMs } from '../../ledger/rows/receipt.ts';
import { type PaymentFacts, type SettleCall, type Settlements, within } from '../settle/settlements.ts';
import {
  answerReceipt,
  claimOrPending,
  nonceReused,
  type ProofOf,
  paymentInProgress,
  settlementPending,
} from './claimAnswers.ts';
import { sameAgain, type UndeliveredClaims } from './sameAgain.ts';

/** How a rail refuses a payment; `recorded`: the refusal of an earlier call is repeated (I5.25). */
export type RefusedPayment = (payment: PaymentFacts, reason: string, when: 'now' | 'recorded') => Refuse;

/** A payment as it identifies itself when it comes again. */
export type SeenPayment = {
  readonly claimKey: Uint8Array;
  readonly payloadHash: Uint8Array;
  readonly fingerprint: Uint8Array;
  readonly nowMs: number;
};

/** Answers from what the ledger knows of a claim; nothing is verified or sent here (I5.25–I5.28, I5.53). */
export type KnownClaims = {
  /** Follows I5.25 for an authorization that is known. */
  again(found: ClaimedPayment, seen: SeenPayment): Promise<Admit | Refuse>;
  /**
   * Claims a payment, durably; the claim that is ours is settled by `call`, whose end is told to `ended`. A request waits
   * for it no longer than `settleWaitMs`.
   */
  claim(o: {
    readonly input: ClaimInput;
    readonly seen: SeenPayment;
    /** The refusal where another value of it than its key is taken (P8.22a). */
    conflict(): IssuerError;
    call(receiptId: string): ReturnType<SettleCall>;
    ended?(): void;
  }): Promise<Refuse | Admit | Claimed>;
  /**
   * An earlier answer of this payer to this request that never arrived; what was seen becomes its alias (P2.46, P2.46a,
   * I5.53).
   */
  undelivered(seen: SeenPayment & { readonly payer: string }): Promise<Admit | Refuse | null>;
};

const inProgressMs = 5000;
const pollMs = 100;
const recheckMs = 2000;

type ClaimDeps = {
  readonly ledger: Pick<
    Ledger,
    'claim' | 'findClaim' | 'findUndelivered' | 'alias' | 'delivered' | 'replayed' | 'onReceipt'
  >;
  readonly settlements: Pick<Settlements, 'running' | 'start'>;
  readonly settleWaitMs: number;
  readonly time: LedgerTime;
  /** Rechecks an open claim on the chain or at the gateway; null without a definite answer (I5.25). */
  recheck(found: ClaimedPayment): Promise<ReceiptRow | null>;
  /** `II_PAY_DOUBLE_GUARD` (P2.46). */
  readonly doubleGuard: boolean;
  readonly proofOf: ProofOf;
  readonly refused: RefusedPayment;
  /** Shared by the rails of a server: a tool call can be paid on either, so one may answer for the other (P2.46). */
  readonly undeliveredHere: UndeliveredClaims;
};

/** What a rail of any kind works with. */
export type RailDeps = Omit<ClaimDeps, 'refused'> & {
  readonly ledger: Ledger;
  readonly settlements: Settlements;
  readonly limiter: RateLimiter;
  /** Name of this server in claims (P8.40). */
  readonly owner: string;
  ulid(): string;
};

/** Builds the answers of one rail. */
export function knownClaims(deps: ClaimDeps): KnownClaims {
  const rail = { ...deps, recheck: sharedRechecks(deps) };
  return {
    again: (found, seen) => again(rail, found, seen),
    claim: (asked) => claim(rail, asked),
    undelivered: (seen) => undelivered(rail, seen),
  };
}

/** A claim and its receipt as it is now. */
type Claim = { readonly payment: PaymentFacts; readonly receipt: ReceiptRow };

/** How an answer of a claim ended, for the ledger and for the guard (P1.14, P2.46). */
function delivered(
  { ledger, undeliveredHere }: ClaimDeps,
  { payment, receipt }: Claim,
  delivery: Delivery,
): void {
  const claim = { ...payment, fingerprint: receipt.fingerprint };
  if (delivery === 'undelivered') undeliveredHere.note(claim);
  else undeliveredHere.forget(claim);
  ledger.delivered(receipt.receiptId, delivery);
}

/** Serves a settled or queued receipt (I5.18, I5.26). */
function serve(rail: ClaimDeps, { payment, receipt }: Claim, replayed: boolean): Admit {
  const { headers, meta } = rail.proofOf(payment, receipt);
  if (replayed) rail.ledger.replayed(receipt.receiptId);
  return {
    kind: 'admit',
    receipt: answerReceipt({ payment, receipt, replayed }),
    apiKeyId: null,
    replayed,
    headers: replayed ? [...headers, 'Idempotent-Replay', 'true'] : headers,
    meta,
    done: (delivery) => {
      // a replay that breaks off takes nothing back from an answer that arrived
      if (!replayed || delivery === 'delivered') delivered(rail, { payment, receipt }, delivery);
    },
  };
}

async function claim(
  rail: ClaimDeps,
  { input, seen, conflict, call, ended = () => {} }: Parameters<KnownClaims['claim']>[0],
): Promise<Refuse | Admit | Claimed> {
  const { receiptId } = input.receipt;
  const result = await claimOrPending(receiptId, () => rail.ledger.claim(input));
  if (!result.won) return result.conflict === null ? again(rail, result, seen) : refuse(conflict());
  const ours = { payment: input, receipt: result.receipt };
  return {
    kind: 'claimed',
    async settle() {
      const running = rail.settlements.start(ours, () => call(receiptId));
      running.then(ended, ended);
      const receipt = await within(running, rail.settleWaitMs, rail.time);
      return answerOf(rail, receipt === 'late' ? ours : { payment: input, receipt }, false);
    },
  };
}

/** The answer to a receipt with an outcome; open ones are 503 (I5.28). */
function answerOf(rail: ClaimDeps, claim: Claim, replayed: boolean): Admit | Refuse {
  const { payment, receipt } = claim;
  switch (receipt.chargeStatus) {
    case 'settled':
    case 'queued_for_batch':
      return serve(rail, claim, replayed);
    case 'failed':
      return rail.refused(payment, receipt.failureReason ?? 'unspecified', 'now');
    default:
      // this request ends without an answer, so the double-payment guard may find its claim (P2.46)
      delivered(rail, claim, 'undelivered');
      return refuse(settlementPending(receipt.receiptId));
  }
}

/** The answer to a repeat that waited. */
function answerAgain(rail: ClaimDeps, claim: Claim, seen: SeenPayment): Admit | Refuse {
  return setsFree(claim, seen)
    ? refuse(settlementPending(claim.receipt.receiptId))
    : answerOf(rail, claim, true);
}

async function again(rail: ClaimDeps, found: ClaimedPayment, seen: SeenPayment): Promise<Admit | Refuse> {
  const { settlements, ledger, time } = rail;
  const { payment, receipt } = found;
  if (setsFree(found, seen)) return refuse(settlementPending(receipt.receiptId));
  const running = settlements.running(payment.claimKey);
  const verdict = sameAgain(found, { ...seen, liveHere: running !== null, replayWindowMs });
  switch (verdict) {
    case 'reused':
      return nonceReused(receipt.receiptId, false);
    case 'reused_after_failure':
      return nonceReused(receipt.receiptId, true);
    case 'failed':
      // a recorded failure ends the payment, even when the provider was at fault (I5.25)
      return rail.refused(payment, receipt.failureReason ?? 'unspecified', 'recorded');
    case 'replay':
      return serve(rail, found, true);
    case 'wait': {
      const ended = await outcomeOf(found, { running, ledger, time });
      return ended === null ? refuse(paymentInProgress(receipt.receiptId)) : answerAgain(rail, ended, seen);
    }
    case 'pending': {
      const answered = unlessAway(() => rail.recheck(found));
      const checked = await within(answered, recheckMs, time);
      const latest = checked === 'late' ? null : checked;
      return answerAgain(rail, { payment, receipt: latest ?? receipt }, seen);
    }
  }
}

/** Answers a second signature under the receipt of an earlier payment, durably before the first byte (P2.46a). */
async function answerUnder(
  rail: ClaimDeps,
  earlier: ClaimedPayment,
  seen: SeenPayment,
): Promise<Admit | Refuse | null> {
  const { ledger } = rail;
  const { payment, receipt } = earlier;
  const { claimKey, payloadHash, nowMs: atMs } = seen;
  const alias = { claimKey, payloadHash, answeredBy: payment.claimKey, atMs };
  const bound = await unlessAway(() => ledger.alias(alias));
  if (bound === false) {
    const found = await ledger.findClaim(claimKey);
    return found === null ? null : again(rail, found, seen);
  }
  const answers = bound !== null && isCharged(receipt);
  return answers ? serve(rail, earlier, true) : refuse(settlementPending(receipt.receiptId));
}

async function undelivered(
  rail: ClaimDeps,
  seen: SeenPayment & { readonly payer: string },
): Promise<Admit | Refuse | null> {
  const { ledger, undeliveredHere } = rail;
  if (!rail.doubleGuard) return null;
  const { payer, fingerprint, nowMs } = seen;
  const here = undeliveredHere.find(payer, fingerprint);
  const earlier =
    here === null
      ? await ledger.findUndelivered({ payer, fingerprint, sinceMs: nowMs - replayWindowMs })
      : await ledger.findClaim(here);
  if (earlier === null || earlier.payment.createdMs < nowMs - replayWindowMs) return null;
  const { receipt } = earlier;
  // another server may have delivered it since
  if (receipt.delivery === 'delivered' || !(isCharged(receipt) || isOpen(receipt))) return null;
  return answerUnder(rail, earlier, seen);
}

/** Waits for the handler that has the claim, here or on another server, for at most 5 s (P8.34); null while it is open. */
async function outcomeOf(
  found: ClaimedPayment,
  {
    running,
    ledger,
    time,
  }: {
    running: Promise<ReceiptRow> | null;
    ledger: Pick<Ledger, 'findClaim' | 'onReceipt'>;
    time: LedgerTime;
  },
): Promise<ClaimedPayment | null> {
  const { payment, receipt } = found;
  if (running !== null) {
    const ended = await within(
      unlessAway(() => running),
      inProgressMs,
      time,
    );
    return ended === 'late' || ended === null ? null : { payment, receipt: ended };
  }
  const notifications = notificationsOf(receipt.receiptId, { ledger, time });
  try {
    const untilMs = time.nowMs() + inProgressMs;
    while (time.nowMs() < untilMs) {
      await notifications.next();
      const latest = await unlessAway(() => ledger.findClaim(payment.claimKey));
      if (latest !== null && !isOpen(latest.receipt)) return latest;
    }
    return null;
  } finally {
    notifications.stop();
  }
}

/** Wakes the waiter when the receipt may have changed; a notification between two waits counts (P8.18, P8.34). */
function notificationsOf(
  receiptId: string,
  { ledger, time }: { ledger: Pick<Ledger, 'onReceipt'>; time: LedgerTime },
) {
  let notified = false;
  let wake = (): void => {};
  const stop = ledger.onReceipt((moved) => {
    if (moved !== receiptId) return;
    notified = true;
    wake();
  });
  /** Resolves at the next notification, or after the poll interval. */
  async function next(): Promise<void> {
    if (!notified) {
      await new Promise<void>((resolve) => {
        const cancel = time.after(pollMs, resolve);
        wake = () => {
          cancel();
          resolve();
        };
      });
    }
    notified = false;
  }
  return { next, stop };
}

function isCharged({ chargeStatus }: ReceiptRow): boolean {
  return chargeStatus === 'settled' || chargeStatus === 'queued_for_batch';
}

function isOpen({ chargeStatus }: ReceiptRow): boolean {
  return chargeStatus === 'authorized' || chargeStatus === 'submitted';
}

/** The payment behind an alias failed meanwhile: the alias is to be repeated as it is, not signed again (P2.46a). */
function setsFree({ payment, receipt }: Claim, seen: SeenPayment): boolean {
  return receipt.chargeStatus === 'failed' && Buffer.compare(payment.claimKey, seen.claimKey) !== 0;
}

/**
 * Asks for the state of a payment that was claimed; null while the ledger gives no answer. Its money may move
 * meanwhile: the answer to that is `settlement_pending` or `payment_in_progress`, never that nothing was stored (X50).
 */
async function unlessAway<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof IssuerError) return null;
    throw error;
  }
}

const freshMs = 1000;

type Running = { readonly atMs: number; ended: boolean; readonly result: Promise<ReceiptRow | null> };

/**
 * Rechecks open claims for repeated payments (I5.25): repeats share the recheck that runs, and its result answers those
 * within a second of its start. So a flood of repeats costs the chain or the gateway one call a second.
 */
function sharedRechecks({
  recheck,
  time,
}: {
  recheck(found: ClaimedPayment): Promise<ReceiptRow | null>;
  time: Pick<LedgerTime, 'nowMs'>;
}): (found: ClaimedPayment) => Promise<ReceiptRow | null> {
  const rechecks = new Map<string, Running>();

  // a clock that stepped back makes nothing younger
  function isFresh({ atMs, ended }: Running, nowMs: number): boolean {
    const age = nowMs - atMs;
    return !ended || (age >= 0 && age < freshMs);
  }

  function start(key: string, found: ClaimedPayment, nowMs: number): Running {
    for (const [old, one] of rechecks) if (!isFresh(one, nowMs)) rechecks.delete(old);
    const result = recheck(found).finally(() => {
      running.ended = true;
    });
    const running: Running = { atMs: nowMs, ended: false, result };
    rechecks.set(key, running);
    return running;
  }

  return (found) => {
    const key = Buffer.from(found.payment.claimKey).toString('hex');
    const nowMs = time.nowMs();
    const known = rechecks.get(key);
    return (known !== undefined && isFresh(known, nowMs) ? known : start(key, found, nowMs)).result;
  };
}
