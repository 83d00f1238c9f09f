import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { conceptWords, isEquity, isStructural } from '../network/conceptNames.ts';
import { rootValues, signed, topmostRoots } from '../network/networkRoots.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Walked } from './debtWalk.ts';

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
