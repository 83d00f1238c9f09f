import { randomBytes } from 'node:crypto';
import type { Deployment } from '../../../contract/deployment.ts';
import type { Ledger, LedgerLog, LedgerTime, ReceiptRow } from '../../ledger/ledger.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import type { PaymentShared } from '../paymentShared.ts';
import type { MppConfig } from '../paymentsConfig.ts';
import { type Breaker, breaker } from '../provider/breaker.ts';
import type { Rail } from '../rail.ts';
import type { Settlements } from '../settlements.ts';
import { type MppChallenges, mppChallenges } from './mppChallenge.ts';
import type { MppLibrary } from './mppLibrary.ts';
import { mppRail } from './mppRail.ts';
import { mppTerms } from './mppTerms.ts';
import { mppThread } from './mppThread.ts';

/** The challenges of a deployment; null while its MPP family is off. A missing secret is drawn at start (P0.7). */
export function deploymentChallenges(o: {
  deployment: Deployment;
  config: MppConfig;
  monotonicMs(): number;
}): MppChallenges | null {
  const { mpp } = o.deployment;
  if (mpp === null) return null;
  return mppChallenges({
    terms: mppTerms(o.deployment, mpp),
    secret: o.config.secret ?? randomBytes(32).toString('hex'),
    previousSecret: o.config.previousSecret,
    monotonicMs: o.monotonicMs,
  });
}

/** The MPP rail of a server, and what runs beside it. */
export type ComposedMpp = { readonly rail: Rail; readonly library: MppLibrary; readonly breaker: Breaker };

/** Wires the MPP rail; null where nothing is settled on it. */
export function composeMpp(
  o: {
    readonly deployment: Deployment;
    readonly config: MppConfig;
    readonly doubleGuard: boolean;
    readonly settleWaitMs: number;
    readonly settleCallMs: number;
    readonly ledger: Ledger;
    readonly settlements: Settlements;
    readonly time: LedgerTime;
    readonly log: LedgerLog;
    readonly owner: string;
    monotonicMs(): number;
    recheck(found: ClaimedPayment): Promise<ReceiptRow | null>;
    /** How the payment library runs; a thread of its own unless a simulation has another. */
    readonly runLibrary?: typeof mppThread;
  },
  shared: PaymentShared,
): ComposedMpp | null {
  const { mpp } = o.deployment;
  const { secret, previousSecret, rpcUrl } = o.config;
  const { challenges } = shared;
  if (mpp === null || challenges === null || secret === null || rpcUrl === null) return null;
  const terms = mppTerms(o.deployment, mpp);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const library = (o.runLibrary ?? mppThread)({
    settings: { terms, secrets, rpcUrl, callMs: o.settleCallMs },
    time: o.time,
    log: o.log,
  });
  const ownBreaker = breaker({ nowMs: o.monotonicMs });
  const rail = mppRail({ ...o, ...shared, terms, challenges, library, breaker: ownBreaker });
  return { rail, library, breaker: ownBreaker };
}
