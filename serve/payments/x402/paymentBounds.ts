import { networkOf } from '../../http/clientAddress.ts';
import { RateLimited, type RateLimiter } from '../../http/rateLimit.ts';
import type { Ledger } from '../../ledger/port/ledger.ts';

/** Bounds the amount of queued transfers the gateway has not completed (P3.11). */
export type QueuedBound = {
  /**
   * Reserves the amount of one submission until the returned function releases it, when the outcome is in the ledger;
   * null over the bound. The same payment sent several times at once reserves once.
   */
  reserve(handOver: HandOver): Promise<(() => void) | null>;
};

type HandOver = {
  readonly claimKey: Uint8Array;
  readonly payerIdentity: string;
  readonly amountMicro: number;
};
type Reserved = { holders: number; readonly fits: Promise<boolean> };

/** Counts what is queued in the ledger and, so that many at once stay within the bound, what is on its way here. */
export function queuedBound({
  ledger,
  perPayerMicro,
  totalMicro,
}: {
  readonly ledger: Pick<Ledger, 'queuedExposure'>;
  readonly perPayerMicro: number;
  readonly totalMicro: number;
}): QueuedBound {
  const reservations = new Map<string, Reserved>();
  const underWay = new Map<string, number>();
  let allUnderWay = 0;

  function change(payer: string, byMicro: number): void {
    const micro = (underWay.get(payer) ?? 0) + byMicro;
    if (micro === 0) underWay.delete(payer);
    else underWay.set(payer, micro);
    allUnderWay += byMicro;
  }

  /** Counted before the ledger is read: a submission that ends in between counts twice rather than not at all. */
  async function fits({ payerIdentity, amountMicro }: HandOver): Promise<boolean> {
    change(payerIdentity, amountMicro);
    const ofPayer = underWay.get(payerIdentity) ?? 0;
    const ofAll = allUnderWay;
    const queued = await ledger.queuedExposure(payerIdentity);
    return queued.payerMicro + ofPayer <= perPayerMicro && queued.totalMicro + ofAll <= totalMicro;
  }

  return {
    async reserve(handOver) {
      const key = Buffer.from(handOver.claimKey).toString('hex');
      const reserved = reservations.get(key) ?? { holders: 0, fits: fits(handOver) };
      reservations.set(key, reserved);
      reserved.holders += 1;
      const release = (): void => {
        reserved.holders -= 1;
        if (reserved.holders > 0) return;
        reservations.delete(key);
        change(handOver.payerIdentity, -handOver.amountMicro);
      };
      try {
        if (await reserved.fits) return release;
      } catch (error) {
        release();
        throw error;
      }
      release();
      return null;
    },
  };
}

/** The payments of an address that could not be verified (I8.3 `badpay`, P2.34). */
type FailedPayments = {
  /** Refuses the address that has used its failures up. @throws IssuerError `rate_limited` */
  admit(address: string): void;
  /** Counts one. */
  count(address: string): void;
  /**
   * Asks a third party about an unverified payment and counts a failure. At most as many questions run at once as may
   * still fail, so that a burst does not get past the limit (S20).
   *
   * @throws IssuerError `rate_limited`
   */
  ask<T>(address: string, question: () => Promise<T>, isFailure: (answer: T) => boolean): Promise<T>;
};

/** Keeps the failures of one server in the buckets of its limiter. */
export function failedPayments(limiter: RateLimiter): FailedPayments {
  const asking = new Map<string, number>();

  function refuseWithout(address: string, needed: number): void {
    const state = limiter.peek('badpay', address);
    if (state === null || state.remaining >= needed) return;
    throw new RateLimited({ ...state, retrySeconds: Math.max(1, state.retrySeconds) });
  }

  return {
    admit: (address) => refuseWithout(address, 1),
    count: (address) => void limiter.take('badpay', address),
    async ask(from, question, isFailure) {
      const address = networkOf(from);
      const others = asking.get(address) ?? 0;
      refuseWithout(address, others + 1);
      asking.set(address, others + 1);
      try {
        const answer = await question();
        if (isFailure(answer)) limiter.take('badpay', address);
        return answer;
      } finally {
        const left = (asking.get(address) ?? 1) - 1;
        if (left === 0) asking.delete(address);
        else asking.set(address, left);
      }
    },
  };
}
