import type { Admit, Refuse } from '../../access/accessDecision.ts';
import { refuse } from '../../access/accessDecision.ts';
import type { Delivery, Ledger, LedgerTime, ReceiptRow } from '../../ledger/ledger.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import { replayWindowMs } from '../../ledger/receipt.ts';
import type { Settlements } from '../settlements.ts';
import { within } from '../within.ts';
import {
  answerReceipt,
  nonceReused,
  type PaymentFacts,
  paymentInProgress,
  settlementPending,
} from '../x402/paymentAnswers.ts';
import { sameAgain } from '../x402/sameAgain.ts';
import { sharedLooks } from './sharedLooks.ts';
import { undeliveredClaims } from './undeliveredClaims.ts';

/** What one rail says in its own headers and codes. */
export type RailWords = {
  /** Flat list of the headers of a served payment. */
  success(payment: PaymentFacts, receipt: ReceiptRow): string[];
  /** `recorded`: the refusal of an earlier call is repeated (I5.25). */
  refused(payment: PaymentFacts, reason: string, when: 'now' | 'recorded'): Refuse;
};

/** A payment as it identifies itself when it comes again. */
export type SeenPayment = {
  readonly claimKey: Uint8Array;
  readonly payloadHash: Uint8Array;
  readonly fingerprint: Uint8Array;
  readonly nowMs: number;
};

/** Answers from what the ledger knows of a claim; nothing is verified or sent here (I5.25–I5.28, I5.53). */
export type KnownClaims = {
  /** What a receipt that has an outcome is answered with; open ones are 503 (I5.28). */
  answerOf(payment: PaymentFacts, receipt: ReceiptRow, replayed: boolean): Admit | Refuse;
  /** Follows I5.25 for an authorization that is known. */
  again(found: ClaimedPayment, seen: SeenPayment): Promise<Admit | Refuse>;
  /** An earlier answer of this payer to this request that never arrived (P2.46, I5.53). */
  undelivered(o: { payer: string; fingerprint: Uint8Array; nowMs: number }): Promise<Admit | Refuse | null>;
};

const inProgressMs = 5000;
const peekMs = 100;
const lookMs = 2000;

