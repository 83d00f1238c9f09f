import { daysBetween } from '../../exact/civilDate.ts';
import { type FactSheet, qualifiedName } from '../../filing/factSheet.ts';
import type { Concepts } from '../../parameters/concepts.ts';
import { isStandard } from '../concepts/classifyDebt.ts';
import { isBalanceOfDebt } from '../result/unprovenDebt.ts';

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
