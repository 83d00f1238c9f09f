import { join } from 'node:path';
import { z } from 'zod';
import { addDays } from '../../../calculators/exact/civilDate.ts';
import type { PriceRow } from '../../../calculators/filing/rows.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { outsideInstant } from '../../../data/contract/values/instant.ts';
import type { Effects } from '../../effects.ts';
import { requireBaseUrl } from '../http/baseAddress.ts';
import { getJson } from '../http/getText.ts';
import { hostCooldown } from '../http/hostCooldown.ts';
import { httpSession, type SessionLimits, tokenBucket } from '../http/httpSession.ts';
import { defaultRetryLimits, type RetryLimits } from '../http/retryPolicy.ts';
import ids from './coinGeckoIds.json' with { type: 'json' };
import { type PriceSource, utcDay } from './priceSource.ts';

// CoinGecko API v3, `GET /coins/{id}/market_chart/range?vs_currency=usd&from=<unix s>&to=<unix s>`.
//
// Answer: {"prices": [[unix ms, usd], …], "market_caps": […], "total_volumes": […]}. A range of more than 90
// days is answered with one point a day, stamped 00:00 UTC, plus at most one point for the current moment.
// The price stamped 00:00 UTC of a day is the close of the day before: dated that way it lies 0.06 % from
// other closes on average, dated as stamped 1.5 %. "Close" is CoinGecko's volume-weighted average over
// venues at that moment, not the last trade of one exchange.
//
// Limits: no key needed, about 5 requests a minute per address (30 with a free Demo key); the last 365 days
// only; a day is settled 35 minutes after it ended. Terms: attribution "Data provided by CoinGecko"; keyless
// and Demo use is for non-commercial work, a commercial deployment needs a plan of its own.
// The source name `coingecko` is one of METHODOLOGY M2.13's `price_source_order`.

const origin = 'https://api.coingecko.com';
const dayMs = 86_400_000;
const dailyWindowDays = 91;
// a day less than the limit, which counts to the second
const historyDays = 364;
/** A day counts as complete once its 00:00 point is settled and the caches that hold it have expired. */
const settledAfterMs = 40 * 60_000;

const coinIds: ReadonlyMap<string, string> = new Map(Object.entries(ids));

const chart = z.object({
  prices: z.array(z.tuple([outsideInstant, z.number().positive().max(1e12)])).max(5_000),
});

export type CoinGeckoNetwork = SessionLimits & {
  readonly ratePerSecond: number;
  /** Longest wait for one whole answer. */
  readonly answerMs: number;
  readonly retry: RetryLimits;
  readonly random: () => number;
};

const defaultNetwork: Omit<CoinGeckoNetwork, 'random' | 'ratePerSecond'> = {
  concurrency: 1,
  connectTimeoutMs: 15_000,
  headersTimeoutMs: 30_000,
  bodyIdleTimeoutMs: 30_000,
  answerMs: 60_000,
  retry: defaultRetryLimits,
};

/**
 * Opens CoinGecko's daily closes in USD; `apiKey` is a free Demo key or null.
 *
 * @throws IssuerError `configuration` for an unusable base address or key. Fetching throws `source_refused`,
 * `validation_failed` (an answer that is not one point a day) or `interrupted`.
 */
export function coinGecko(settings: {
  rawRoot: string;
  apiKey: string | null;
  baseUrl?: string;
  effects: Effects;
  network?: Partial<CoinGeckoNetwork>;
}): PriceSource {
  const base = requireBaseUrl(settings.baseUrl ?? origin);
  const headers = keyHeader(settings.apiKey);
  const network: CoinGeckoNetwork = {
    ...defaultNetwork,
    ratePerSecond: (settings.apiKey === null ? 5 : 30) / 60,
    random: Math.random,
    ...settings.network,
  };
  const { clock } = settings.effects;
  const session = httpSession({
    userAgent: 'issuer-intelligence/1.0',
    bucket: tokenBucket({ ratePerSecond: network.ratePerSecond, capacity: 1, clock }),
    cooldown: hostCooldown({
      directory: join(settings.rawRoot, 'coingecko'),
      host: base.host,
      clock,
      advice: 'a free Demo key raises the limit',
    }),
    limits: network,
  });
  return {
    name: 'coingecko',
    supports: (asset) => coinIds.has(asset),
    lastCompleteDay: () => addDays(utcDay(new Date(clock.now().getTime() - settledAfterMs)), -1),
    requests: () => session.requests,
    async fetchDailyCloses({ asset, from, to, signal }) {
      const id = coinIds.get(asset);
      if (id === undefined) throw unknownAsset(asset);
      const url = chartUrl({ base, id, from, now: clock.now() });
      const { prices } = await getJson({
        session,
        url,
        headers,
        schema: chart,
        maxBytes: 2 << 20,
        answerMs: network.answerMs,
        retry: network.retry,
        random: network.random,
        effects: settings.effects,
        signal,
      });
      return dailyCloses({ asset, url, prices }).filter((row) => row.date >= from && row.date <= to);
    },
    close: () => session.close(),
  };
}

// always more than 90 days and always up to now: that is what makes the answer daily
function chartUrl(input: { base: URL; id: string; from: string; now: Date }): string {
  const now = Math.floor(input.now.getTime() / 1000);
  const day = dayMs / 1000;
  const wanted = Date.parse(`${addDays(input.from, 1)}T00:00:00Z`) / 1000;
  const start = Math.max(now - historyDays * day, Math.min(wanted, now - dailyWindowDays * day));
  const url = new URL(`/api/v3/coins/${input.id}/market_chart/range`, input.base);
  url.search = `vs_currency=usd&from=${start}&to=${now}`;
  return url.href;
}

/** Turns 00:00 points into closes of the day before; anything that is not one point a day is refused. */
function dailyCloses({
  asset,
  url,
  prices,
}: {
  asset: string;
  url: string;
  prices: [number, number][];
}): PriceRow[] {
  const closes = new Map<string, number>();
  let others = 0;
  for (const [stamp, close] of prices) {
    if (stamp % dayMs !== 0) {
      others += 1;
      continue;
    }
    const date = addDays(utcDay(new Date(stamp)), -1);
    if ((closes.get(date) ?? close) !== close) throw notDaily(url, `gives two closes for ${date}`);
    closes.set(date, close);
  }
  if (others > 1) throw notDaily(url, `has ${others} points that are not at 00:00 UTC`);
  return [...closes]
    .sort(([a], [b]) => compareText(a, b))
    .map(([date, close]) => ({ date, asset, close, source: 'coingecko' }));
}

function keyHeader(apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {};
  if (/^[A-Za-z0-9_-]{1,128}$/.test(apiKey)) return { 'x-cg-demo-api-key': apiKey };
  throw new IssuerError({
    code: 'configuration',
    message: 'The CoinGecko key is not a key.',
    hint: 'Set the Demo key exactly as CoinGecko shows it, or leave it unset.',
  });
}

function unknownAsset(asset: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `No CoinGecko coin is known for ${asset}.`,
    hint: 'Give its closes as prices/<ASSET>.csv in the source directory.',
    details: { asset },
  });
}

function notDaily(url: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The answer of ${url} ${what}.`,
    hint: 'Nothing of it was stored; the source may have changed its granularity.',
    details: { url },
  });
}
