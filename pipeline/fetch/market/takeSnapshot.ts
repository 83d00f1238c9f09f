import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { implausibleFigures } from '../../../calculators/market/implausibleFigures.ts';
import type { Contract } from '../../../calculators/market/marketBucket.ts';
import type { CloseBounds } from '../../../calculators/prices/implausibleCloses.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { worded, wordedInstant } from '../../../data/contract/values/instant.ts';
import type { FileEffects } from '../../effects.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { getText, parseAnswer } from '../http/getText.ts';
import { storeText } from '../store/storeUnwritable.ts';
import { binanceVenue } from './binanceVenue.ts';
import { bybitVenue } from './bybitVenue.ts';
import {
  type Asked,
  isOfTheSource,
  keepAnswer,
  type VenueAdapter,
  type VenueAnswer,
  type VenueReading,
  type VenueRequest,
  venueNumber,
  withVenue,
} from './venueSession.ts';

// Coinbase International Exchange, public REST (read 2026-11-23):
// - https://docs.cdp.coinbase.com/international-exchange/concepts/instruments and
//   …/api-reference/international-exchange-api/rest-api/instruments: GET /api/v1/instruments/BTC-PERP
// - members as the public client describes them, https://nautilustrader.io/docs/core-nightly/nautilus_coinbase_intx/
//   http/models/struct.CoinbaseIntxInstrument.html: {"symbol","open_interest","funding_interval","notional_24hr",
//   "trading_state","quote":{"trade_price","index_price","mark_price","predicted_funding","timestamp",…},…}
// `funding_interval` is text; it is read as nanoseconds, and anything that is then no whole number of hours up to a day
// counts as not said. `open_interest` is in units of the base asset. Funding is paid every hour.
// Limits: 100 requests a second and address for public data.
// https://docs.cdp.coinbase.com/intx/docs says (read 2026-11-23): the exchange is read-only as of 2026-10-01; trading has moved
// to Deribit (https://docs.deribit.com/articles/intx-api-migration). Whether these addresses still answer is not known.
// No live answer has confirmed these shapes here.

const hourNanoseconds = 3_600_000_000_000;
const instrument = z.object({
  symbol: z.string(),
  open_interest: venueNumber,
  funding_interval: venueNumber.optional(),
  quote: z.object({
    trade_price: venueNumber.nullish(),
    index_price: venueNumber.nullish(),
    mark_price: venueNumber,
    predicted_funding: venueNumber.nullish(),
    timestamp: z.iso.datetime(),
  }),
});

/** Perpetual contracts of Coinbase International Exchange. */
const coinbaseVenue: VenueAdapter = {
  venue: 'coinbase-intx',
  origin: 'https://api.international.coinbase.com',
  ratePerSecond: 5,
  nameOf: (symbol) => symbol,
  paths: (name) => [`/api/v1/instruments/${name}`],
  read([answer = { url: '', text: '' }]) {
    const { symbol, open_interest, funding_interval, quote } = parseAnswer({ ...answer, schema: instrument });
    const hours = (funding_interval ?? 0) / hourNanoseconds;
    return {
      symbol,
      mark: quote.mark_price,
      indexPrice: quote.index_price ?? null,
      last: quote.trade_price ?? null,
      openInterest: open_interest,
      fundingRate: quote.predicted_funding ?? null,
      fundingIntervalHours: Number.isInteger(hours) && hours >= 1 && hours <= 24 ? hours : null,
      observedMs: Date.parse(quote.timestamp),
    };
  },
};

/** Venues that are asked. */
export const snapshotVenues: readonly VenueAdapter[] = [coinbaseVenue, binanceVenue, bybitVenue];

/** What came of one contract. */
export type SnapshotResult = {
  readonly venue: string;
  readonly symbol: string;
  readonly status: 'observed' | 'failed';
  readonly flags: readonly string[];
  /** Why it was not observed; null when it was. */
  readonly reason: string | null;
};

