import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays } from '../exact/civilDate.ts';
import { divide, exactly, type Fraction, multiply, one, rounded } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type CoinMix, weightedSum } from '../prices/coinMix.ts';
import { type Close, freshClose, type PriceBook } from '../prices/priceBook.ts';

/** Filed holdings and the day whose closes they are valued at. */
export type HoldingsToReprice = {
  readonly crypto: ExactDecimal;
  readonly mix: CoinMix;
  /** By coin, units now over filed units; a coin without one keeps its filed units (M17.30). */
  readonly unitFactors?: ReadonlyMap<string, Fraction>;
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
 * Reprices filed holdings: C·Σ wₐ·(Qₐ/Qₐ,filed)·Pₐ,t/Pₐ,ref in whole USD (M3.18, M17.30).
 *
 * null unless the mix is known and every asset of it has a reference close and one at most
 * `livePriceMaxAgeHours` old on `date`.
 */
export function repriceHoldings(holdingsToReprice: HoldingsToReprice): RepricedHoldings | null {
  return repricedWith(holdingsToReprice, (asset) => freshClose(asset, holdingsToReprice));
}

/**
 * The same holdings at the closes exactly `days` before those of `live`, so that only the price differs (M3.19);
 * null when one of them is not available.
 */
export function repriceEarlier(holdingsToReprice: HoldingsToReprice, live: RepricedHoldings, days: number) {
  const day = new Map(live.live.map((close) => [close.asset, addDays(close.date, -days)]));
  return repricedWith(holdingsToReprice, (asset) =>
    holdingsToReprice.prices.closeOn(asset, day.get(asset) ?? ''),
  );
}

function repricedWith(
  { mix, crypto, unitFactors, prices, period }: HoldingsToReprice,
  closeOf: (asset: string) => Close | null,
): RepricedHoldings | null {
  if (mix.length === 0 || crypto.sign <= 0) return null;
  const reference = new Map(mix.map(({ asset }) => [asset, prices.close(asset, period)]));
  const live = new Map(mix.map(({ asset }) => [asset, closeOf(asset)]));
  const found = [...reference.values(), ...live.values()];
  if (found.some((close) => close === null)) return null;
  const price = (closes: ReadonlyMap<string, Close | null>, asset: string) =>
    exactly(closes.get(asset)?.close ?? 0);
  const factor = weightedSum(mix, (asset) =>
    multiply(unitFactors?.get(asset) ?? one, divide(price(live, asset), price(reference, asset))),
  );
  return {
    crypto: rounded(multiply(exactly(crypto), factor), 0),
    reference: present(reference),
    live: present(live),
  };
}

function present(closes: ReadonlyMap<string, Close | null>): Close[] {
  return [...closes.values()].filter((close) => close !== null);
}
