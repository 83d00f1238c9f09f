import { daysBetween } from '../exact/civilDate.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { Close, PriceBook } from './priceBook.ts';

/** The newest close of an asset on `date`, null when it is older than the limit (M3.18); ages count from the slice's date (M0.13). */
export function freshClose(
  asset: string,
  { date, prices, parameters }: { date: string; prices: PriceBook; parameters: Parameters },
): Close | null {
  const close = prices.close(asset, date);
  if (close === null) return null;
  return daysBetween(close.date, date) * 24 <= parameters.livePriceMaxAgeHours ? close : null;
}
