import { roundHalfUp } from '../../calculators/exact/roundHalfUp.ts';
import { type Product, versionOn } from '../../calculators/market/baskets/product.ts';
import { registryWeights } from '../../calculators/market/baskets/registryWeights.ts';
import type { PerpsParameters } from '../../calculators/parameters/perpsParameters.ts';
import {
  type PerpConstituentsRow,
  perpConstituentsRow,
} from '../../data/contract/payloads/market/perpConstituents.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { validated } from '../compute/validated.ts';

/**
 * The lines of a product's registry on a date, compact and full (I2.57); null before its first version.
 *
 * @param covered CIKs with a row in the slice of the date
 * @throws IssuerError `validation_failed`
 */
export function constituentsLines({
  product,
  date,
  covered,
  parameters,
}: {
  product: Product;
  date: string;
  covered: ReadonlySet<string>;
  parameters: PerpsParameters;
}): string | null {
  const version = versionOn(product, date);
  if (version === null) return null;
  const { rows, total, isValid, isRenormalised } = registryWeights(version, parameters);
  const next = product.versions.find(({ effectiveDate }) => effectiveDate > date);
  const compact: PerpConstituentsRow = {
    source_date: date,
    index_symbol: product.indexSymbol,
    source: version.source,
    product: product.product,
    constituent_count: rows.length,
    total_weight: roundHalfUp(total, 6),
    weights_valid: isValid,
    constituents: rows.map(({ constituent: { ticker, cik, name }, weight }) => ({
      ticker,
      cik,
      name,
      weight,
      effective_date: version.effectiveDate,
      issuer_covered: cik !== null && covered.has(cik),
    })),
  };
  const full: PerpConstituentsRow = {
    ...compact,
    lineage: {
      display_name: product.displayName,
      kind: product.kind,
      method: version.method,
      effective_date: version.effectiveDate,
      next_effective_date: next?.effectiveDate ?? null,
      weights_public: version.weightsPublic,
      stand_in: version.standIn,
      notes: [
        ...version.notes,
        ...(isRenormalised ? ['weights_renormalised: the stated weights were divided by their sum.'] : []),
      ],
    },
  };
  const key = `perp-constituents of ${product.product}`;
  const line = (value: PerpConstituentsRow) =>
    `${canonicalJson(validated({ schema: perpConstituentsRow, value, key }))}\n`;
  return [compact, full].map(line).join('');
}
