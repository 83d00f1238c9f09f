import type { Route } from '../../../data/contract/routes/route.ts';

/** The price of a call: `$0.10`, `$1.00 to $3.00` where the stored answer states it, `free`. */
export function priceText({ priceMicroUsd, priceBand }: Pick<Route, 'priceMicroUsd' | 'priceBand'>): string {
  if (priceBand !== undefined)
    return `${dollars(priceBand.minMicroUsd)} to ${dollars(priceBand.maxMicroUsd)}`;
  return priceMicroUsd === 0 ? 'free' : dollars(priceMicroUsd);
}

const dollars = (micro: number): string => `$${(micro / 1_000_000).toFixed(2)}`;
