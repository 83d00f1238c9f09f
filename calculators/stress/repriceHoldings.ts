import type { ExactDecimal } from '../../contract/exactDecimal.ts';
import { addDays } from '../civilDate.ts';
import { divide, exactly, multiply, rounded } from '../fraction.ts';
import { freshClose } from '../freshClose.ts';
import type { Parameters } from '../parameters.ts';
import type { Close, PriceBook } from '../priceBook.ts';
import { type CoinMix, weightedSum } from './coinMix.ts';

/** Filed holdings and the day whose closes they are valued at. */
export type HoldingsToReprice = {
  readonly crypto: ExactDecimal;
  readonly mix: CoinMix;
  readonly period: string;
  readonly date: string;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** Holdings at the slice's closes, whole USD, with the closes that were read. */
export type RepricedHoldings = {
  readonly crypto: ExactDecimal;
  readonly reference: readonly Close[];
  readonly live: readonly Close[];
};

/**
 * Reprices filed holdings: C·Σ wₐ·Pₐ,t/Pₐ,ref in whole USD (M3.18).
 *
 * null unless the mix is known and every asset of it has a reference close and one at most
 * `livePriceMaxAgeHours` old on `date`.
 */
export function repriceHoldings(o: HoldingsToReprice): RepricedHoldings | null {
  return repricedWith(o, (asset) => freshClose(asset, o));
}

/**
 * The same holdings at the closes exactly `days` before those of `live`, so that only the price differs (M3.19);
 * null when one of them is not at hand.
 */
export function repriceEarlier(o: HoldingsToReprice, live: RepricedHoldings, days: number) {
  const day = new Map(live.live.map((close) => [close.asset, addDays(close.date, -days)]));
  return repricedWith(o, (asset) => o.prices.closeOn(asset, day.get(asset) ?? ''));
}

function repricedWith(
  o: HoldingsToReprice,
  closeOf: (asset: string) => Close | null,
): RepricedHoldings | null {
  if (o.mix.length === 0 || o.crypto.sign <= 0) return null;
  const reference = new Map(o.mix.map(({ asset }) => [asset, o.prices.close(asset, o.period)]));
  const live = new Map(o.mix.map(({ asset }) => [asset, closeOf(asset)]));
  const found = [...reference.values(), ...live.values()];
  if (found.some((close) => close === null)) return null;
  const price = (closes: ReadonlyMap<string, Close | null>, asset: string) =>
    exactly(closes.get(asset)?.close ?? 0);
  const factor = weightedSum(o.mix, (asset) => divide(price(live, asset), price(reference, asset)));
  return {
    crypto: rounded(multiply(exactly(o.crypto), factor), 0),
    reference: present(reference),
    live: present(live),
  };
}

function present(closes: ReadonlyMap<string, Close | null>): Close[] {
  return [...closes.values()].filter((close) => close !== null);
}
