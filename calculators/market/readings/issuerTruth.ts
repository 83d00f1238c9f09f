import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import { type Product, type RegistryVersion, registryWeights } from '../baskets/product.ts';
import { ofShare } from '../factors/coverageOf.ts';
import type { CoverageLevel } from '../factors/factorRow.ts';

const meaning = 'Filed balance sheets stand behind the weight of the basket.';

/** Tiers of one slice by CIK. */
export type IssuerTiers = ReadonlyMap<string, string>;

/** What the issuers of one date add to a basket: level 1 and the constituents among them. */
export type IssuerTruth = {
  readonly level: CoverageLevel;
  /** Weight with a judged issuer behind it; null without a registry or without issuers of the date. */
  readonly coveredWeight: number | null;
  /** Constituents with a CIK, in registry order, and their tier as of the date (M9.10). */
  readonly overlay: readonly {
    readonly ticker: string;
    readonly cik: string;
    readonly weight: number | null;
    readonly risk_tier: string | null;
  }[];
};

/**
 * Level 1 of a product's registry version by the issuers of the bucket's own date (M8.14): never by those of another.
 *
 * @param tiers of the slice of that date; null where there is none
 */
export function issuerTruth({
  product,
  version,
  tiers,
  parameters,
}: {
  readonly product: Pick<Product, 'kind'>;
  readonly version: RegistryVersion | null;
  readonly tiers: IssuerTiers | null;
  readonly parameters: PerpsParameters;
}): IssuerTruth {
  if (version === null) return without('missing', 'No registry version is in force.');
  const rows = registryWeights(version, parameters).rows;
  const overlay = rows.flatMap(({ constituent: { ticker, cik }, weight }) =>
    cik === null ? [] : [{ ticker, cik, weight, risk_tier: tiers?.get(cik) ?? null }],
  );
  if (product.kind !== 'equity_basket')
    return { ...without('not_applicable', 'Coins have no filings.'), overlay };
  if (tiers === null)
    return { ...without('missing', 'No slice of issuers is stored for this date.'), overlay };
  const judged = overlay.filter(({ risk_tier: tier }) => tier !== null && tier !== 'UNCLASSIFIED');
  const coveredWeight = Math.min(
    1,
    judged.reduce((sum, { weight }) => sum + (weight ?? 0), 0),
  );
  return {
    level: ofShare(coveredWeight, {
      needed: parameters.perps.coverage.issuerWeight,
      meaning,
      what: 'has a judged issuer',
    }),
    coveredWeight,
    overlay,
  };
}

function without(status: 'missing' | 'not_applicable', reason: string): IssuerTruth {
  return { level: { status, reason, meaning }, coveredWeight: null, overlay: [] };
}
