import { addDays } from '../exact/civilDate.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { freshClose } from '../prices/freshClose.ts';
import type { PriceBook } from '../prices/priceBook.ts';

/** What the regime of a day is read from (M3.20); unrounded. */
export type RegimeInputs = {
  /** Annualised sample volatility of the last 30 and 90 daily log returns of bitcoin. */
  readonly shortVolatility: number;
  readonly longVolatility: number;
  /** 30-day change of bitcoin. */
  readonly momentum: number;
  /** Bitcoin against its 90-day average. */
  readonly trend: number;
  /** Mean pairwise correlation of the basket's last 30 daily returns. */
  readonly correlation: number;
};

/**
 * Reads closes of `date` and before it. A missing day falls back as M2.13 says; null where a close is missing for
 * longer than that, where the day's own closes are stale (M3.18), with fewer than 91 closes (M3.21), and where a
 * price stood still so that nothing can be correlated.
 */
export function regimeInputs(
  date: string,
  { prices, parameters }: { readonly prices: PriceBook; readonly parameters: Parameters },
): RegimeInputs | null {
  const { regime } = parameters;
  if (regime.basket.some((asset) => freshClose(asset, { date, prices, parameters }) === null)) return null;
  const longest = Math.max(regime.minCloses, regime.correlationDays + 1);
  const dates = Array.from({ length: longest }, (_, i) => addDays(date, i + 1 - longest));
  const bitcoin = closesUpTo('BTC', regime.minCloses);
  const basket = regime.basket.map((asset) => closesUpTo(asset, regime.correlationDays + 1));
  if (bitcoin === null || basket.includes(null)) return null;
  const returns = logReturns(bitcoin);
  const last = bitcoin.at(-1) ?? Number.NaN;
  const inputs = {
    shortVolatility: annualised(returns.slice(-regime.shortVolatilityDays)),
    longVolatility: annualised(returns.slice(-regime.longVolatilityDays)),
    momentum: last / (bitcoin.at(-1 - regime.momentumDays) ?? Number.NaN) - 1,
    trend: last / meanOf(bitcoin.slice(-regime.averageDays)) - 1,
    correlation: meanOf(pairwiseCorrelations(basket.map((closes) => logReturns(closes ?? [])))),
  };
  const isMeasured = Object.values(inputs).every(Number.isFinite) && inputs.longVolatility > 0;
  return isMeasured ? inputs : null;

  function closesUpTo(asset: string, days: number): number[] | null {
    const closes: number[] = [];
    for (const day of dates.slice(-days)) {
      const close = prices.close(asset, day);
      if (close === null) return null;
      closes.push(close.close);
    }
    return closes;
  }

  function annualised(values: readonly number[]): number {
    const mean = meanOf(values);
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return Math.sqrt(squares / (values.length - 1)) * Math.sqrt(regime.daysPerYear);
  }
}

function logReturns(closes: readonly number[]): number[] {
  return closes.slice(1).map((close, i) => Math.log(close / (closes[i] ?? Number.NaN)));
}

function pairwiseCorrelations(series: readonly (readonly number[])[]): number[] {
  return series.flatMap((a, i) => series.slice(i + 1).map((b) => correlationOf(a, b)));
}

function correlationOf(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, i) => {
    const [x, y] = [value - meanA, (b[i] ?? Number.NaN) - meanB];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  });
  return ab / Math.sqrt(aa * bb);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
