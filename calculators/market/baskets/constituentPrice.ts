import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { Constituent } from './product.ts';

type CloseSeries = readonly { readonly date: string; readonly close: number }[];

/** Closes ascending by date, of coins by symbol and of stocks by ticker: STX is one of each. */
export type Closes = {
  readonly coin: ReadonlyMap<string, CloseSeries>;
  readonly stock: ReadonlyMap<string, CloseSeries>;
};

/** A close as it is known at an instant. */
export type ConstituentPrice = {
  readonly close: number;
  readonly staleMinutes: number;
  /** Simple return since the close seven days before; null without that close. */
  readonly return7d: number | null;
};

/** The last close of a day and the instant it counts from. */
export type DayClose = {
  readonly close: number;
  readonly countsFrom: number;
  readonly return7d: number | null;
};

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * When a close counts from, in minutes after the start of its date: a coin's at the end of its UTC day, a stock's at
 * 21:00 UTC, when the session has closed in winter time as well (M8.6b).
 */
const closeMinutes = { coin: 1440, stock: 1260 } as const;

/** The last date whose close of this kind is known at an instant, in days since 1970. */
export function closeDay(kind: Constituent['kind'], at: number): number {
  return Math.floor((at - closeMinutes[kind] * minuteMs) / dayMs);
}

/** The last close dated on a day or before, with its seven-day return (M8.6b); null without one. */
export function dayClose(
  { ticker, kind }: Pick<Constituent, 'ticker' | 'kind'>,
  {
    closes,
    day,
    parameters: { perps },
  }: { readonly closes: Closes; readonly day: number; readonly parameters: PerpsParameters },
): DayClose | null {
  const series = closes[kind].get(ticker) ?? [];
  const { breadthDays } = perps.windows;
  const now = lastOn(series, dateOf(day));
  if (now === null) return null;
  const since = Date.parse(`${now.date}T00:00:00Z`) / dayMs;
  const then = lastOn(series, dateOf(since - breadthDays));
  // a coin has a close on every day: an older one is not the close of seven days before
  const oldest = dateOf(since - (kind === 'coin' ? breadthDays : 2 * breadthDays - 1));
  return {
    close: now.close,
    countsFrom: since * dayMs + closeMinutes[kind] * minuteMs,
    return7d: then === null || then.date < oldest ? null : now.close / then.close - 1,
  };
}

/**
 * The close as a price at an instant; null when it is so old that it says nothing: for a coin, which trades every day,
 * the age limit of M8.14; for a stock, whose session closes, the days of the return itself (M8.6b).
 */
export function priceAt(
  found: DayClose | null,
  {
    kind,
    at,
    parameters: { perps },
  }: { readonly kind: Constituent['kind']; readonly at: number; readonly parameters: PerpsParameters },
): ConstituentPrice | null {
  if (found === null) return null;
  const staleMinutes = (at - found.countsFrom) / minuteMs;
  const hours = kind === 'coin' ? perps.coverage.priceMaxAgeHours : perps.windows.breadthDays * 24;
  return staleMinutes > hours * 60 ? null : { close: found.close, staleMinutes, return7d: found.return7d };
}

function lastOn(series: CloseSeries, date: string): CloseSeries[number] | null {
  let [low, high] = [0, series.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((series[middle]?.date ?? '') <= date) low = middle + 1;
    else high = middle;
  }
  for (let i = low - 1; i >= 0; i -= 1) {
    const found = series[i];
    if (found !== undefined && Number.isFinite(found.close) && found.close > 0) return found;
  }
  return null;
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
