import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { conceptWords, isEquity, isStandard, isStructural } from '../network/conceptNames.ts';
import { rootValues, signed, topmostRoots } from '../network/networkRoots.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { Walked } from './debtWalk.ts';

/**
 * Lines of a walk that were not counted as debt and whose names do not say what else they are (M1.36c), each amount above
 * zero. They enter no total; they say how much more debt there may be. Interest owed counts only where it is more than a
 * year of the debt could bear (M1.37b).
 */
export function unidentifiedLiabilities(
  { network, start, side: { sheet }, roots: counted, grossUps }: Walked,
  { concepts, impliedInterest }: Parameters,
): readonly ExactDecimal[] {
  const debt = new Set(
    counted.flatMap(({ concept, parts }) => [concept, ...parts.map((part) => part.concept)]),
  );
  const isNamed = (concept: string) =>
    grossUps.has(concept) || (isIdentified(concept, concepts) && !mayHoldDebt(concept, concepts));
  const isLine = (concept: string) =>
    debt.has(concept) ||
    isNamed(concept) ||
    (network.childrenOf(concept).length === 0 && !isStructural(concept));
  const lines = topmostRoots({ network, start, skips: isEquity, matches: isLine });
  const roots = lines.roots.filter(({ concept }) => !debt.has(concept) && !isNamed(concept));
  const amounts = rootValues({ network, roots, sheet }).roots.filter((root) => signed(root).sign > 0);
  const interest = amounts.filter(({ concept }) => isInterest(concept, concepts));
  const bearable = sumOf(counted.map(signed)).times(ExactDecimal.fromNumber(impliedInterest.maxRate));
  const isBearable = sumOf(interest.map(signed)).compare(bearable) <= 0;
  return amounts.filter((root) => !isBearable || !interest.includes(root)).map(signed);
}

/** True for a payable or accrual of the filer's own whose name says that it holds something else too. */
function mayHoldDebt(concept: string, { hasWord }: Concepts): boolean {
  const [name = ''] = conceptWords(concept);
  return !isStandard(concept) && hasWord(name, 'payable or accrual') && hasWord(name, 'more than an accrual');
}

/** True for interest that is owed, alone or with payables and accruals: not for a loan that has its interest with it. */
function isInterest(concept: string, { hasWord }: Concepts): boolean {
  const [name = ''] = conceptWords(concept);
  const holdsMore = hasWord(name, 'more than an accrual') || hasWord(name, 'more than interest');
  return hasWord(name, 'payable or accrual') && hasWord(name, 'interest owed') && !holdsMore;
}

/**
 * The sum of identified non-debt lines under the start of a walk (M1.37), each once; of an unreported line the
 * facts below it.
 */
export function identifiedLiabilities(
  { network, start }: Walked,
  sheet: FactSheet,
  concepts: Concepts,
): ExactDecimal {
  const { roots } = topmostRoots({ network, start, matches: (concept) => isIdentified(concept, concepts) });
  return sumOf(rootValues({ network, roots, sheet }).roots.map(signed));
}

/** True for a name that is surely no debt: what it is stands in it. "Other", related-party and interest lines are not identified. */
function isIdentified(concept: string, { hasWord }: Concepts): boolean {
  const [name = ''] = conceptWords(concept);
  return hasWord(name, 'other liability') && !hasWord(name, 'may be debt');
}
