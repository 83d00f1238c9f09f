import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import { networkWords } from '../faceOrder/faceNetwork.ts';
import type { DecidingSignal } from '../network/balanceSheetNetwork.ts';
import { type RootPart, rootValues, signed } from '../network/rootValues.ts';
import { isStructural } from '../network/structuralConcepts.ts';
import { descendantsOf, topmostRoots } from '../network/topmostRoots.ts';
import { whollyMatching } from '../network/whollyMatching.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { AssetsSide } from './assetsSide.ts';
import { classifyCoins, isOutsideFairValue } from './classifyCoins.ts';

/** A line of coins on the assets side, valued (M2.3). */
export type CoinRoot = {
  readonly bucket: 'C' | 'N' | 'T';
  readonly concept: string;
  readonly value: ExactDecimal;
  readonly weight: 1 | -1;
  readonly parent: string;
  readonly role: string;
  readonly reason: string;
  readonly parts: readonly RootPart[];
  readonly isExtension: boolean;
};

/** What the walk made of the assets side. */
export type CoinsWalk =
  | {
      readonly kind: 'walked';
      readonly roots: readonly CoinRoot[];
      readonly total: ExactDecimal;
      /** What preferred the network to others that hold the side. */
      readonly signal: DecidingSignal;
      /** `outside_asu_2023_08`. */
      readonly notes: readonly string[];
      readonly visited: number;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Walks a network of the assets side down from `Assets` and adds up the coins it stops at: current, noncurrent,
 * restricted and pledged (M2.3).
 *
 * Refused when it holds no coins, when contradicting facts leave a line without value, or when a line would lower the
 * total.
 */
export function coinsWalk({
  side,
  intangibles,
  concepts,
}: {
  side: AssetsSide;
  /** The line that holds coins by M2.6 although its concept does not say so; null when there is none. */
  intangibles: string | null;
  concepts: Concepts;
}): CoinsWalk {
  const { network, start, signal, declarations, sheet } = side;
  const reasons = new Map<string, string>();
  for (const concept of network.concepts) {
    const found = isStructural(concept) ? null : classifyCoins(concept, { declarations, concepts });
    if (found !== null) reasons.set(concept, reasonOf[found]);
    else if (concept === intangibles) reasons.set(concept, 'intangibles of a treasury issuer');
  }
  const wholly = whollyMatching(network, {
    isReported: sheet.reports,
    matches: (concept) => reasons.has(concept),
  });
  const walk = topmostRoots({
    network,
    start,
    matches: (concept) => reasons.has(concept) || (wholly.has(concept) && !isStructural(concept)),
  });
  const { roots: valued, blocked } = rootValues({ network, roots: walk.roots, sheet });
  if (blocked.length > 0) return { kind: 'refused', reason: `contradicting facts of ${blocked.join(', ')}` };
  const current = descendantsOf(network, ['us-gaap:AssetsCurrent', 'ifrs-full:CurrentAssets']);
  const roots = valued.map((root): CoinRoot => {
    const { concept, value, weight, parent, parts } = root;
    return {
      concept,
      value,
      weight,
      parent,
      parts,
      role: network.role,
      bucket: current.has(concept) ? 'C' : 'N',
      reason: reasons.get(concept) ?? 'unreported, every reported concept below it is coins',
      isExtension: reasons.get(concept) === reasonOf.extension,
    };
  });
  const negative = roots.find((root) => signed(root).sign < 0);
  if (negative !== undefined) return { kind: 'refused', reason: `${negative.concept} would lower the total` };
  const total = sumOf(roots.map(signed));
  if (total.sign === 0)
    return { kind: 'refused', reason: `no coins under ${start} in ${networkWords(network)}` };
  const isOutside = roots.some(
    (root) =>
      root.isExtension &&
      root.value.sign > 0 &&
      isOutsideFairValue(root.concept, concepts, declarations.get(root.concept)),
  );
  return {
    kind: 'walked',
    roots,
    total,
    signal,
    visited: walk.visited.size,
    notes: isOutside ? ['outside_asu_2023_08'] : [],
  };
}

const reasonOf = {
  dictionary: 'dictionary',
  extension: 'accepted extension',
  standard: 'standard concept that reads as coins',
} as const;
