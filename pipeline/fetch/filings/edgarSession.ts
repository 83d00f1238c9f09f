import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Effects } from '../../effects.ts';
import { requireBaseUrl } from '../http/baseAddress.ts';
import { requireContact } from '../http/contactAddress.ts';
import { type HostCooldown, hostCooldown } from '../http/hostCooldown.ts';
import { type HttpSession, httpSession, type SessionLimits } from '../http/httpSession.ts';
import { defaultRetryLimits, type RetryLimits } from '../http/retryPolicy.ts';
import { type TokenBucket, tokenBucket } from '../http/tokenBucket.ts';
import { type ContentStore, contentStore } from '../store/contentStore.ts';
import { storeUnwritable } from '../store/storeUnwritable.ts';

/** Politeness and patience; SEC allows 10 requests a second per user, this stays under it. */
export type FetchNetwork = SessionLimits & {
  readonly ratePerSecond: number;
  readonly checkpointBytes: number;
  readonly minBytesPerSecond: number;
  readonly slowWindowMs: number;
  /** Longest wait for one whole file; an index has the time of a small document. */
  readonly answerMs: number;
  readonly retry: RetryLimits;
  /** Jitter source in [0, 1). */
  readonly random: () => number;
  /** Replaces the cap of every file. */
  readonly maxBytes?: number;
};

const defaultNetwork: Omit<FetchNetwork, 'random'> = {
  ratePerSecond: 8,
  concurrency: 4,
  connectTimeoutMs: 15_000,
  headersTimeoutMs: 60_000,
  bodyIdleTimeoutMs: 60_000,
  checkpointBytes: 8 << 20,
  minBytesPerSecond: 1024,
  slowWindowMs: 60_000,
  answerMs: 2 * 3_600_000,
  retry: defaultRetryLimits,
};

/** Who asks SEC, how politely, and where what comes is kept. */
export type EdgarAccess = {
  readonly rawRoot: string;
  readonly contact: string | undefined;
  readonly baseUrl?: string;
  readonly effects: Effects;
  readonly network?: Partial<FetchNetwork>;
  /** The bucket of the whole run, when several fetches of it share one; each has its own otherwise. */
  readonly bucket?: TokenBucket;
};

/** An open line to EDGAR and the content store behind it. */
export type EdgarSession = {
  readonly base: URL;
  /** `<rawRoot>/edgar`. */
  readonly directory: string;
  readonly network: FetchNetwork;
  readonly cooldown: HostCooldown;
  readonly store: ContentStore;
  readonly session: HttpSession;
};

/** The token bucket of one run at SEC's rate, to be shared by every fetch of that run. */
export function edgarBucket(effects: Effects): TokenBucket {
  return tokenBucket({ ratePerSecond: defaultNetwork.ratePerSecond, capacity: 1, clock: effects.clock });
}

/**
 * Opens EDGAR for one fetch; makes no request. The session must be closed.
 *
 * @throws IssuerError `configuration` without a usable contact or address, `store_unwritable`.
 */
export async function openEdgarSession(edgarAccess: EdgarAccess): Promise<EdgarSession> {
  const contact = requireContact(edgarAccess.contact);
  const base = requireBaseUrl(edgarAccess.baseUrl ?? 'https://www.sec.gov');
  const network: FetchNetwork = { ...defaultNetwork, random: Math.random, ...edgarAccess.network };
  const { clock } = edgarAccess.effects;
  const directory = join(edgarAccess.rawRoot, 'edgar');
  await mkdir(directory, { recursive: true }).catch((error: unknown) => {
    throw storeUnwritable(directory, error);
  });
  const cooldown = hostCooldown({
    directory,
    host: base.host,
    clock,
    advice: `check that II_EDGAR_CONTACT is right and that nothing else on this network queries ${base.host}`,
  });
  const session = httpSession({
    userAgent: `issuer-intelligence/1.0 ${contact}`,
    bucket: edgarAccess.bucket ?? tokenBucket({ ratePerSecond: network.ratePerSecond, capacity: 1, clock }),
    cooldown,
    limits: network,
  });
  return { base, directory, network, cooldown, store: contentStore(directory), session };
}
