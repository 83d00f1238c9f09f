import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer, PriceRow } from '../../calculators/filing/rows.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type PriceBook, priceBook } from '../../calculators/prices/priceBook.ts';
import type { PositionCache } from '../compute/positionCache.ts';
import { closesAround, type KnownPosition, resolveVintages } from '../compute/resolveVintages.ts';
import type { Log, LogEvent } from '../effects.ts';
import { dropVintages, selectVintages, type Vintage } from '../warehouse/select/selectVintages.ts';

/** Vintages resolved together: their facts are in memory at once. */
const batch = 64;

/** What was known of the issuers on one date. */
export type PositionsOfDate = { readonly sourceDate: string; readonly known: readonly KnownPosition[] };

/**
 * Resolves what was in force on each of some dates, ascending. A filing is resolved once for all the dates on which the
 * same was known of it; only the positions of one date and those of the next batch are held (M10.2, M10.3).
 *
 * @param rows closes up to the last date; a resolution reads those of its period only
 */
export async function* asOfPositions({
  connection,
  dates,
  issuers,
  rows,
  parameters,
  cache,
  stopIfAsked,
  log,
}: {
  connection: DuckDBConnection;
  dates: readonly string[];
  issuers: readonly Issuer[];
  rows: readonly PriceRow[];
  parameters: Parameters;
  cache: PositionCache | null;
  stopIfAsked: () => void;
  log: Log;
}): AsyncGenerator<PositionsOfDate, void, undefined> {
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return;
  const ciks = issuers.map((issuer) => issuer.cik);
  const vintages = await selectVintages(connection, { from, to, ciks });
  // one that begins and ends between two dates is never looked at
  const waiting = vintages
    .filter((vintage) => dates.some((date) => isInForce(vintage, date)))
    .sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.id - b.id));
  const request = {
    connection,
    parameters,
    cache,
    stopIfAsked,
    issuers: new Map(issuers.map((issuer) => [issuer.cik, issuer])),
    prices: priceBook(rows, parameters),
    closes: closesAround(rows, parameters),
    // one line for each filing would say little over years of them
    log: (event: LogEvent) => (event.level === 'info' ? undefined : log(event)),
  };
  try {
    let live: KnownPosition[] = [];
    for (const sourceDate of dates) {
      stopIfAsked();
      while ((waiting[0]?.since ?? '9999-12-31') <= sourceDate) {
        live.push(...(await resolveVintages({ ...request, vintages: waiting.splice(0, batch) })).known);
      }
      live = live.filter(({ vintage: { until } }) => until === null || until > sourceDate);
      yield { sourceDate, known: live.filter(({ vintage }) => isInForce(vintage, sourceDate)) };
    }
  } finally {
    await dropVintages(connection);
  }
}

function isInForce({ since, until }: Vintage, date: string): boolean {
  return since <= date && (until === null || date < until);
}

/** The book as it stood at the end of a day: later closes do not exist (M15.16). */
export function closesUpTo(book: PriceBook, day: string): PriceBook {
  return {
    close: (asset, date) => (date <= day ? book.close(asset, date) : null),
    closeOn: (asset, date) => (date <= day ? book.closeOn(asset, date) : null),
    refused: (asset, date) => (date <= day ? book.refused(asset, date) : []),
    isMissing: (asset, date) => date <= day && book.isMissing(asset, date),
  };
}
