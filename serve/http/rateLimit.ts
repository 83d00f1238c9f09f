import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { networksOf } from './clientAddress.ts';

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
  /** Takes a token, or all of several or none; null when the policy is off. */
  take(policy: RatePolicy, holder: string, tokens?: number): RateState | null;
  /** Reads without taking; null when the policy is off. */
  peek(policy: RatePolicy, holder: string): RateState | null;
};

type Bucket = { readonly key: string; readonly quota: number; tokens: number; atMs: number };

const windowMs = 60_000;
/** How many times the quota of one /64 all those of a /48 have together. */
const wideQuotas = 16;

/**
 * Token buckets, one a policy and holder, who may be a network: full at the quota, refilled evenly over a minute (I8.3).
 * An IPv6 address takes from the bucket of its /64 and from the larger one of its /48. At most `maxHolders` are
 * remembered; the one unused for longest is forgotten first, and a full bucket loses nothing by it.
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

  function filled(key: string, quota: number): Bucket {
    const now = nowMs();
    const known = buckets.get(key);
    if (known === undefined) return { key, quota, tokens: quota, atMs: now };
    // a clock that steps back refills nothing
    known.tokens = Math.min(quota, known.tokens + (Math.max(0, now - known.atMs) * quota) / windowMs);
    known.atMs = now;
    return known;
  }

  function take(policy: RatePolicy, holder: string, tokens = 1): RateState | null {
    const limit = limits[policy];
    if (limit === 'off') return null;
    const networks = networksOf(holder);
    const all = networks.map((network, i) =>
      filled(`${policy} ${network}`, i < networks.length - 1 ? limit * wideQuotas : limit),
    );
    const needed = Math.max(1, tokens);
    // where the wide one is empty, the networks inside it are not remembered: they may be 65,536
    const empty = all.find((bucket) => bucket.tokens < needed);
    if (tokens > 0) {
      for (const bucket of empty === undefined ? all : [empty]) {
        if (empty === undefined) bucket.tokens -= tokens;
        buckets.delete(bucket.key);
        buckets.set(bucket.key, bucket);
      }
      for (const oldest of buckets.keys()) {
        if (buckets.size <= maxHolders) break;
        buckets.delete(oldest);
      }
    }
    const shown = empty ?? all.reduce((least, bucket) => (bucket.tokens < least.tokens ? bucket : least));
    return stateOf(policy, shown, empty === undefined ? 0 : needed);
  }

  return { take, peek: (policy, holder) => take(policy, holder, 0) };
}

/** `lacking`: the tokens that it has not; 0 where it had all. */
function stateOf(policy: RatePolicy, { quota, tokens }: Bucket, lacking: number): RateState {
  const msPerToken = windowMs / quota;
  return {
    policy,
    allowed: lacking === 0,
    quota,
    remaining: Math.floor(tokens),
    resetSeconds: Math.ceil(((quota - tokens) * msPerToken) / 1000),
    retrySeconds: lacking === 0 ? 0 : Math.max(1, Math.ceil(((lacking - tokens) * msPerToken) / 1000)),
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
