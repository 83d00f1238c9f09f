import { IssuerError } from '../../contract/errors/issuerError.ts';
import { networkOf } from './clientAddress.ts';

/** Policies of I8.3 that a request can fall under. */
export type RatePolicy = 'ip' | 'probe' | 'payer' | 'grant' | 'key' | 'challenge' | 'wallet' | 'badpay';

/** Requests a minute by policy; `off` where the operator switched limits off on a loopback listener. */
export type RateLimits = { readonly [P in RatePolicy]: number | 'off' };

/** The limits of I8.3. */
export const defaultRateLimits: { readonly [P in RatePolicy]: number } = {
  ip: 120,
  probe: 600,
  payer: 600,
  grant: 120,
  key: 600,
  challenge: 10,
  wallet: 5,
  badpay: 20,
};

/** The state of a bucket after a request was counted or only checked. */
export type RateState = {
  readonly policy: RatePolicy;
  readonly allowed: boolean;
  readonly quota: number;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until one more request fits; 0 while one does. */
  readonly retrySeconds: number;
};

export type RateLimiter = {
  /** Takes one token; null when the policy is off. */
  take(policy: RatePolicy, holder: string): RateState | null;
  /** Reads without taking; null when the policy is off. */
  peek(policy: RatePolicy, holder: string): RateState | null;
};

type Bucket = { tokens: number; atMs: number };

const windowMs = 60_000;

/**
 * Token buckets, one a policy and holder, who may be a network: full at the quota, refilled evenly over a minute (I8.3). At most
 * `maxHolders` are remembered; the one unused for longest is forgotten first, and a full bucket loses nothing by it.
 */
export function rateLimiter({
  limits,
  nowMs,
  maxHolders = 100_000,
}: {
  limits: RateLimits;
  nowMs(): number;
  maxHolders?: number;
}): RateLimiter {
  const buckets = new Map<string, Bucket>();

  function count(policy: RatePolicy, holder: string, cost: 0 | 1): RateState | null {
    const quota = limits[policy];
    if (quota === 'off') return null;
    const key = `${policy} ${networkOf(holder)}`;
    const now = nowMs();
    const bucket = buckets.get(key) ?? { tokens: quota, atMs: now };
    // a clock that steps back refills nothing
    bucket.tokens = Math.min(quota, bucket.tokens + (Math.max(0, now - bucket.atMs) * quota) / windowMs);
    bucket.atMs = now;
    const allowed = bucket.tokens >= 1;
    if (cost === 1) {
      if (allowed) bucket.tokens -= 1;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > maxHolders) {
        const oldest = buckets.keys().next();
        if (oldest.done !== true) buckets.delete(oldest.value);
      }
    }
    const msPerToken = windowMs / quota;
    return {
      policy,
      allowed,
      quota,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil(((quota - bucket.tokens) * msPerToken) / 1000),
      retrySeconds: allowed ? 0 : Math.max(1, Math.ceil(((1 - bucket.tokens) * msPerToken) / 1000)),
    };
  }

  return {
    take: (policy, holder) => count(policy, holder, 1),
    peek: (policy, holder) => count(policy, holder, 0),
  };
}

/** The refusal of a request that found a bucket empty (I7.5); its headers show that bucket (I8.4). */
export class RateLimited extends IssuerError {
  readonly state: RateState;

  constructor(state: RateState) {
    super({
      code: 'rate_limited',
      message: `More than ${state.quota} ${counted[state.policy]} a minute.`,
      hint: `Wait ${state.retrySeconds} s.`,
      details: { retry_after_seconds: state.retrySeconds, policy: state.policy },
    });
    this.state = state;
  }
}

const counted: Readonly<Record<RatePolicy, string>> = {
  ip: 'requests',
  probe: 'probes',
  payer: 'requests',
  grant: 'requests',
  key: 'requests',
  challenge: 'challenges',
  wallet: 'requests of one wallet',
  badpay: 'failed payments',
};
