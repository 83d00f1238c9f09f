import { randomBytes } from 'node:crypto';
import type { Deployment } from '../../data/contract/emit/deployment.ts';
import type { Rail } from '../access/accessDecision.ts';
import type { MppConfig } from '../config/paymentsConfig.ts';
import type { RateLimiter } from '../http/rateLimit.ts';
import type { LedgerLog } from '../ledger/port/ledger.ts';
import type { Breaker } from '../outbound/breaker.ts';
import { type MppChallenges, mppChallenges, mppTerms } from './mpp/mppChallenge.ts';
import type { MppLibrary } from './mpp/mppLibrary.ts';
import { type MppDeps, mppRail } from './mpp/mppRail.ts';
import { mppThread } from './mpp/mppThread.ts';
import type { PlanOfTarget } from './x402/x402Checks.ts';

/** What the rails share with the rest of the server. */
export type PaymentShared = {
  readonly limiter: RateLimiter;
  readonly planOf: PlanOfTarget;
  /** null while the MPP family is off. */
  readonly challenges: MppChallenges | null;
  ulid(): string;
};

/** The challenges of a deployment; null while its MPP family is off. A missing secret is generated at start (P0.7). */
export function deploymentChallenges({
  deployment,
  config,
  monotonicMs,
}: {
  deployment: Deployment;
  config: MppConfig;
  monotonicMs(): number;
}): MppChallenges | null {
  const { mpp } = deployment;
  if (mpp === null) return null;
  return mppChallenges({
    terms: mppTerms(deployment, mpp),
    secret: config.secret ?? randomBytes(32).toString('hex'),
    previousSecret: config.previousSecret,
    monotonicMs,
  });
}

/** The MPP rail of a server, and what runs beside it. */
export type ComposedMpp = { readonly rail: Rail; readonly library: MppLibrary; readonly breaker: Breaker };

/** Wires the MPP rail; null where nothing is settled on it. */
export function composeMpp(
  deps: Omit<MppDeps, 'terms' | 'challenges' | 'library' | keyof PaymentShared> & {
    readonly deployment: Deployment;
    readonly config: MppConfig;
    readonly settleCallMs: number;
    readonly log: LedgerLog;
    /** How the payment library runs; a thread of its own unless a simulation has another. */
    readonly runLibrary?: typeof mppThread;
  },
  shared: PaymentShared,
): ComposedMpp | null {
  const { mpp } = deps.deployment;
  const { secret, previousSecret, rpcUrl } = deps.config;
  const { challenges } = shared;
  if (mpp === null || challenges === null || secret === null || rpcUrl === null) return null;
  const terms = mppTerms(deps.deployment, mpp);
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const library = (deps.runLibrary ?? mppThread)({
    settings: { terms, secrets, rpcUrl, callMs: deps.settleCallMs },
    time: deps.time,
    log: deps.log,
  });
  const rail = mppRail({ ...deps, ...shared, terms, challenges, library });
  return { rail, library, breaker: deps.breaker };
}
