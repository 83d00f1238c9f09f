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

/**
 * Claims whose answer did not arrive, as this process knows them: the ledger stores it with its next batch, and a
 * client that signs again can be faster (P2.46).
 */
export type UndeliveredClaims = {
  note(claim: ClaimOfRequest): void;
  forget(claim: ClaimOfRequest): void;
  find(payer: string, fingerprint: Uint8Array): Uint8Array | null;
};

type ClaimOfRequest = {
  readonly payer: string;
  readonly fingerprint: Uint8Array;
  readonly claimKey: Uint8Array;
};

const maxRemembered = 10_000;

/** Remembers the newest ones; the ledger has the others by then. */
export function undeliveredClaims(): UndeliveredClaims {
  const claims = new Map<string, Uint8Array>();
  const keyOf = (payer: string, fingerprint: Uint8Array): string =>
    `${payer} ${Buffer.from(fingerprint).toString('base64')}`;
  return {
    note({ payer, fingerprint, claimKey }) {
      claims.set(keyOf(payer, fingerprint), claimKey);
      for (const oldest of claims.keys()) {
        if (claims.size <= maxRemembered) break;
        claims.delete(oldest);
      }
    },
    forget: ({ payer, fingerprint }) => void claims.delete(keyOf(payer, fingerprint)),
    find: (payer, fingerprint) => claims.get(keyOf(payer, fingerprint)) ?? null,
  };
}
