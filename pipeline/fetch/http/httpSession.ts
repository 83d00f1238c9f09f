import { EnvHttpProxyAgent, request } from 'undici';
import type { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Clock } from '../../effects.ts';
import { errnoOf } from '../store/storeUnwritable.ts';
import type { HostCooldown } from './hostCooldown.ts';
import { throwIfInterrupted, waitOrInterrupt } from './interruption.ts';
import { ConnectionFailure, type Exchange } from './readAnswer.ts';
import type { Forbidden } from './refusal.ts';

export type SessionLimits = {
  readonly concurrency: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Longest silence inside a body. */
  readonly bodyIdleTimeoutMs: number;
};

/** All traffic to one host: one bucket, one bounded pool, one cool-down, one User-Agent. */
export type HttpSession = {
  /** Requests sent so far. */
  readonly requests: number;
  /**
   * Sends one GET, without retries or redirects; rejects with a {@link ConnectionFailure} when the line fails, or when
   * the whole answer, its body included, is not there within `withinMs` of the sending.
   */
  get(o: {
    url: string;
    headers: Readonly<Record<string, string>>;
    withinMs: number;
    signal: AbortSignal;
  }): Promise<Exchange>;
  /** Notes a refusal and returns the error to throw; every later `get` of the session is refused. */
  forbidden(refused: Forbidden): Promise<IssuerError>;
  close(): Promise<void>;
};

/**
 * Opens a session to one host (undici pool, HTTP/1.1, no redirects), through the proxy that `HTTPS_PROXY` names, `NO_PROXY`
 * heeded.
 */
export function httpSession({
  userAgent,
  bucket,
  cooldown,
  limits,
}: {
  userAgent: string;
  bucket: TokenBucket;
  cooldown: HostCooldown;
  limits: SessionLimits;
}): HttpSession {
  const agent = new EnvHttpProxyAgent({
    connections: limits.concurrency,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: limits.connectTimeoutMs },
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyIdleTimeoutMs,
    maxHeaderSize: 16_384,
  });
  let requests = 0;
  return {
    get requests() {
      return requests;
    },
    async get({ url, headers, withinMs, signal }) {
      throwIfInterrupted(signal);
      await cooldown.assertOpen();
      // nothing slow between the grant and the request, or grants would bunch up
      await waitOrInterrupt(bucket.take(), signal);
      cooldown.assertNotRefused();
      requests += 1;
      const limit = { withinMs, late: AbortSignal.timeout(withinMs), signal };
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method: 'GET',
          headers: { ...headers, 'user-agent': userAgent },
          signal: AbortSignal.any([signal, limit.late]),
        });
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: readBody(answer.body, limit),
          drop: () => answer.body.dump({ limit: 65_536 }).catch(() => undefined),
        };
      } catch (error) {
        throw connectionFailure(error, limit);
      }
    },
    forbidden: (refused) => cooldown.refuse(refused),
    close: () => agent.destroy(),
  };
}

/** What ends an answer from this side: its time, or the run. */
type Limit = { readonly withinMs: number; readonly late: AbortSignal; readonly signal: AbortSignal };

async function* readBody(body: AsyncIterable<Uint8Array>, limit: Limit): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw connectionFailure(error, limit);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.().catch(() => undefined);
  }
}

function connectionFailure(error: unknown, { withinMs, late, signal }: Limit): Error {
  try {
    throwIfInterrupted(signal);
  } catch (interrupted) {
    return interrupted as Error;
  }
  if (late.aborted)
    return new ConnectionFailure(`the answer took longer than ${withinMs} ms`, { cause: error });
  const what = errnoOf(error) ?? (error instanceof Error ? error.message : 'unknown failure');
  return new ConnectionFailure(`the connection failed (${what.slice(0, 120)})`, { cause: error });
}

/** Hands out one token per call, in call order; resolves when the caller may send its request. */
export type TokenBucket = { take(): Promise<void> };

/**
 * Makes a token bucket: any window of `w` seconds grants at most `capacity + ratePerSecond · w` tokens.
 *
 * Slots are reserved when asked for, so callers are served in order and none starves.
 */
export function tokenBucket({
  ratePerSecond,
  capacity,
  clock,
}: {
  ratePerSecond: number;
  capacity: number;
  clock: Clock;
}): TokenBucket {
  // whole milliseconds, rounded towards fewer requests
  const intervalMs = Math.ceil(1000 / ratePerSecond);
  const burstMs = (capacity - 1) * intervalMs;
  // time at which the bucket would be full again if nothing more were taken
  let fullAt = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    async take() {
      const now = clock.now().getTime();
      // a clock set back must not turn into hours of waiting
      if (now < last) fullAt -= last - now;
      last = now;
      const grantAt = Math.max(now, fullAt - burstMs);
      fullAt = Math.max(fullAt, grantAt) + intervalMs;
      if (grantAt > now) await clock.sleep(grantAt - now);
    },
  };
}
