import { exactMinValiditySeconds } from '../../../data/contract/billing/requirement.ts';
import type { JobRow, JobState } from '../../ledger/port/job.ts';
import type { Ledger, LedgerTime } from '../../ledger/port/ledger.ts';
import type { Breaker } from '../../outbound/breaker.ts';
import { type Alarm, alarm, type SettlementHints } from '../settle/settlementHints.ts';
import { canonicalPayment } from '../x402/paymentPayload.ts';
import type { SettlementProvider } from '../x402/settlementProvider.ts';

/** How often a handler polls for the outcome without a notification (P8.34, P9.11). */
const pollMs = 100;

const ended: ReadonlySet<JobState> = new Set(['done', 'dead']);

/** Errors of a released job that keep the settler from taking jobs (P9.10). */
const blockedBy: readonly (string | null)[] = ['base_fee_above_cap', 'out_of_gas_funds'];
const isBlocked = (lastError: string | null): boolean => blockedBy.includes(lastError);

/**
 * Exact payments settled by our own settlement process: the job is written with the claim, the handler waits for
 * its outcome, and the key is never here (P2.48, P9.2).
 */
export function selfProvider({
  ledger,
  hints,
  breaker,
  settleCallMs,
  time,
}: {
  ledger: Pick<Ledger, 'onReceipt'> & { readonly jobs: Pick<Ledger['jobs'], 'ofClaim'> };
  /** Notifications to and from the settlement process (P9.11). */
  hints: SettlementHints;
  breaker: Breaker;
  settleCallMs: number;
  time: LedgerTime;
}): SettlementProvider {
  // a ledger that is away for a moment says nothing about the money (X50)
  async function jobOf(claimKey: Uint8Array): Promise<JobRow | null | 'unread'> {
    try {
      return await ledger.jobs.ofClaim(claimKey);
    } catch {
      return 'unread';
    }
  }

  async function outcomeOf(claimKey: Uint8Array, woken: Alarm): Promise<{ readonly kind: 'recorded' }> {
    const untilMs = time.nowMs() + settleCallMs;
    let tripped = false;
    for (;;) {
      const job = await jobOf(claimKey);
      if (job === null || (job !== 'unread' && ended.has(job.state))) {
        breaker.note({ transport: false });
        return { kind: 'recorded' };
      }
      // the settler cannot pay for gas: the breaker keeps further claims out of its queue for a while (P9.10)
      if (job !== 'unread' && job.state === 'queued' && isBlocked(job.lastError) && !tripped) {
        tripped = true;
        breaker.trip();
      }
      if (time.nowMs() >= untilMs) {
        // a job still queued means that no settler runs (X45)
        if (job !== 'unread') breaker.note({ transport: job.state === 'queued' });
        return { kind: 'recorded' };
      }
      const cancel = time.after(pollMs, woken.ring);
      await woken.rung();
      cancel();
    }
  }

  return {
    allows: breaker.allows,
    verify: null,
    job({ payload }) {
      const validBeforeMs = Number(payload.authorization.validBefore) * 1000;
      return {
        kind: 'evm_exact',
        payload: Buffer.from(canonicalPayment(payload)),
        notBeforeMs: time.nowMs(),
        deadlineMs: Math.min(validBeforeMs - exactMinValiditySeconds * 1000, Number.MAX_SAFE_INTEGER),
      };
    },
    async settle({ claimKey, receiptId }) {
      const woken = alarm();
      const subscriptions = [
        hints.onTouch(woken.ring),
        ledger.onReceipt((moved) => {
          if (moved === receiptId) woken.ring();
        }),
      ];
      try {
        hints.touch();
        return await outcomeOf(claimKey, woken);
      } finally {
        for (const end of subscriptions) end();
      }
    },
  };
}
