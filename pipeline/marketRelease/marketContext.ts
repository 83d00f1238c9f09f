import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { HeldRows } from '../../calculators/market/readings/coverageWindow.ts';
import type { IssuerTiers } from '../../calculators/market/readings/issuerTruth.ts';
import type { LengthFacts, MarketFacts, ProductFacts } from '../market/readMarketNight.ts';

/** What a slice knows of perpetual products beside its issuers. */
export type MarketContext = {
  readonly facts: MarketFacts;
  /** Risk tiers by CIK of the slice that answers for a date; null where none does: never those of another date. */
  readonly tiersOf: (date: string) => IssuerTiers | null;
  /** Available rows of the seven days that end with the slice. */
  readonly recentRows: (product: string, length: BucketLength) => number;
  /** First and last bucket of a length that is stored of any product. */
  readonly reach: (length: BucketLength) => { readonly first: number | null; readonly last: number | null };
  /** The rows of one product that are stored up to the slice; null without one. */
  readonly held: (product: string, length: BucketLength) => HeldRows | null;
};

/** A product with its newest row of one length. */
export type LatestFacts = ProductFacts & {
  readonly length: BucketLength;
  readonly of: LengthFacts;
  readonly latest: FactorRow;
};

/** Every product that has a row of a length up to the slice. */
export function latestOf({ products }: MarketFacts, length: BucketLength): readonly LatestFacts[] {
  return products.flatMap((facts) => {
    const of = facts.byLength[length];
    return of.latest === null ? [] : [{ ...facts, length, of, latest: of.latest }];
  });
}

/** The rows a field map is rendered from: those of the window, and the newest even where it lacks something. */
export function fieldMapRows({ of, latest }: LatestFacts): readonly FactorRow[] {
  const isLast = of.window.at(-1)?.start === latest.start;
  return isLast ? of.window : [...of.window, latest];
}

/** End of the date of the slice, epoch milliseconds. */
export function endOfSlice({ sourceDate }: MarketFacts): number {
  return Date.parse(`${sourceDate}T00:00:00Z`) + 86_400_000;
}
