import { addDays } from '../exact/civilDate.ts';
import { doubleOf } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type CoinMix, weightsOf } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { crossSectionOf, robustZ } from './standings.ts';

/** How unusual the market's recent move is, for a mix of coins on a day. */
export type MarketReturns = {
  /**
   * z_R: the robust z of the mix's 30-day log return inside its own trailing year, the day included; unrounded.
   * null without a known mix, without the day's own return, or with too few days (M3.14).
   */
  zReturn(mix: CoinMix, date: string): number | null;
};

/** Reads closes of a day and before it only, each once (M3.14, M15.16). */
export function marketReturns(prices: PriceBook, parameters: Parameters): MarketReturns {
  const { returnDays, windowDays, minDays } = parameters.marketPressure;
  const returns = new Map<string, number | null>();
  const zReturns = new Map<string, number | null>();

  function assetReturn(asset: string, date: string): number | null {
    const key = `${asset} ${date}`;
    const known = returns.get(key);
    if (known !== undefined) return known;
    const now = prices.close(asset, date);
    const then = prices.close(asset, addDays(date, -returnDays));
    const value = now === null || then === null ? null : Math.log(now.close / then.close);
    returns.set(key, value);
    return value;
  }

  function zReturn(mix: CoinMix, date: string): number | null {
    const weights = weightsOf(mix).map(({ asset, weight }) => ({ asset, weight: doubleOf(weight) }));
    if (weights.length === 0) return null;
    const key = `${date} ${weights.map(({ asset, weight }) => `${asset} ${weight}`).join(' ')}`;
    const known = zReturns.get(key);
    if (known !== undefined) return known;
    const mixReturn = (day: string) => {
      let sum = 0;
      for (const { asset, weight } of weights) {
        const value = assetReturn(asset, day);
        if (value === null) return null;
        sum += weight * value;
      }
      return sum;
    };
    const last = mixReturn(date);
    const trailing: number[] = [];
    for (let back = windowDays - 1; last !== null && back >= 0; back -= 1) {
      const value = mixReturn(addDays(date, -back));
      if (value !== null) trailing.push(value);
    }
    const section = trailing.length < minDays ? null : crossSectionOf(trailing);
    const z = last === null || section === null ? null : robustZ(last, section, parameters);
    zReturns.set(key, z);
    return z;
  }

  return { zReturn };
}
