import { daysBetween } from './civilDate.ts';
import type { Parameters } from './parameters.ts';
import type { Close, PriceBook } from './priceBook.ts';

/** The newest close of an asset on `date`, null when it is older than the limit (M3.18); ages count from the slice's date (M0.13). */
export function freshClose(
  asset: string,
  o: { date: string; prices: PriceBook; parameters: Parameters },
): Close | null {
  const close = o.prices.close(asset, o.date);
  if (close === null) return null;
  return daysBetween(close.date, o.date) * 24 <= o.parameters.livePriceMaxAgeHours ? close : null;
}
