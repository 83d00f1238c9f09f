import type { Product } from '../../calculators/market/baskets/product.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { MarketFacts } from './readMarketNight.ts';

/** What the histories of products are made from besides the slice. */
export type MarketRequest = {
  readonly products: readonly Product[];
  readonly parameters: Parameters;
  /** What the slice read of them; null where it read nothing. */
  readonly facts: MarketFacts | null;
  /** Path of the warehouse that holds their rows. */
  readonly database: string;
  /** `<data>/warehouse/journal`. */
  readonly journal: string;
  readonly code: string;
  /** Issuers with a row in the promoted slices before this one, by date. */
  readonly ciks: ReadonlyMap<string, readonly string[]>;
};
