import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { StoreEffects } from '../../effects.ts';
import { hostCooldown } from '../http/hostCooldown.ts';
import { type HttpSession, httpSession, type SessionLimits } from '../http/httpSession.ts';
import type { RetryLimits } from '../http/retryPolicy.ts';
import { tokenBucket } from '../http/tokenBucket.ts';
import { errnoOf } from '../store/storeUnwritable.ts';

export type VenueNetwork = SessionLimits & {
  /** Longest wait for one whole answer. */
  readonly answerMs: number;
  readonly retry: RetryLimits;
  readonly random: () => number;
  /** Longest wait for a venue in one run. */
  readonly runMs: number;
  /** Hosts by venue in place of the public ones. */
  readonly origins: Readonly<Record<string, string>>;
};

/** A quarter of an hour is all an observation has: what does not answer soon is excluded from it. */
const usualNetwork: VenueNetwork = {
  concurrency: 1,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 15_000,
  bodyIdleTimeoutMs: 10_000,
  answerMs: 12_000,
  retry: {
    maxFailuresInARow: 3,
    maxFailures: 3,
    baseDelayMs: 500,
    maxDelayMs: 5_000,
    maxRetryAfterMs: 10_000,
  },
  random: Math.random,
  runMs: 8 * 60_000,
  origins: {},
};

/** A venue as it is asked: one request at a time, at its rate, and not at all while it wants to be left alone. */
export type VenueSession = {
  readonly session: HttpSession;
  readonly origin: string;
  readonly network: VenueNetwork;
};

/** Opens the session of one venue; `session` is closed after use. */
export function venueSession({
  adapter,
  directory,
  effects,
  network: changed,
  advice,
}: {
  readonly adapter: { readonly venue: string; readonly origin: string; readonly ratePerSecond: number };
  /** `<raw>/market`, where a refusal of the venue is noted for every run. */
  readonly directory: string;
  readonly effects: StoreEffects;
  readonly network: Partial<VenueNetwork> | undefined;
  /** What else to check after a refusal, a clause for the hint. */
  readonly advice: string;
}): VenueSession {
  const network = { ...usualNetwork, ...changed };
  const origin = network.origins[adapter.venue] ?? adapter.origin;
  const { clock } = effects;
  const session = httpSession({
    userAgent: 'issuer-intelligence/1.0',
    bucket: tokenBucket({ ratePerSecond: adapter.ratePerSecond, capacity: 1, clock }),
    cooldown: hostCooldown({ directory, host: new URL(origin).host, clock, advice }),
    limits: network,
  });
  return { session, origin, network };
}

/**
 * Whether a failure is the source's own and costs its answer alone. What a reader did not foresee in an answer is of the
 * source too; a stop that was asked for and a disk that takes nothing more are not.
 */
export function isOfTheSource(error: unknown): boolean {
  if (error instanceof IssuerError)
    return error.code === 'source_refused' || error.code === 'validation_failed';
  return /^E(?!RR_)/.exec(errnoOf(error) ?? '') === null;
}
