import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Effects } from '../../effects.ts';
import { requireBaseUrl } from '../http/baseAddress.ts';
import { type HostCooldown, hostCooldown } from '../http/hostCooldown.ts';
import {
  type HttpSession,
  httpSession,
  type SessionLimits,
  type TokenBucket,
  tokenBucket,
} from '../http/httpSession.ts';
import { defaultRetryLimits, type RetryLimits } from '../http/retryPolicy.ts';
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

const email = /^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}$/;
const contactPattern = /^([\x21-\x7e][\x20-\x7e]{0,120}?)\s+<?([^\s<>]+)>?$/;

/**
 * Returns the contact as it is announced to SEC, `Name e-mail` or the bare e-mail.
 *
 * SEC asks automated clients to declare who they are; there is no default, so an unset or unusable
 * contact is a `configuration` error and no request is made.
 */
export function requireContact(contact: string | undefined): string {
  const text = (contact ?? '').trim();
  if (/@your-domain\.com>?$/i.test(text))
    throw noContact('The SEC EDGAR contact is still that of the example.');
  if (email.test(text)) return text;
  const named = contactPattern.exec(text);
  if (named?.[1] !== undefined && named[2] !== undefined && email.test(named[2])) {
    return `${named[1]} ${named[2]}`;
  }
  throw noContact(
    text === ''
      ? 'SEC EDGAR needs a contact address and none is set.'
      : 'The SEC EDGAR contact is neither an e-mail address nor a name followed by one.',
  );
}

function noContact(message: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message,
    hint: 'Set II_EDGAR_CONTACT="Your Name you@your-domain.com"; SEC sees it in the User-Agent of every request.',
  });
}
