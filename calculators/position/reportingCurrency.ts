import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { assetsConcepts, liabilitiesAndEquityConcepts } from '../network/conceptNames.ts';

const totals: readonly string[] = [...assetsConcepts, ...liabilitiesAndEquityConcepts];

/**
 * The currency of the statements where it is not USD, as its ISO code; null where a total of the balance sheet is filed in
 * USD, a translation among them, or none is filed at all (M1.7d).
 */
export function foreignCurrency(sheet: FactSheet): string | null {
  if (totals.some((concept) => sheet.chosen(concept) !== null)) return null;
  const stated = sheet.facts.find(
    (fact) =>
      fact.start === null &&
      fact.end === sheet.period &&
      /^[A-Z]{3}$/.test(fact.unit) &&
      totals.includes(qualifiedName(fact)),
  );
  return stated?.unit ?? null;
}
