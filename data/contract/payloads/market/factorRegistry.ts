/** What a market factor is (I2.56, M8.4): an open list, nullable in every row. */
export type FactorDefinition = {
  readonly id: string;
  readonly unit: string;
  readonly definition: string;
  readonly higher_means: string;
};

/** The factors of a row, in the order of the method. */
export const factorRegistry: readonly FactorDefinition[] = [
  {
    id: 'funding_annualized',
    unit: 'fraction per year',
    definition: 'funding rate * (24 / funding interval in hours) * 365, simple',
    higher_means: 'longs pay shorts more',
  },
  {
    id: 'basis_bps',
    unit: 'bp',
    definition: '10000 * (mark - index) / index',
    higher_means: 'perpetual further above its index',
  },
  {
    id: 'oi_change_24h',
    unit: 'fraction',
    definition: 'open interest in base units / open interest 24 hours earlier - 1',
    higher_means: 'more contracts are open than a day ago',
  },
  {
    id: 'oi_usd',
    unit: 'USD',
    definition: 'open interest in base units * mark',
    higher_means: 'more money is open',
  },
  {
    id: 'rv_30d',
    unit: 'fraction',
    definition: 'sample standard deviation of 30 daily-sampled log returns of the mark * sqrt(365)',
    higher_means: 'the last month moved more',
  },
  {
    id: 'rv_90d',
    unit: 'fraction',
    definition: 'sample standard deviation of 90 daily-sampled log returns of the mark * sqrt(365)',
    higher_means: 'the last quarter moved more',
  },
  {
    id: 'vol_ratio',
    unit: 'fraction',
    definition: 'rv_30d / rv_90d',
    higher_means: 'volatility is rising against the quarter',
  },
  {
    id: 'momentum_7d',
    unit: 'log return',
    definition: 'ln(mark / mark 7 days earlier)',
    higher_means: 'the mark rose over the week',
  },
  {
    id: 'momentum_30d',
    unit: 'log return',
    definition: 'ln(mark / mark 30 days earlier)',
    higher_means: 'the mark rose over the month',
  },
  {
    id: 'turnover',
    unit: 'fraction',
    definition: 'notional volume of 24 hours / notional open interest',
    higher_means: 'open interest changes hands faster',
  },
  {
    id: 'amihud_30d',
    unit: 'absolute return per USD million',
    definition: 'mean over 30 days of |daily return| / daily volume in USD million',
    higher_means: 'the same volume moves the price further',
  },
  {
    id: 'breadth',
    unit: '0..1',
    definition: 'weight of the constituents whose 7-day return is positive; null of a single one',
    higher_means: 'more of the basket rose',
  },
  {
    id: 'breadth_count',
    unit: '0..1',
    definition: 'share of the constituents whose 7-day return is positive',
    higher_means: 'more constituents rose',
  },
  {
    id: 'hhi',
    unit: '0..1',
    definition: 'sum of squared weights; null of a single constituent',
    higher_means: 'the basket is more concentrated',
  },
  {
    id: 'n_eff',
    unit: 'constituents',
    definition: '1 / hhi',
    higher_means: 'the basket is spread over more names',
  },
  {
    id: 'dispersion',
    unit: 'fraction',
    definition: 'sqrt(sum of weight * (7-day return - weighted mean return)^2)',
    higher_means: 'constituents moved further apart',
  },
  {
    id: 'liquidation_imbalance',
    unit: '-1..1',
    definition: '(long - short) / (long + short) liquidations in USD',
    higher_means: 'more longs than shorts were liquidated',
  },
  {
    id: 'pressure',
    unit: 'z',
    definition:
      'mean of the groups carry (funding, basis), positioning (open interest, less turnover) and market (volatility ratio, less momentum and breadth) of z-scores against their own window',
    higher_means:
      'carry, open interest or volatility are high for their window, or prices fell: it rises when prices fall',
  },
];