const maxBytes = 4 << 20;
/** How far a venue's clock may be from ours before ours counts. */
const clockGapMs = 120_000;
/** A quote that is older says nothing of the quarter hour. */
const lateMs = 15 * 60_000;

type Request = VenueRequest & {
  /** Between which prices are believed (M8.20). */
  readonly bounds: Pick<CloseBounds, 'floor' | 'ceiling'>;
};

/**
 * Takes one observation of every contract at a venue that can be asked. Venues are asked side by side, the contracts of one
 * after another; what a venue refuses costs its own contracts alone. Every answer is kept as it came, under its SHA-256.
 */
export async function takeSnapshot(request: Request): Promise<readonly SnapshotResult[]> {
  const asked = snapshotVenues.map(async (adapter) => {
    const contracts = request.contracts.filter(({ venue }) => venue === adapter.venue);
    return contracts.length === 0 ? [] : askVenue(adapter, { ...request, contracts });
  });
  // what ends the run ends it once no venue is at work any more: its lock is let go then
  const settled = await Promise.allSettled(asked);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

function askVenue(adapter: VenueAdapter, request: Request): Promise<SnapshotResult[]> {
  const advice = 'one snapshot in fifteen minutes is what the venue is asked for';
  return withVenue(adapter, { ...request, advice }, async (asked) => {
    const results: SnapshotResult[] = [];
    for (const contract of request.contracts)
      results.push(await observe(contract, { ...asked, bounds: request.bounds }));
    return results;
  });
}

async function observe(
  contract: Contract,
  asked: Asked<VenueAdapter> & Pick<Request, 'bounds'>,
): Promise<SnapshotResult> {
  const { adapter, origin, network, directory, effects } = asked;
  const name = adapter.nameOf(contract.symbol);
  const told = { venue: contract.venue, symbol: contract.symbol };
  try {
    const answers: VenueAnswer[] = [];
    for (const path of adapter.paths(name)) {
      const url = `${origin}${path}`;
      const text = await getText({ ...asked, ...network, url, headers: {}, maxBytes });
      answers.push({ url, text });
      const answer = { venue: contract.venue, url, text, at: effects.clock.now() };
      await keepAnswer(directory, answer, effects.files);
    }
    const now = effects.clock.now().getTime();
    const reading = adapter.read(answers, name);
    if (reading.symbol !== name) {
      throw refused(`speaks of ${worded(reading.symbol.slice(0, 40))} instead of ${name}`);
    }
    if (isNone(reading.mark) && isNone(reading.last)) throw refused('gives no price');
    const implausible = implausibleFigures(reading, asked.bounds);
    if (implausible !== null) throw refused(`cannot be right: ${implausible}`);
    const { at, flags: late } = instantOf(reading, now);
    const path = observationPath(join(directory, 'perps'), contract, at);
    const flags = [...late, ...(await staleIndex(path, { reading, at }))];
    const source = `${new URL(origin).host} sha256 ${answers.map(({ text }) => sha256Hex(text).slice(0, 16)).join(' ')}`;
    await appendObservation(path, { contract, reading, at, flags, source }, effects.files);
    return { ...told, status: 'observed', flags, reason: null };
  } catch (error) {
    if (!isOfTheSource(error)) throw error;
    const reason = worded(error);
    effects.log({ level: 'warn', step: 'snapshot', message: `${told.venue} ${told.symbol}: ${reason}` });
    return { ...told, status: 'failed', flags: [], reason };
  }
}

const isNone = (price: number | null): boolean => price === null || price === 0;

/** The venue's time, or ours where its clock is elsewhere. @throws IssuerError for a quote of another quarter hour. */
function instantOf({ observedMs }: VenueReading, now: number): { at: number; flags: string[] } {
  if (observedMs === null) return { at: now, flags: [] };
  if (now - observedMs > lateMs) {
    throw refused(`is of ${wordedInstant(observedMs)}, more than 15 minutes ago`);
  }
  if (Math.abs(now - observedMs) <= clockGapMs) return { at: observedMs, flags: [] };
  return { at: now, flags: ['clock_gap'] };
}

/** An index that stands to its last digit while the mark moves is not followed any more. */
async function staleIndex(
  path: string,
  { reading, at }: { readonly reading: VenueReading; readonly at: number },
): Promise<string[]> {
  const before = await lastObserved(path);
  if (before === null || reading.indexPrice === null || at - before.at < 60_000) return [];
  const stands = before.index === String(reading.indexPrice) && before.mark !== String(reading.mark);
  return stands ? ['index_stale'] : [];
}

function refused(what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The answer ${what}.`,
    hint: 'Nothing of it is used; the next snapshot asks again.',
  });
}

const columns = [
  'venue',
  'symbol',
  'time_utc',
  'open_interest',
  'last_price',
  'index_price',
  'mark_price',
  'funding_rate',
  'funding_interval_hours',
  'kind',
  'flags',
  'source',
];

type Observed = {
  readonly contract: Contract;
  readonly reading: VenueReading;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly flags: readonly string[];
  /** Where the answer came from, with its hash. */
  readonly source: string;
};

/** The table of a contract and month below `perps/`: what a night reads, one observation a line. */
function observationPath(directory: string, { venue, symbol }: Contract, at: number): string {
  const month = new Date(at).toISOString().slice(0, 7);
  return join(directory, `snapshots_${venue}_${symbol.split('-')[0]}_${month}.csv`);
}

/** The newest mark and index of a table; null without a line. */
async function lastObserved(
  path: string,
): Promise<{ readonly at: number; readonly mark: string; readonly index: string } | null> {
  if (!existsSync(path)) return null;
  const line = (await readFile(path, 'utf8')).trimEnd().split('\n').at(-1) ?? '';
  const cells = line.split(',');
  const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
  const at = Date.parse(cell('time_utc'));
  return Number.isNaN(at) ? null : { at, mark: cell('mark_price'), index: cell('index_price') };
}

/** Adds one line, durably. A line that a killed run left half written is closed first: the night refuses it alone. */
async function appendObservation(path: string, one: Observed, files: FileEffects): Promise<void> {
  const { contract, reading, at, flags, source } = one;
  const text = (value: number | null) => (value === null ? '' : String(value));
  const line = [
    ...[contract.venue, contract.symbol, new Date(at).toISOString(), text(reading.openInterest)],
    ...[text(reading.last), text(reading.indexPrice), text(reading.mark), text(reading.fundingRate)],
    ...[text(reading.fundingIntervalHours), 'snapshot', flags.join('|'), source],
  ].join(',');
  const before = existsSync(path) ? await readFile(path, 'utf8') : null;
  const head = before === null ? `${columns.join(',')}\n` : before.endsWith('\n') ? '' : '\n';
  await files.makeDirectory(dirname(path));
  await files.append(path, [Buffer.from(`${head}${line}\n`)], { sync: true });
}

/**
 * Gives a night the observations that snapshots took: whole lines of every table, so that one being written meanwhile is
 * read the next night. Returns how many tables are others than before.
 */
export async function giveObservations({
  directory,
  target,
}: {
  /** Where snapshots write, `<raw>/market`. */
  readonly directory: string;
  /** The directory a night reads. */
  readonly target: string;
}): Promise<number> {
  const from = join(directory, 'perps');
  if (!existsSync(from)) return 0;
  await mkdir(join(target, 'perps'), { recursive: true });
  let changed = 0;
  for (const name of (await readdir(from)).filter((one) => one.endsWith('.csv'))) {
    const text = await readFile(join(from, name), 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const path = join(target, 'perps', name);
    if (whole === '' || (existsSync(path) && (await readFile(path, 'utf8')) === whole)) continue;
    await storeText(path, whole);
    changed += 1;
  }
  return changed;
}
