import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { rootValues, signed } from '../../network/rootValues.ts';
import { isEquity, isStructural } from '../../network/structuralConcepts.ts';
import { topmostRoots } from '../../network/topmostRoots.ts';
import type { Concepts } from '../../parameters/concepts.ts';
import type { Walked } from './debtWalk.ts';
import { isIdentified } from './identifiedLiabilities.ts';

/**
 * Lines of a walk that were not counted as debt and whose names do not say what else they are (M1.36c), each amount above
 * zero. They enter no total; they say how much more debt there may be.
 */
export function unidentifiedLiabilities(
  { network, start, side: { sheet }, roots: counted }: Walked,
  concepts: Concepts,
): readonly ExactDecimal[] {
  const debt = new Set(
    counted.flatMap(({ concept, parts }) => [concept, ...parts.map((part) => part.concept)]),
  );
  const isLine = (concept: string) =>
    debt.has(concept) ||
    isIdentified(concept, concepts) ||
    (network.childrenOf(concept).length === 0 && !isStructural(concept));
  const lines = topmostRoots({ network, start, skips: isEquity, matches: isLine });
  const roots = lines.roots.filter(({ concept }) => !debt.has(concept) && !isIdentified(concept, concepts));
  return rootValues({ network, roots, sheet })
    .roots.map(signed)
    .filter((value) => value.sign > 0);
}
