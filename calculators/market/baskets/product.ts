import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
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

type WeightedConstituent = {
  readonly constituent: Constituent;
  /** Share of the basket after renormalising; as stated, or null, where the weights are not valid. */
  readonly weight: number | null;
};

export type RegistryWeights = {
  readonly rows: readonly WeightedConstituent[];
  /** Sum of the weights in `rows`: 1 within the tolerance when they are valid. */
  readonly total: number;
  readonly isValid: boolean;
  readonly isRenormalised: boolean;
  /** Stated weight of constituents with an identity, at most 1 (M8.14a). */
  readonly mappedWeight: number;
};

/**
 * The weights of a registry version (M8.6): divided by their sum where it is not 1 within the tolerance. They are not
 * valid where one is missing or negative, a constituent stands twice, or all are zero (M8.6a).
 */
export function registryWeights(
  version: Pick<RegistryVersion, 'constituents'>,
  { perps }: PerpsParameters,
): RegistryWeights {
  const { constituents } = version;
  const stated = constituents.map(({ weight }) => (isWeight(weight) ? weight : null));
  const sum = stated.reduce<number>((total, weight) => total + (weight ?? 0), 0);
  const isValid =
    !stated.includes(null) &&
    new Set(constituents.map(({ kind, ticker }) => `${kind} ${ticker}`)).size === constituents.length &&
    Number.isFinite(sum) &&
    sum > 0;
  const isRenormalised = isValid && Math.abs(sum - 1) > perps.registry.weightTolerance;
  const rows = constituents.map((constituent, i) => {
    const weight = stated[i] ?? null;
    return { constituent, weight: weight !== null && isRenormalised ? weight / sum : weight };
  });
  const mapped = constituents.reduce((total, c, i) => total + (isMapped(c) ? (stated[i] ?? 0) : 0), 0);
  return {
    rows,
    total: rows.reduce((total, { weight }) => total + (weight ?? 0), 0),
    isValid,
    isRenormalised,
    // a sum of rounded weights within the tolerance of 1 is 1
    mappedWeight: Math.min(1, mapped),
  };
}

/** A coin is its symbol; a stock is known by the CIK of its issuer (M8.14a). */
function isMapped({ kind, cik }: Constituent): boolean {
  return kind === 'coin' || cik !== null;
}

function isWeight(weight: number | null): weight is number {
  return weight !== null && Number.isFinite(weight) && weight >= 0;
}
