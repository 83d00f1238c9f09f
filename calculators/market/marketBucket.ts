import type { PerpsParameters } from '../parameters/perpsParameters.ts';

export type BucketLength = keyof PerpsParameters['perps']['buckets'];

/** One listed contract: what a venue calls it. */
export type Contract = { readonly venue: string; readonly symbol: string };

/**
 * What one bucket of one contract holds (M8.2): states are its last observation, flows the sum; null where the venue
 * gave none. Nothing is carried over from another bucket.
 */
export type MarketBucket = {
  /** Start in UTC, epoch milliseconds, a multiple of the bucket's length. */
  readonly start: number;
  readonly mark: number | null;
  readonly index: number | null;
  readonly last: number | null;
  /** In units of the underlying, so that a change of price is no change of it. */
  readonly openInterest: number | null;
  readonly fundingRate: number | null;
  readonly fundingIntervalHours: number | null;
  readonly volumeBase: number | null;
  /** Notional. */
  readonly volumeUsd: number | null;
  readonly liquidationsLongUsd: number | null;
  readonly liquidationsShortUsd: number | null;
  readonly observations: number;
  readonly synthetic: boolean;
  /** What was found while the observations were read. */
  readonly flags: readonly string[];
};

/** The buckets of one contract and one length, ascending; a bucket without an observation is not there. */
export type ContractSeries = {
  readonly contract: Contract;
  readonly buckets: readonly MarketBucket[];
};
