/** What is known of a venue beyond its answers. */
export type Venue = {
  /** Hours between two payments of funding where neither the venue nor the spacing of its rates says. */
  readonly fundingHours: number;
  /** `usd`: open interest is the face value in dollars, no number of coins. */
  readonly openInterest: 'base' | 'usd';
};

/**
 * Venues by the name their tables carry. Intervals are those of the published rates: eight hours, but for venues that pay
 * every hour.
 */
export const venues: Readonly<Record<string, Venue>> = {
  binance: { fundingHours: 8, openInterest: 'base' },
  // contracts of 100 USD (BTC) or 10 USD: another contract than the one margined in USDT
  'binance-coinm': { fundingHours: 8, openInterest: 'usd' },
  bybit: { fundingHours: 8, openInterest: 'base' },
  'coinbase-derivatives': { fundingHours: 1, openInterest: 'base' },
  'coinbase-intx': { fundingHours: 1, openInterest: 'base' },
  dydx: { fundingHours: 1, openInterest: 'base' },
  gate: { fundingHours: 8, openInterest: 'base' },
  htx: { fundingHours: 8, openInterest: 'base' },
  hyperliquid: { fundingHours: 1, openInterest: 'base' },
  kucoin: { fundingHours: 8, openInterest: 'base' },
  mexc: { fundingHours: 8, openInterest: 'base' },
};

/** Contracts that a table names otherwise, with what proves which they are. */
export const contractNames = [
  {
    given: { venue: 'unnamed', symbol: 'BTC-PERP' },
    contract: { venue: 'binance', symbol: 'BTC-USDT' },
    evidence:
      'mark and last price equal the hourly opens of Binance BTCUSDT (median gap 0.016 bp; one hour off 23 bp), ' +
      'open interest its daily one (mean 0.005 %)',
  },
] as const;
