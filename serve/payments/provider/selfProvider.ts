import type { Ledger, LedgerTime } from '../../ledger/ledger.ts';
import type { JobRow, JobState } from '../../ledger/port/job.ts';
import { type Alarm, alarm } from '../alarm.ts';
import { canonicalPayment } from '../x402/authorizationIdentity.ts';
import { exactMinValiditySeconds } from '../x402/requirement.ts';
import type { Breaker } from './breaker.ts';
import type { SettlementHints } from './settlementHints.ts';
import type { SettlementProvider } from './settlementProvider.ts';

/** How often a handler looks for the outcome when nothing tells it (P8.34, P9.11). */
const lookMs = 100;

const ended: ReadonlySet<JobState> = new Set(['done', 'dead']);

/** What keeps the settler from taking jobs, as it leaves it with the job it gave back (P9.10). */
const blockedBy: readonly (string | null)[] = ['base_fee_above_cap', 'out_of_gas_funds'];
const isBlocked = (lastError: string | null): boolean => blockedBy.includes(lastError);

/**
 * Exact payments settled by our own settlement process: the job is written with the claim, the handler waits for
 * its outcome, and the key is never here (P2.48, P9.2).
 */
export function selfProvider(o: {
  ledger: Pick<Ledger, 'onReceipt'> & { readonly jobs: Pick<Ledger['jobs'], 'ofClaim'> };
  /** Wakes the settlement process, and hears from it (P9.11). */
  hints: SettlementHints;
  breaker: Breaker;
  settleCallMs: number;
  time: LedgerTime;
}): SettlementProvider {
  // a ledger that is away for a moment says nothing about the money (X50)
  async function jobOf(claimKey: Uint8Array): Promise<JobRow | null | 'unread'> {
    try {
      return await o.ledger.jobs.ofClaim(claimKey);
    } catch {
      return 'unread';
    }
  }

  async function outcomeOf(claimKey: Uint8Array, woken: Alarm): Promise<{ readonly kind: 'recorded' }> {
    const untilMs = o.time.nowMs() + o.settleCallMs;
    let tripped = false;
    for (;;) {
      const job = await jobOf(claimKey);
      if (job === null || (job !== 'unread' && ended.has(job.state))) {
        o.breaker.note({ transport: false });
        return { kind: 'recorded' };
      }
      // the settler has said that it cannot pay for gas: nobody else is let into that queue for a while (P9.10)
      if (job !== 'unread' && job.state === 'queued' && isBlocked(job.lastError) && !tripped) {
        tripped = true;
        o.breaker.trip();
      }
      if (o.time.nowMs() >= untilMs) {
        // a job nobody has taken is a settler that is not there (X45)
        if (job !== 'unread') o.breaker.note({ transport: job.state === 'queued' });
        return { kind: 'recorded' };
      }
      const cancel = o.time.after(lookMs, woken.ring);
      await woken.rung();
      cancel();
    }
  }

  return {
    allows: o.breaker.allows,
    verify: null,
    job({ payload }) {
      const validBeforeMs = Number(payload.authorization.validBefore) * 1000;
      return {
        kind: 'evm_exact',
        payload: Buffer.from(canonicalPayment(payload)),
        notBeforeMs: o.time.nowMs(),
        deadlineMs: Math.min(validBeforeMs - exactMinValiditySeconds * 1000, Number.MAX_SAFE_INTEGER),
      };
    },
    async settle({ claimKey, receiptId }) {
      const woken = alarm();
      const deaf = [
        o.hints.onTouch(woken.ring),
        o.ledger.onReceipt((moved) => {
          if (moved === receiptId) woken.ring();
        }),
      ];
      try {
        o.hints.touch();
        return await outcomeOf(claimKey, woken);
      } finally {
        for (const end of deaf) end();
      }
    },
  };
}
