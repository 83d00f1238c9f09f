import { join } from 'node:path';
import type { Contract } from '../../../calculators/market/marketBucket.ts';
import { IssuerError } from '../../../contract/errors/issuerError.ts';
import type { StoreEffects } from '../../effects.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { getText, unusableAnswer } from '../http/getText.ts';
import { bybitHistory } from './bybitHistory.ts';
import { newestStored, storeHistory } from './historyTable.ts';
import { keepAnswer } from './keepAnswer.ts';
import type { HistoryAdapter, HistoryPage, HistoryRow, HistorySeries } from './venueHistory.ts';
import { type VenueNetwork, type VenueSession, venueSession } from './venueSession.ts';

const historyVenues: readonly HistoryAdapter[] = [bybitHistory];

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

type Request = {
  /** `<raw>/market`: answers by hash, and below `perps/` the tables a night reads. */
  readonly directory: string;
  readonly contracts: readonly Contract[];
  /** How far back a series begins that has no row yet. */
  readonly days: number;
  readonly effects: StoreEffects;
  readonly signal: AbortSignal;
  readonly network?: Partial<VenueNetwork>;
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

type Asked = Omit<Request, 'network'> & VenueSession & { readonly adapter: HistoryAdapter };

async function askVenue(adapter: HistoryAdapter, request: Request): Promise<HistoryResult[]> {
  const advice = 'history goes on after the newest stored row';
  const opened = venueSession({ ...request, adapter, network: request.network, advice });
  const asked = { ...request, ...opened, adapter };
  const results: HistoryResult[] = [];
  let away: string | null = null;
  try {
    for (const contract of request.contracts) {
      for (const series of adapter.series) {
        const told = { venue: contract.venue, symbol: contract.symbol, series: series.name };
        const progress = { rows: 0, flags: new Set<string>() };
        if (away === null) {
          const failure = await fetchSeries({ contract, series, progress }, asked);
          if (failure?.code === 'source_refused') away = failure.message;
          const reason = failure?.message ?? null;
          const status = reason === null ? 'fetched' : 'failed';
          results.push({ ...told, status, rows: progress.rows, flags: [...progress.flags], reason });
        } else results.push({ ...told, status: 'failed', rows: 0, flags: [], reason: away });
      }
    }
  } finally {
    await opened.session.close();
  }
  return results;
}

type Work = {
  readonly contract: Contract;
  readonly series: HistorySeries;
  /** What is stored so far, also where the series then fails. */
  readonly progress: { rows: number; readonly flags: Set<string> };
};

/** Null when the series is fetched up to now. */
async function fetchSeries(work: Work, asked: Asked): Promise<IssuerError | null> {
  const { contract, series, progress } = work;
  const { effects, directory } = asked;
  const place = { directory: join(directory, 'perps'), contract, series: series.name };
  const now = effects.clock.now().getTime();
  try {
    const newest = await newestStored(place);
    const oldest = Math.ceil((now - asked.days * dayMs) / series.stepMs) * series.stepMs;
    const last = Math.floor(now / series.stepMs) * series.stepMs - (series.isBucket ? series.stepMs : 0);
    const first = newest === null ? oldest : Math.max(oldest, newest + series.stepMs);
    const pageMs = (series.pageRows - 1) * series.stepMs;
    for (let from = first; from <= last; from += pageMs + series.stepMs) {
      const range = { from, to: Math.min(last, from + pageMs) };
      const { page, source } = await askPage({ contract, series, range }, asked);
      if (isAway(page, effects)) progress.flags.add('clock_gap');
      // by the venue's clock its own bucket may still be open
      const settled = page.answeredMs - (series.isBucket ? series.stepMs : 0);
      const rows = page.rows.filter(({ at }) => at <= settled);
      progress.rows += await storeHistory(place, { rows, source });
    }
    return null;
  } catch (error) {
    if (!(error instanceof IssuerError) || !['source_refused', 'validation_failed'].includes(error.code))
      throw error;
    const message = `${contract.venue} ${contract.symbol} ${series.name}: ${error.message}`;
    effects.log({ level: 'warn', step: 'history', message });
    return error;
  }
}

function isAway({ answeredMs }: HistoryPage, { clock }: StoreEffects): boolean {
  return Math.abs(answeredMs - clock.now().getTime()) > clockGapMs;
}

type Range = { readonly from: number; readonly to: number };

async function askPage(
  {
    contract,
    series,
    range,
  }: { readonly contract: Contract; readonly series: HistorySeries; readonly range: Range },
  asked: Asked,
): Promise<{ readonly page: HistoryPage; readonly source: string }> {
  const { adapter, origin, network, directory, effects } = asked;
  const name = adapter.nameOf(contract.symbol);
  const url = `${origin}${series.path(name, range)}`;
  const text = await getText({ ...asked, ...network, url, headers: {}, maxBytes });
  const answer = { venue: `history-${contract.venue}`, url, text, at: effects.clock.now() };
  await keepAnswer(directory, answer, effects.files);
  const page = series.read({ url, text });
  const other = page.symbols.find((symbol) => symbol !== name);
  if (other !== undefined) throw unusableAnswer(url, `speaks of ${other.slice(0, 40)} instead of ${name}`);
  const source = `${new URL(origin).host} sha256 ${sha256Hex(text).slice(0, 16)}`;
  return { page: { ...page, rows: checkedRows(page.rows, { url, range, stepMs: series.stepMs }) }, source };
}

/** Rows said twice count once. @throws IssuerError for a time that was not asked for, or one that has two values. */
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
      throw unusableAnswer(url, `says two things of ${new Date(at).toISOString()}`);
    }
    seen.set(at, row);
  }
  return [...seen.values()];
}
