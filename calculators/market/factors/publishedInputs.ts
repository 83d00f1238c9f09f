import type { FactorRow } from './factorRow.ts';

/** The observations a row was made from, as published: refused values are null. */
export type PublishedInputs = Readonly<Record<string, number | boolean | null>>;

export function publishedInputs({ marketInputs: bucket }: Pick<FactorRow, 'marketInputs'>): PublishedInputs {
  return {
    mark: bucket.mark,
    index_price: bucket.index,
    last: bucket.last,
    open_interest: bucket.openInterest,
    funding_rate: bucket.fundingRate,
    funding_interval_hours: bucket.fundingIntervalHours,
    volume_base: bucket.volumeBase,
    volume_usd: bucket.volumeUsd,
    volume_24h_usd: bucket.volume24hUsd,
    liquidations_long_usd: bucket.liquidationsLongUsd,
    liquidations_short_usd: bucket.liquidationsShortUsd,
    observations: bucket.observations,
    synthetic: bucket.synthetic,
  };
}
