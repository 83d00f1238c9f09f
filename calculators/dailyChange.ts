import { addDays } from './civilDate.ts';
import { divide, exactly, one, published, subtract } from './fraction.ts';
import { freshClose } from './freshClose.ts';
import type { Parameters } from './parameters.ts';
import type { PriceBook } from './priceBook.ts';

/** Change of an asset's close over `days` to `date`, in percent at two decimals; null without both closes (M3.19). */
export function dailyChange(
  o: { asset: string; date: string; prices: PriceBook; parameters: Parameters },
  days: number,
): number | null {
  const now = freshClose(o.asset, o);
  const then = now === null ? null : o.prices.closeOn(o.asset, addDays(now.date, -days));
  if (now === null || then === null) return null;
  const change = subtract(divide(exactly(now.close), exactly(then.close)), one);
  return published({ ...change, numerator: change.numerator * 100n }, 2);
}
