import type { Contract } from '../marketBucket.ts';

export type Constituent = {
  /** Symbol of a coin, ticker of a stock. */
  readonly ticker: string;
  readonly cik: string | null;
  readonly name: string;
  readonly kind: 'coin' | 'stock';
  /** Share of the basket as its source states it; null where no weight is public. */
  readonly weight: number | null;
};

/** The constituents of a product from a date on (M8.6). */
export type RegistryVersion = {
  /** First civil date, UTC, on whose buckets it counts. */
  readonly effectiveDate: string;
  readonly source: string;
  readonly method: 'fixed_share' | 'capped' | 'single' | 'price_weighted' | 'equal' | 'not_public';
  /** False where some constituents or weights are not known. */
  readonly weightsPublic: boolean;
  /** True for a published list that stands for one that is not public. */
  readonly standIn: boolean;
  readonly notes: readonly string[];
  readonly constituents: readonly Constituent[];
};

/** A product of M8.1 with the contracts that are observed for it, first choice first. */
export type Product = {
  readonly product: string;
  readonly displayName: string;
  readonly aliases: readonly string[];
  readonly kind: 'coin' | 'coin_basket' | 'equity_basket';
  readonly indexSymbol: string;
  readonly underlyingTicker: string | null;
  /** Last civil date of a dated contract; null for a perpetual one. */
  readonly expires: string | null;
  /** `from` and `to` are civil dates, both included; `to` null while the contract is listed. */
  readonly contracts: readonly (Contract & { readonly from: string; readonly to: string | null })[];
  /** Ascending by effective date. */
  readonly versions: readonly RegistryVersion[];
};

/** The registry version in force on a civil date, null before the first (M8.6). */
export function versionOn(product: Pick<Product, 'versions'>, date: string): RegistryVersion | null {
  let found: RegistryVersion | null = null;
  for (const version of product.versions)
    if (version.effectiveDate <= date && (found === null || version.effectiveDate >= found.effectiveDate))
      found = version;
  return found;
}
