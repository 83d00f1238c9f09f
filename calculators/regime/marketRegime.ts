import type { MarketRegime } from '../../data/contract/values/enums.ts';
import { addDays } from '../exact/civilDate.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { freshClose, type PriceBook } from '../prices/priceBook.ts';

/** The market regime of a day, from closes up to that day. */
export type RegimeOfDay = {
  readonly inputs: RegimeInputs | null;
  /** The label of the day alone; null when it cannot be read (M3.21). */
  readonly raw: MarketRegime | null;
  /** The published label (M3.22). */
  readonly confirmed: MarketRegime | null;
};

export type RegimeBook = {
  on(date: string): RegimeOfDay;
};

/**
 * Labels days of the coin market (M3.20–M3.22); every day is read once.
 *
 * A label looks back only: at its own closes, and from there day by day to the last one that was confirmed, so a day
 * has the same label however much history is asked for after it.
 */
export function regimeBook(input: {
  readonly prices: PriceBook;
  readonly parameters: Parameters;
}): RegimeBook {
  const read = new Map<string, { inputs: RegimeInputs | null; raw: MarketRegime | null }>();
  const confirmedOn = confirmation((date) => dayOf(date).raw, input.parameters);

  function dayOf(date: string) {
    const known = read.get(date);
    if (known !== undefined) return known;
    const inputs = regimeInputs(date, input);
    const day = { inputs, raw: inputs === null ? null : rawRegime(inputs, input.parameters) };
    read.set(date, day);
    return day;
  }

  return { on: (date) => ({ ...dayOf(date), confirmed: confirmedOn(date) }) };
}

/**
 * Publishes raw labels: synchronization at once, any other change once it holds for the confirmation days, the first
 * day as it is (M3.22). A day without a raw label has none, and the day after it is a first day.
 */
export function confirmation(
  rawOn: (date: string) => MarketRegime | null,
  { regime: { confirmationDays } }: Parameters,
): (date: string) => MarketRegime | null {
  const labelled = new Map<string, MarketRegime | null>();

  return (date) => {
    const pending: string[] = [];
    let day = date;
    // back to the nearest day that stands on its own
    while (!labelled.has(day) && !standsAlone(day)) {
      pending.push(day);
      day = addDays(day, -1);
    }
    if (!labelled.has(day)) labelled.set(day, rawOn(day));
    const label = labelled.get(day) ?? null;
    for (const later of pending) labelled.set(later, label);
    return label;
  };

  /** True when the day's raw label is the published one, independent of the days before. */
  function standsAlone(date: string): boolean {
    const raw = rawOn(date);
    if (raw === null || raw === 'high_synchronization_risk') return true;
    if (rawOn(addDays(date, -1)) === null) return true;
    return Array.from({ length: confirmationDays }, (_, back) => addDays(date, -back)).every(
      (day) => rawOn(day) === raw,
    );
  }
}

/** The label of a day's inputs, first match of M3.21. */
export function rawRegime(inputs: RegimeInputs, { regime }: Parameters): MarketRegime {
  const { synchronization, trend } = regime;
  const volatilityRatio = inputs.shortVolatility / inputs.longVolatility;
  const { momentum, correlation } = inputs;
  if (
    correlation >= synchronization.correlation &&
    volatilityRatio >= synchronization.volatilityRatio &&
    momentum < 0
  ) {
    return 'high_synchronization_risk';
  }
  if (momentum >= trend.momentum && inputs.trend > 0) {
    return volatilityRatio > trend.volatilityRatio ? 'bullish_rising_vol' : 'bullish_low_vol';
  }
  if (momentum <= -trend.momentum && inputs.trend < 0) {
    return volatilityRatio >= trend.volatilityRatio ? 'bearish_high_vol' : 'bearish_falling_vol';
  }
  return 'neutral';
}

/** What the regime of a day is read from (M3.20); unrounded. */
type RegimeInputs = {
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
function regimeInputs(
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
