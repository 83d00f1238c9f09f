import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { conceptWords } from '../network/conceptWords.ts';
import { rootValues, signed } from '../network/rootValues.ts';
import { topmostRoots } from '../network/topmostRoots.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { AssetsSide } from './assetsSide.ts';

/**
 * Asset lines that were not counted as coins and whose names do not say what else they are, each above zero (M2.4d);
 * "other" and bare intangible lines do not. They enter no total; they say how many more coins there may be.
 *
 * A line of intangibles that the filing states as finite-lived, to the dollar, is none of them: coins do not amortise.
 *
 * @param counted concepts that are coins already, with what is below them
 */
export function unnamedAssets(
  { network, start, sheet, lines }: AssetsSide,
  counted: readonly string[],
  { hasWord }: Concepts,
): readonly ExactDecimal[] {
  const coins = new Set(counted);
  const leaves = new Set(lines.map(({ concept }) => concept));
  const amortised = sheet.amount('us-gaap:FiniteLivedIntangibleAssetsNet');
  const isNamed = (concept: string) => {
    const [name = ''] = conceptWords(concept);
    const isAmortised = amortised !== null && sheet.amount(concept)?.equals(amortised) === true;
    return hasWord(name, 'other asset') || (name.includes('intangible') && isAmortised);
  };
  const { roots } = topmostRoots({
    network,
    start,
    matches: (concept) => coins.has(concept) || leaves.has(concept),
  });
  const unnamed = roots.filter(({ concept }) => !coins.has(concept) && !isNamed(concept));
  return rootValues({ network, roots: unnamed, sheet })
    .roots.map(signed)
    .filter((value) => value.sign > 0);
}
