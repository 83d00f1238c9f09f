import { join } from 'node:path';
import type { Contract } from '../../../calculators/market/marketBucket.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { worded, wordedInstant } from '../../../data/contract/values/instant.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { getText, unusableAnswer } from '../http/getText.ts';
import type { RetryLimits } from '../http/retryPolicy.ts';
import { binanceHistory } from './binanceVenue.ts';
import { bybitHistory } from './bybitVenue.ts';
import {
  foreignRow,
  type HistoryAdapter,
  type HistoryRow,
  type HistorySeries,
  type Level,
  newestStored,
  rhythms,
  storeHistory,
} from './venueHistory.ts';
import { type Asked, isOfTheSource, keepAnswer, type VenueRequest, withVenue } from './venueSession.ts';

/** Venues whose past is asked for. */
export const historyVenues: readonly HistoryAdapter[] = [binanceHistory, bybitHistory];

/** What came of one series of a contract. */
export type HistoryResult = {
  readonly venue: string;
  readonly symbol: string;
  readonly series: HistorySeries['name'];
  readonly status: 'fetched' | 'failed';
  /** Rows that were not stored before. */
  readonly rows: number;
  readonly flags: readonly string[];
  /** Why it was not fetched to its end; null when it was. */
  readonly reason: string | null;
};

const maxBytes = 4 << 20;
const dayMs = 86_400_000;
/** How far a venue's clock may be from ours before the result says so. */
const clockGapMs = 120_000;
/** What is asked less of a bounded past than it holds counts as nothing missing. */
const reachSlackMs = 2 * 3_600_000;
/** History has time: a venue that asks for two minutes gets them. */
const patience: RetryLimits = {
  maxFailuresInARow: 3,
  maxFailures: 3,
  baseDelayMs: 500,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 120_000,
};

type Request = VenueRequest & {
  /** How far back a series begins that has no row yet. */
  readonly days: number;
};

/**
 * Fetches what venues say of the past of their contracts, each series from its newest stored row on, page by page; every
 * page is stored before the next is asked. A page that is not as documented ends its series, a venue that refuses or fails
 * ends its own run alone.
 */
export async function fetchHistory(request: Request): Promise<readonly HistoryResult[]> {
  const results: HistoryResult[] = [];
  for (const adapter of historyVenues) {
    const contracts = request.contracts.filter(({ venue }) => venue === adapter.venue);
    if (contracts.length > 0) results.push(...(await askVenue(adapter, { ...request, contracts })));
  }
  return results;
}

/** A venue as its past is asked for. */
type AskedPast = Asked<HistoryAdapter>;
/** With the milliseconds the venue's clock is ahead of ours, where it is asked for. */
type Timed = AskedPast & Pick<Request, 'days'> & { readonly aheadMs: number };

function askVenue(adapter: HistoryAdapter, request: Request): Promise<HistoryResult[]> {
  const advice = 'history goes on after the newest stored row';
  const network = { retry: patience, runMs: 2 * 3_600_000, ...request.network };
  return withVenue(adapter, { ...request, network, advice }, async (asked) => {
    const clock = await askClock(asked);
    const { days } = request;
    return clock instanceof IssuerError
      ? askSeries({ ...asked, days, aheadMs: 0 }, clock.message)
      : askSeries({ ...asked, days, aheadMs: clock }, null);
  });
}

/** Asks for every series of every contract, until the venue is away. */
async function askSeries(asked: Timed, isAway: string | null): Promise<HistoryResult[]> {
  const results: HistoryResult[] = [];
  let away = isAway;
  for (const contract of asked.contracts) {
    const levels = new Map<number, number>();
    for (const series of asked.adapter.series) {
      const told = { venue: contract.venue, symbol: contract.symbol, series: series.name };
      const progress = { rows: 0, flags: new Set<string>() };
      if (away === null) {
        const failure = await fetchSeries({ contract, series, progress, levels }, asked);
        if (failure !== null && endsVenue(failure)) away = failure.message;
        const reason = failure?.message ?? null;
        const status = reason === null ? 'fetched' : 'failed';
        results.push({ ...told, status, rows: progress.rows, flags: [...progress.flags], reason });
      } else results.push({ ...told, status: 'failed', rows: 0, flags: [], reason: away });
    }
  }
  return results;
}

/** A venue that does not know a contract, or a time of it, answers 400 or 404; the others may still be asked. */
function endsVenue({ code, details }: IssuerError): boolean {
  return code === 'source_refused' && ![400, 404].includes(Number(details?.['status']));
}

/** How far the venue's clock is ahead of ours, or why it does not say. */
async function askClock(asked: AskedPast): Promise<number | IssuerError> {
  const { adapter, effects, origin } = asked;
  if (adapter.clock === undefined) return 0;
  const url = `${origin}${adapter.clock.path}`;
  try {
    const text = await askText(url, asked);
    return adapter.clock.read({ url, text }) - effects.clock.now().getTime();
  } catch (error) {
    return failureOf(error, { ...asked, what: `${adapter.venue} clock` });
  }
}

type Work = {
  readonly contract: Contract;
  readonly series: HistorySeries;
  /** What is stored so far, also where the series then fails. */
  readonly progress: { rows: number; readonly flags: Set<string> };
  /** Prices of the contract by time, of every series of this run. */
  readonly levels: Map<number, number>;
};

