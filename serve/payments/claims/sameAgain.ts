import type { ClaimedPayment } from '../../ledger/port/payment.ts';

/** What the same authorization gets when it comes again (I5.25, P8.29). */
export type SameAgain =
  /** its handler lives: wait for the result */
  | 'wait'
  /** outcome unknown: 503, recheck, never submit again */
  | 'pending'
  | 'replay'
  /** the recorded reason, with a fresh challenge */
  | 'failed'
  /** 409 */
  | 'reused'
  /** 402 with a fresh challenge */
  | 'reused_after_failure';

/** The table of I5.25 over state, phase, payload and fingerprint. */
export function sameAgain(
  { payment, receipt }: ClaimedPayment,
  {
    payloadHash,
    fingerprint,
    nowMs,
    liveHere,
    replayWindowMs,
  }: {
    readonly payloadHash: Uint8Array;
    readonly fingerprint: Uint8Array;
    readonly nowMs: number;
    /** A handler or background call of this process works on it. */
    readonly liveHere: boolean;
    readonly replayWindowMs: number;
  },
): SameAgain {
  const identical =
    Buffer.compare(payment.payloadHash, payloadHash) === 0 &&
    Buffer.compare(payment.fingerprint, fingerprint) === 0;
  const status = receipt.chargeStatus;
  if (!identical) return status === 'failed' ? 'reused_after_failure' : 'reused';
  switch (status) {
    case 'authorized':
    case 'submitted':
      return liveHere || (payment.phase === 'calling' && payment.ownerUntilMs > nowMs) ? 'wait' : 'pending';
    case 'settled':
    case 'queued_for_batch': {
      const until = receipt.replayUntilMs ?? receipt.createdMs + replayWindowMs;
      return nowMs < until ? 'replay' : 'reused';
    }
    case 'failed':
      return 'failed';
    case 'not_charged':
    case 'refunded':
    case 'disputed':
      return 'reused';
  }
}
