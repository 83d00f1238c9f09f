import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { divide, exactly, multiply, rounded } from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { PriceBook } from '../../prices/priceBook.ts';
import { absentFigure } from '../absentFigure.ts';
import type { CoinStock } from '../coinFlows/coinFlows.ts';
import { everyAsset } from '../coinFlows/coinScope.ts';
import type { Figure } from '../figure.ts';

/**
 * What the free coins are worth on a day (M18.65): their number at its close, else their filed value moved with the close;
 * null where one coin has neither.
 */
export function freeCoinValue(
  stocks: readonly CoinStock[],
  { day, period, prices }: { readonly day: string; readonly period: string; readonly prices: PriceBook },
): Figure {
  const parts = stocks.filter(({ asset }) => asset !== everyAsset);
  if (stocks.length === 0) return absentFigure('not_filed');
  if (parts.length === 0) return absentFigure('price_missing', { part: everyAsset });
  const values: ExactDecimal[] = [];
  for (const { asset, free, freeValue } of parts) {
    const close = prices.close(asset, day);
    if (free.value !== null) {
      if (close === null) return absentFigure('price_missing', { part: asset });
      values.push(free.value.times(ExactDecimal.fromNumber(close.close)));
      continue;
    }
    if (freeValue.value === null) return absentFigure('missing', { part: asset, facts: freeValue.facts });
    if (freeValue.value.sign === 0) continue;
    const then = prices.close(asset, period);
    if (close === null || then === null) return absentFigure('price_missing', { part: asset });
    const moved = multiply(exactly(freeValue.value), divide(exactly(close.close), exactly(then.close)));
    values.push(rounded(moved, 2));
  }
  const facts = parts.flatMap(({ free, freeValue }) => (free.value === null ? freeValue.facts : free.facts));
  return { value: sumOf(values).rounded(2), status: 'stated', basis: 'free_coins_at_close', facts };
}
