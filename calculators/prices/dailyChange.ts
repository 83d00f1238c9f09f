import { addDays } from '../exact/civilDate.ts';
import { divide, exactly, one, published, subtract } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { freshClose } from './freshClose.ts';
import type { PriceBook } from './priceBook.ts';

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
