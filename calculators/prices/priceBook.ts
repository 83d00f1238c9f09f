import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays, daysBetween } from '../exact/civilDate.ts';
import { exceeds } from '../exact/decimals.ts';
import { divide, exactly, one, published, subtract } from '../exact/fraction.ts';
import type { PriceRow } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** The close that stands for an asset on a day: USD at the end of `date`, from `source`. */
export type Close = {
  readonly asset: string;
  readonly date: string;
  readonly close: number;
  readonly source: string;
  /** Two sources of this asset-day differ by more than the conflict threshold. */
  readonly conflict: boolean;
};

/** Closes of the persisted daily snapshot, one per asset and day (M2.13). */
export type PriceBook = {
  /** The close of the day, or of the nearest earlier day within the lookback; null when there is none. Never a later day. */
  close(asset: string, date: string): Close | null;
  /** The close of exactly that day, for changes over a fixed span (M3.19). */
  closeOn(asset: string, date: string): Close | null;
  /** Days up to and including `date` whose refused closes {@link close} would have come to first (M2.13b). */
  refused(asset: string, date: string): readonly string[];
  /** No source gives a close of that day, used or refused, although the series of the asset has begun. */
  isMissing(asset: string, date: string): boolean;
};

/** Indexes the persisted closes; where several sources have a day the first of `priceSourceOrder` wins (M2.13). */
export function priceBook(rows: readonly PriceRow[], parameters: Parameters): PriceBook {
  const days = new Map<string, PriceRow[]>();
  const refusedDays = new Set(rows.filter((row) => row.refused).map(({ asset, date }) => `${asset} ${date}`));
  for (const row of rows) {
    if (row.refused) continue;
    if (!(row.close > 0) || !Number.isFinite(row.close)) continue;
    const key = `${row.asset} ${row.date}`;
    const day = days.get(key);
    if (day === undefined) days.set(key, [row]);
    else day.push(row);
  }
  const begun = new Map<string, string>();
  for (const { asset, date } of rows) if (date < (begun.get(asset) ?? '9999-12-31')) begun.set(asset, date);
  // a slice asks for the same day of a coin many times
  const chosen = new Map<string, Close | null>();
  const closeOn = (asset: string, date: string): Close | null => {
    const key = `${asset} ${date}`;
    const known = chosen.get(key);
    if (known !== undefined) return known;
    const day = days.get(key);
    const close = day === undefined ? null : choose(day, parameters);
    chosen.set(key, close);
    return close;
  };
  const close = (asset: string, date: string): Close | null => {
    const own = closeOn(asset, date);
    if (own !== null) return own;
    for (let back = 1; back <= parameters.priceLookbackDays; back += 1) {
      const found = closeOn(asset, addDays(date, -back));
      if (found !== null) return found;
    }
    return null;
  };
  const refused = (asset: string, date: string): string[] => {
    const found: string[] = [];
    for (let back = 0; back <= parameters.priceLookbackDays; back += 1) {
      const day = addDays(date, -back);
      if (refusedDays.has(`${asset} ${day}`)) found.push(day);
      if (closeOn(asset, day) !== null) break;
    }
    return found;
  };
  const isMissing = (asset: string, date: string): boolean =>
    (begun.get(asset) ?? '9999-12-31') < date &&
    closeOn(asset, date) === null &&
    !refusedDays.has(`${asset} ${date}`);
  return { close, closeOn, refused, isMissing };
}

function choose(day: readonly PriceRow[], parameters: Parameters): Close | null {
  const order = parameters.priceSourceOrder;
  // sources the order does not name come last, by name, so that a new venue is used only where nothing better is
  const rank = (row: PriceRow) => (order.includes(row.source) ? order.indexOf(row.source) : order.length);
  const ranked = day.toSorted(
    (a, b) => rank(a) - rank(b) || compareText(a.source, b.source) || a.close - b.close,
  );
  const best = ranked[0];
  if (best === undefined) return null;
  const closes = ranked.map((row) => row.close);
  const exact = ExactDecimal.fromNumber;
  return {
    asset: best.asset,
    date: best.date,
    close: best.close,
    source: best.source,
    conflict: exceeds(exact(Math.max(...closes)), exact(Math.min(...closes)), parameters.priceConflict),
  };
}

/** Change of an asset's close over `days` to `date`, in percent at two decimals; null without both closes (M3.19). */
export function dailyChange(
  input: { asset: string; date: string; prices: PriceBook; parameters: Parameters },
  days: number,
): number | null {
  const now = freshClose(input.asset, input);
  const then = now === null ? null : input.prices.closeOn(input.asset, addDays(now.date, -days));
  if (now === null || then === null) return null;
  const change = subtract(divide(exactly(now.close), exactly(then.close)), one);
  return published({ ...change, numerator: change.numerator * 100n }, 2);
}

/** The newest close of an asset on `date`, null when it is older than the limit (M3.18); ages count from the slice's date (M0.13). */
export function freshClose(
  asset: string,
  { date, prices, parameters }: { date: string; prices: PriceBook; parameters: Parameters },
): Close | null {
  const close = prices.close(asset, date);
  if (close === null) return null;
  return daysBetween(close.date, date) * 24 <= parameters.livePriceMaxAgeHours ? close : null;
}
