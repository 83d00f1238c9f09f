import type { ExactDecimal } from '../../contract/exactDecimal.ts';
import { divide, exactly, multiply, rounded } from '../fraction.ts';
import { freshClose } from '../freshClose.ts';
import type { Parameters } from '../parameters.ts';
import type { Close, PriceBook } from '../priceBook.ts';
import { type CoinMix, weightedSum } from './coinMix.ts';

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
export function repriceHoldings(o: {
  crypto: ExactDecimal;
  mix: CoinMix;
  period: string;
  date: string;
  prices: PriceBook;
  parameters: Parameters;
}): RepricedHoldings | null {
  if (o.mix.length === 0 || o.crypto.sign <= 0) return null;
  const reference = new Map(o.mix.map(({ asset }) => [asset, o.prices.close(asset, o.period)]));
  const live = new Map(o.mix.map(({ asset }) => [asset, freshClose(asset, o)]));
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
