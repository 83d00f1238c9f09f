import type { Ledger, LedgerTime } from '../../ledger/ledger.ts';
import { canonicalPayment } from '../x402/authorizationIdentity.ts';
import { exactMinValiditySeconds } from '../x402/requirement.ts';
import type { Breaker } from './breaker.ts';
import type { SettlementProvider } from './settlementProvider.ts';

const lookMs = 100;

/** What keeps the settler from taking jobs, as it leaves it with the job it gave back (P9.10). */
const blockedBy: readonly (string | null)[] = ['base_fee_above_cap', 'out_of_gas_funds'];
const isBlocked = (lastError: string | null): boolean => blockedBy.includes(lastError);

/**
 * Exact payments settled by our own settlement process: the job is written with the claim, the handler waits for
 * its outcome, and the key is never here (P2.48, P9.2).
 */
export function selfProvider(o: {
  ledger: Pick<Ledger, 'jobs'>;
  breaker: Breaker;
  settleCallMs: number;
  time: LedgerTime;
}): SettlementProvider {
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
    async settle({ claimKey }) {
      const untilMs = o.time.nowMs() + o.settleCallMs;
      let tripped = false;
      for (;;) {
        const job = await o.ledger.jobs.ofClaim(claimKey);
        if (job === null || job.state === 'done' || job.state === 'dead') {
          o.breaker.note({ transport: false });
          return { kind: 'recorded' };
        }
        // the settler has said that it cannot pay for gas: nobody else is let into that queue for a while (P9.10)
        if (job.state === 'queued' && isBlocked(job.lastError) && !tripped) {
          tripped = true;
          o.breaker.trip();
        }
        if (o.time.nowMs() >= untilMs) {
          // a job nobody has taken is a settler that is not there (X45)
          o.breaker.note({ transport: job.state === 'queued' });
          return { kind: 'recorded' };
        }
        await new Promise<void>((resolve) => o.time.after(lookMs, resolve));
      }
    },
  };
}
