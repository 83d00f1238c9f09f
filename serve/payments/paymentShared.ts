import type { RateLimiter } from '../http/rateLimit.ts';
import type { MppChallenges } from './mpp/mppChallenge.ts';
import type { PlanOfTarget } from './x402/matchResource.ts';

/** What the rails share with the rest of the server. */
export type PaymentShared = {
  readonly limiter: RateLimiter;
  readonly planOf: PlanOfTarget;
  /** null while the MPP family is off. */
  readonly challenges: MppChallenges | null;
  ulid(): string;
};
