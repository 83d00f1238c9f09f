import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isStandard } from '../debt/classifyDebt.ts';
import { closeTo } from '../exact/closeTo.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { conceptWords } from '../network/conceptWords.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { readsAsCoins } from './classifyCoins.ts';

/**
 * The filer's own balances that read as coins while no network shows where they belong, and that no standard figure
 * already holds: the total found from standard concepts may lack them (DFDV 2025-09-30: 209,448 of 453,719 K).
 */
export function unprovenCoins(
  sheet: FactSheet,
  total: ExactDecimal,
  { identityTolerance, concepts }: Parameters,
): ExactDecimal {
  const known = [
    total,
    ...concepts.coins.map((concept) => sheet.positive(concept)).filter((amount) => amount !== null),
  ];
  const near = (a: ExactDecimal, b: ExactDecimal) => closeTo(a, b, identityTolerance);
  const amounts: ExactDecimal[] = [];
  for (const fact of sheet.facts) {
    if (fact.unit !== 'USD' || fact.start !== null || fact.end !== sheet.period) continue;
    const concept = qualifiedName(fact);
    const value = sheet.positive(concept);
    if (value === null || isStandard(concept) || !isBalanceOfCoins(concept, concepts)) continue;
    if (![...known, ...amounts].some((amount) => near(amount, value))) amounts.push(value);
  }
  const sum = sumOf(amounts);
  // lines that add up to the total are its parts (FLD 2025-09-30: 9,295,587 + 170,392,495)
  return near(sum, total) ? sum.minus(sum) : sum;
}

function isBalanceOfCoins(concept: string, concepts: Concepts): boolean {
  const isFigure = conceptWords(concept).some((text) => concepts.hasWord(text, 'figure about coins'));
  return readsAsCoins(concept, concepts) && !isFigure;
}
