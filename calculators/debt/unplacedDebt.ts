import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { daysBetween } from '../exact/civilDate.ts';
import { closeTo, exceeds } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { conceptWords, isStandard, liabilitiesConcepts } from '../network/conceptNames.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { readsAsDebt } from './classifyDebt.ts';

/**
 * The filer's own balances that read as debt while no network shows where they belong, and that no standard figure
 * already includes: the total found from standard concepts may lack them (FLD 2025-09-30: 60,750,183 of 82,394,322).
 *
 * They enter no total; they only say that it is in doubt (M1.36).
 */
export function unprovenDebt(
  sheet: FactSheet,
  total: ExactDecimal,
  { identityTolerance, concepts }: Parameters,
): ExactDecimal {
  const known = [
    total,
    ...concepts.debt.map((row) => sheet.positive(row.concept)).filter((amount) => amount !== null),
  ];
  const liabilities = sheet.firstAmount(liabilitiesConcepts);
  const amounts: ExactDecimal[] = [];
  for (const fact of sheet.facts) {
    if (fact.unit !== 'USD' || fact.start !== null || fact.end !== sheet.period) continue;
    const concept = qualifiedName(fact);
    const value = sheet.positive(concept);
    if (value === null || isStandard(concept) || !isBalanceOfDebt(concept, concepts)) continue;
    if ([...known, ...amounts].some((amount) => closeTo(amount, value, identityTolerance))) continue;
    if (liabilities !== null && exceeds(value.plus(total), liabilities, identityTolerance)) continue;
    amounts.push(value);
  }
  return sumOf(amounts);
}

/** True for a name that reads as a balance of debt and not as a figure about one. */
function isBalanceOfDebt(concept: string, concepts: Concepts): boolean {
  const words = conceptWords(concept);
  return readsAsDebt(words, concepts) && !words.some((text) => concepts.hasWord(text, 'figure about debt'));
}

/**
 * The first debt line that the filing states in another currency or a day beside its balance sheet, and nowhere in
 * dollars at the period end; null without one. Such a line is neither counted nor known to be absent (M1.7c).
 */
export function misfiledDebt(sheet: FactSheet, concepts: Concepts): string | null {
  for (const fact of sheet.facts) {
    if (fact.start !== null || fact.value.sign === 0) continue;
    const concept = qualifiedName(fact);
    if (sheet.chosen(concept) !== null || !isDebtLine(concept, concepts)) continue;
    const isForeign = isCurrency(fact.unit) && fact.unit !== 'USD' && fact.end === sheet.period;
    const isBeside = fact.unit === 'USD' && Math.abs(daysBetween(fact.end, sheet.period)) === 1;
    if (isForeign || isBeside) return concept;
  }
  return null;
}

function isDebtLine(concept: string, concepts: Concepts): boolean {
  if (!isStandard(concept)) return isBalanceOfDebt(concept, concepts);
  return (concepts.debtConcept(concept)?.level ?? 3) < 3;
}

function isCurrency(unit: string): boolean {
  return /^[A-Z]{3}$/.test(unit);
}
