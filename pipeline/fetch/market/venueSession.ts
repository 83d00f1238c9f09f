import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Contract } from '../../../calculators/market/marketBucket.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { outsideNumber } from '../../../data/contract/values/instant.ts';
import type { FileEffects, StoreEffects } from '../../effects.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { hostCooldown } from '../http/hostCooldown.ts';
import { type HttpSession, httpSession, type SessionLimits, tokenBucket } from '../http/httpSession.ts';
import { tooSlow, within } from '../http/interruption.ts';
import type { RetryLimits } from '../http/retryPolicy.ts';
import { errnoOf, storeText } from '../store/storeUnwritable.ts';

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

/** One venue: where it is, and how often it may be asked. */
export type Venue = {
  readonly venue: string;
  readonly origin: string;
  readonly ratePerSecond: number;
  /** The venue's name of a contract, from that of the registry of products. */
  nameOf(symbol: string): string;
};

/** What venues are asked in one run. */
export type VenueRequest = {
  /** `<raw>/market`: answers by hash, below `perps/` the tables a night reads, and what venues refused, for every run. */
  readonly directory: string;
  readonly contracts: readonly Contract[];
  readonly effects: StoreEffects;
  readonly signal: AbortSignal;
  readonly network?: Partial<VenueNetwork>;
};

/** A venue as it is asked: one request at a time, at its rate, and not at all while it wants to be left alone. */
export type Asked<Adapter extends Venue> = Omit<VenueRequest, 'network'> & {
  readonly adapter: Adapter;
  readonly session: HttpSession;
  readonly origin: string;
  readonly network: VenueNetwork;
};

/**
 * Opens the session of one venue and lets `act` ask it, as long as one run may.
 *
 * @param advice what else to check after a refusal, a clause for the hint
 */
export async function withVenue<Adapter extends Venue, T>(
  adapter: Adapter,
  { advice, ...request }: VenueRequest & { readonly advice: string },
  act: (asked: Asked<Adapter>) => Promise<T>,
): Promise<T> {
  const network = { ...usualNetwork, ...request.network };
  const origin = network.origins[adapter.venue] ?? adapter.origin;
  const { clock } = request.effects;
  const session = httpSession({
    userAgent: 'issuer-intelligence/1.0',
    bucket: tokenBucket({ ratePerSecond: adapter.ratePerSecond, capacity: 1, clock }),
    cooldown: hostCooldown({ directory: request.directory, host: new URL(origin).host, clock, advice }),
    limits: network,
  });
  const limit = { ms: network.runMs, late: tooSlow(adapter.venue, network.runMs), signal: request.signal };
  try {
    return await within(limit, (signal) => act({ ...request, adapter, session, origin, network, signal }));
  } finally {
    await session.close();
  }
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

/** An answer as it came. */
export type VenueAnswer = { readonly url: string; readonly text: string };

/** What a venue said of one contract; null where it does not say. */
export type VenueReading = {
  /** As the venue names the contract. */
  readonly symbol: string;
  readonly mark: number | null;
  readonly indexPrice: number | null;
  readonly last: number | null;
  /** In units of the underlying. */
  readonly openInterest: number | null;
  readonly fundingRate: number | null;
  readonly fundingIntervalHours: number | null;
  /** The venue's own time of it, epoch milliseconds. */
  readonly observedMs: number | null;
};

/** How a venue is asked and read; `paths` and `read` follow its public documentation. */
export type VenueAdapter = Venue & {
  /** What is asked for a contract, in this order. */
  paths(name: string): readonly string[];
  /**
   * Reads the answers, in the order of `paths`.
   *
   * @throws IssuerError `validation_failed` when one is not of the documented shape.
   */
  read(answers: readonly VenueAnswer[], name: string): VenueReading;
};

/** A decimal as venues write it: text or a number; empty text is no value. */
export const venueNumber = z
  .union([z.number(), z.string().regex(/^(-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?)?$/)])
  .transform((value) => (value === '' ? null : Number(value)))
  .pipe(outsideNumber.nullable());

/** Longer answers are lists that seldom change: each text is kept once, under its hash. */
const inlineLength = 16_384;

/** Keeps an answer of a venue as it came, a line with time, address and SHA-256 in the file of its day. */
export async function keepAnswer(
  directory: string,
  { venue, url, text, at }: VenueAnswer & { readonly venue: string; readonly at: Date },
  files: FileEffects,
): Promise<void> {
  const folder = join(directory, 'answers');
  const sha256 = sha256Hex(text);
  const isLong = text.length > inlineLength;
  const path = join(folder, `${sha256}.json`);
  if (isLong && !existsSync(path)) await storeText(path, text);
  await files.makeDirectory(folder);
  const line = canonicalJson({ at: at.toISOString(), url, sha256, ...(isLong ? {} : { text }) });
  const day = join(folder, `${venue}_${at.toISOString().slice(0, 10)}.ndjson`);
  await files.append(day, [Buffer.from(`${line}\n`)]);
}