/** Null when the series is fetched up to now. */
async function fetchSeries(work: Work, asked: Timed): Promise<IssuerError | null> {
  const { contract, series, progress, levels } = work;
  const { effects, directory } = asked;
  const place = { directory: join(directory, 'perps'), contract, series: series.name };
  const now = effects.clock.now().getTime();
  try {
    const newest = await newestStored(place);
    const reach = Math.min(asked.days * dayMs, series.reachMs ?? Number.POSITIVE_INFINITY);
    const { stepMs, isBucket } = rhythms[series.name];
    const oldest = Math.ceil((now - reach) / stepMs) * stepMs;
    const last = Math.floor(now / stepMs) * stepMs - (isBucket ? stepMs : 0);
    const next = newest === null ? now - asked.days * dayMs : newest.at + stepMs;
    const first = newest === null ? oldest : Math.max(oldest, next);
    // what lies further back than the venue serves stays a hole
    if (series.reachMs !== undefined && next < oldest - reachSlackMs) progress.flags.add('older_not_served');
    const pageMs = (series.pageRows - 1) * stepMs;
    let before = newest;
    for (let from = first; from <= last; from += pageMs + stepMs) {
      const range = { from, to: Math.min(last, from + pageMs) };
      const { rows, answeredMs, source } = await askPage({ ...work, range, before }, asked);
      if (Math.abs(answeredMs - effects.clock.now().getTime()) > clockGapMs) progress.flags.add('clock_gap');
      // by the venue's clock its own bucket may still be open
      const settled = answeredMs - (isBucket ? stepMs : 0);
      const closed = rows.filter(({ at }) => at <= settled);
      progress.rows += await storeHistory(place, { rows: closed, source });
      for (const { at, price } of closed) if (price !== null && price > 0) levels.set(at, price);
      before = closed.at(-1) ?? before;
    }
    return null;
  } catch (error) {
    const what = `${contract.venue} ${contract.symbol} ${series.name}`;
    return failureOf(error, { ...asked, what });
  }
}

/** What ends a series or a venue alone; anything else ends the run. */
function failureOf(
  error: unknown,
  { effects, what }: Pick<AskedPast, 'effects'> & { readonly what: string },
): IssuerError {
  if (!isOfTheSource(error)) throw error;
  effects.log({ level: 'warn', step: 'history', message: `${what}: ${worded(error)}` });
  return error instanceof IssuerError
    ? error
    : unusableAnswer(what, `cannot be read (${worded(error)})`, error);
}

type Range = { readonly from: number; readonly to: number };

type Page = {
  readonly rows: readonly HistoryRow[];
  readonly answeredMs: number;
  /** Where the answer came from, with its hash. */
  readonly source: string;
};

/** The answer as it came, kept under its hash. */
async function askText(url: string, asked: AskedPast): Promise<string> {
  const { adapter, network, directory, effects } = asked;
  const text = await getText({ ...asked, ...network, url, headers: {}, maxBytes });
  const answer = { venue: `history-${adapter.venue}`, url, text, at: effects.clock.now() };
  await keepAnswer(directory, answer, effects.files);
  return text;
}

async function askPage(
  {
    contract,
    series,
    range,
    levels,
    before,
  }: Work & { readonly range: Range; readonly before: Level | null },
  asked: Timed,
): Promise<Page> {
  const { adapter, origin, effects } = asked;
  const name = adapter.nameOf(contract.symbol);
  const url = `${origin}${series.path(name, range)}`;
  const text = await askText(url, asked);
  const page = series.read({ url, text });
  const other = page.symbols.find((symbol) => symbol !== name);
  if (other !== undefined)
    throw unusableAnswer(url, `speaks of ${worded(other.slice(0, 40))} instead of ${name}`);
  const rows = checkedRows(page.rows, { url, range, stepMs: rhythms[series.name].stepMs });
  const foreign = page.symbols.length > 0 ? null : foreignRow({ rows, levels, before });
  if (foreign !== null) {
    const when = wordedInstant(foreign.at);
    throw unusableAnswer(url, `has a price of ${foreign.price} at ${when}, which is not that of ${name}`);
  }
  const answeredMs = page.answeredMs ?? effects.clock.now().getTime() + asked.aheadMs;
  const source = `${new URL(origin).host} sha256 ${sha256Hex(text).slice(0, 16)}`;
  return { rows, answeredMs, source };
}

/** In the order of time; rows said twice count once. @throws IssuerError for a time that was not asked for, or one with two values. */
function checkedRows(
  rows: readonly HistoryRow[],
  { url, range, stepMs }: { readonly url: string; readonly range: Range; readonly stepMs: number },
): readonly HistoryRow[] {
  const seen = new Map<number, HistoryRow>();
  for (const row of rows) {
    const { at } = row;
    if (at < range.from || at > range.to || at % stepMs !== 0) {
      throw unusableAnswer(url, `holds a row of ${at}, which was not asked for`);
    }
    const earlier = seen.get(at);
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(row)) {
      throw unusableAnswer(url, `says two things of ${wordedInstant(at)}`);
    }
    seen.set(at, row);
  }
  return [...seen.values()].sort((a, b) => a.at - b.at);
}
