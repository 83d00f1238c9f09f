import type { MarketRegime } from '../../data/contract/values/enums.ts';
import { addDays } from '../exact/civilDate.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { type RegimeInputs, regimeInputs } from './regimeInputs.ts';

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

  /** True when the day's raw label is the published one, whatever came before. */
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