/** Builds the answers of one rail. */
export function knownClaims(o: {
  ledger: Pick<Ledger, 'findClaim' | 'findUndelivered' | 'delivered' | 'replayed' | 'onReceipt'>;
  settlements: Pick<Settlements, 'running'>;
  time: LedgerTime;
  /** Looks at an open claim again, on the chain or at the gateway; null when nothing can be learned (I5.25). */
  recheck(found: ClaimedPayment): Promise<ReceiptRow | null>;
  /** `II_PAY_DOUBLE_GUARD` (P2.46). */
  doubleGuard: boolean;
  words: RailWords;
}): KnownClaims {
  const { ledger, words } = o;
  const undeliveredHere = undeliveredClaims();
  const look = sharedLooks({ look: o.recheck, time: o.time });

  /** How an answer of a claim ended, for the ledger and for the guard (P1.14, P2.46). */
  function delivered(payment: PaymentFacts, receipt: ReceiptRow, delivery: Delivery): void {
    const claim = { ...payment, fingerprint: receipt.fingerprint };
    if (delivery === 'undelivered') undeliveredHere.note(claim);
    else undeliveredHere.forget(claim);
    ledger.delivered(receipt.receiptId, delivery);
  }

  /** Serves a settled or queued receipt (I5.18, I5.26). */
  function serve(payment: PaymentFacts, receipt: ReceiptRow, replayed: boolean): Admit {
    const headers = words.success(payment, receipt);
    if (replayed) {
      headers.push('Idempotent-Replay', 'true');
      ledger.replayed(receipt.receiptId);
    }
    return {
      kind: 'admit',
      receipt: answerReceipt({ payment, receipt, replayed }),
      apiKeyId: null,
      replayed,
      headers,
      done: (delivery) => {
        // a replay that breaks off takes nothing back from an answer that arrived
        if (!replayed || delivery === 'delivered') delivered(payment, receipt, delivery);
      },
    };
  }

  function answerOf(payment: PaymentFacts, receipt: ReceiptRow, replayed: boolean): Admit | Refuse {
    switch (receipt.chargeStatus) {
      case 'settled':
      case 'queued_for_batch':
        return serve(payment, receipt, replayed);
      case 'failed':
        return words.refused(payment, receipt.failureReason ?? 'unspecified', 'now');
      default:
        // the answer was given up, so the guard may find this claim (P2.46)
        delivered(payment, receipt, 'undelivered');
        return refuse(settlementPending(receipt.receiptId));
    }
  }

  /** Tells of a receipt once it may have moved; a hint is kept for who does not wait just then (P8.18, P8.34). */
  function hintsOf(receiptId: string) {
    let heard = false;
    let wake = (): void => {};
    const stop = ledger.onReceipt((moved) => {
      if (moved !== receiptId) return;
      heard = true;
      wake();
    });
    /** Resolves at the next hint, and without one when it is time to look anyway. */
    async function next(): Promise<void> {
      if (!heard) {
        await new Promise<void>((resolve) => {
          const cancel = o.time.after(peekMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      heard = false;
    }
    return { next, stop };
  }

  /** Waits for the handler that has the claim, here or on another server, for at most 5 s (P8.34). */
  async function follow(found: ClaimedPayment, running: Promise<ReceiptRow> | null): Promise<Admit | Refuse> {
    if (running !== null) {
      const receipt = await within(running, inProgressMs, o.time);
      if (receipt !== 'late') return answerOf(found.payment, receipt, true);
      return refuse(paymentInProgress(found.receipt.receiptId));
    }
    const hints = hintsOf(found.receipt.receiptId);
    try {
      const untilMs = o.time.nowMs() + inProgressMs;
      while (o.time.nowMs() < untilMs) {
        await hints.next();
        const latest = await ledger.findClaim(found.payment.claimKey);
        const status = latest?.receipt.chargeStatus;
        if (latest !== null && status !== 'authorized' && status !== 'submitted')
          return answerOf(latest.payment, latest.receipt, true);
      }
      return refuse(paymentInProgress(found.receipt.receiptId));
    } finally {
      hints.stop();
    }
  }

  return {
    answerOf,
    async again(found, seen) {
      const { receipt } = found;
      const running = o.settlements.running(seen.claimKey);
      const verdict = sameAgain(found, { ...seen, liveHere: running !== null, replayWindowMs });
      switch (verdict) {
        case 'reused':
          return nonceReused(receipt.receiptId, false);
        case 'reused_after_failure':
          return nonceReused(receipt.receiptId, true);
        case 'failed':
          // a recorded failure is the payment's end, whoever was at fault (I5.25)
          return words.refused(found.payment, receipt.failureReason ?? 'unspecified', 'recorded');
        case 'replay':
          return serve(found.payment, receipt, true);
        case 'wait':
          return follow(found, running);
        case 'pending': {
          const looked = await within(look(found), lookMs, o.time);
          const latest = looked === 'late' ? null : looked;
          return answerOf(found.payment, latest ?? receipt, true);
        }
      }
    },
    async undelivered({ payer, fingerprint, nowMs }) {
      if (!o.doubleGuard) return null;
      const here = undeliveredHere.find(payer, fingerprint);
      const earlier =
        here === null
          ? await ledger.findUndelivered({ payer, fingerprint, sinceMs: nowMs - replayWindowMs })
          : await ledger.findClaim(here);
      if (earlier === null || earlier.payment.createdMs < nowMs - replayWindowMs) return null;
      // another server may have delivered it since
      if (earlier.receipt.delivery === 'delivered') return null;
      const { chargeStatus, receiptId } = earlier.receipt;
      if (chargeStatus === 'settled' || chargeStatus === 'queued_for_batch')
        return serve(earlier.payment, earlier.receipt, true);
      return chargeStatus === 'authorized' || chargeStatus === 'submitted'
        ? refuse(settlementPending(receiptId))
        : null;
    },
  };
}
