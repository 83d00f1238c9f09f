import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { closeTo, exceeds } from '../../exact/closeTo.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../../filing/factSheet.ts';
import { conceptWords } from '../../network/conceptWords.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { isStandard, readsAsDebt } from '../concepts/classifyDebt.ts';
import { debtDictionary } from '../concepts/debtDictionary.ts';

/** Figures about debt that are no line of a balance sheet. */
const notALine =
  /(gross|principal|fairvalue|carryingamount|total|face|unamortized|percentage|average|maturit|purchase|sale|change|capacity|commitment|conver(ted|sion)|settle|exchange|recei|allowance|purpose)/;

/**
 * The filer's own balances that read as debt while no network shows where they belong, and that no standard figure
 * already holds: the total found from standard concepts may lack them (FLD 2025-09-30: 60,750,183 of 82,394,322).
 *
 * They enter no total; they only say that it is in doubt (M1.36).
 */
export function unprovenDebt(
  sheet: FactSheet,
  total: ExactDecimal,
  { identityTolerance }: Parameters,
): ExactDecimal {
  const known = [
    total,
    ...debtDictionary.map((row) => sheet.positive(row.concept)).filter((amount) => amount !== null),
  ];
  const liabilities = sheet.amount('us-gaap:Liabilities');
  const amounts: ExactDecimal[] = [];
  for (const fact of sheet.facts) {
    if (fact.unit !== 'USD' || fact.start !== null || fact.end !== sheet.period) continue;
    const concept = qualifiedName(fact);
    const value = sheet.positive(concept);
    if (value === null || isStandard(concept) || !isBalanceOfDebt(concept)) continue;
    if ([...known, ...amounts].some((amount) => closeTo(amount, value, identityTolerance))) continue;
    if (liabilities !== null && exceeds(value.plus(total), liabilities, identityTolerance)) continue;
    amounts.push(value);
  }
  return sumOf(amounts);
}

/** True for a name that reads as a balance of debt and not as a figure about one. */
export function isBalanceOfDebt(concept: string): boolean {
  const words = conceptWords(concept);
  return readsAsDebt(words) && !words.some((text) => notALine.test(text));
}
