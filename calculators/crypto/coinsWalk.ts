import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type AssetsSide, gapNotes, unnamedAssets } from '../assets/assetsSide.ts';
import { classifyCoins, isDoubtfulName, isJoinedName, isOutsideFairValue } from '../assets/classifyCoins.ts';
import { sideResiduals, unexplained } from '../debt/sideResiduals.ts';
import { exceeds } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { networkWords } from '../faceOrder/faceNetwork.ts';
import { assetsConcepts, isStructural } from '../network/conceptNames.ts';
import { type DecidingSignal, tieBreak } from '../network/filingNetworks.ts';
import {
  descendantsOf,
  rootValues,
  type SideRoot,
  signed,
  topmostRoots,
  whollyMatching,
} from '../network/networkRoots.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { TrailRoot } from '../trail/resolutionTrail.ts';
import { trailSources } from '../trail/trailFact.ts';
import { type CryptoHoldings, type CryptoInputs, noHoldings } from './cryptoHoldings.ts';
import { measuredAtFairValue, statedFairValues } from './fairValues.ts';
import { coinsBeforeAdoption } from './taggedCoins.ts';

/** The step of the ladder each kind of network is (M2.3). */
export const coinRungs = { linkbase: 'assets_walk', face_order: 'assets_face_order' } as const;

/** Coins a walk of the assets side found; before adoption they are a lower bound unless M2.6 gives a fair value. */
export function walkedCoins(
  inputs: CryptoInputs,
  { walk, side }: { walk: Extract<CoinsWalk, { kind: 'walked' }>; side: AssetsSide },
): CryptoHoldings {
  const { sheet } = side;
  const { concepts } = inputs.parameters;
  const rung = coinRungs[side.source];
  const held = walk.roots.filter((root) => root.value.sign > 0);
  const counted = walk.roots.flatMap(({ concept, parts }) => [concept, ...parts.map((part) => part.concept)]);
  const holdings: CryptoHoldings = {
    ...noHoldings,
    amount: walk.total,
    carried: walk.total,
    measurement: 'fair_value',
    unnamed: sumOf(unnamedAssets(side, counted, concepts)),
    doubtful: walk.doubtful,
    walkedSide: side.source,
    extensionRoots: walk.roots
      .filter((root) => root.isExtension)
      .map((root) => root.concept)
      .sort(compareText),
    rootedConcepts: held.map((root) => root.concept),
    notes: [...(side.source === 'face_order' ? ['face_order'] : []), ...gapNotes(side), ...walk.notes],
    rungs: [
      {
        rung,
        taken: true,
        reason: `${walk.roots.length} roots add up to ${walk.total}${tieBreak(walk.signal)}`,
      },
    ],
    roots: walk.roots.map(({ parts, isExtension, ...root }): TrailRoot => {
      return { kind: 'root', ...root, rung, children: trailSources(sheet, { ...root, parts }) };
    }),
  };
  // a fair value above what the lines carry is one that the notes disclose beside it (M2.15)
  const isTaggedAtFairValue = concepts.coins.some(
    (concept) =>
      concept.includes('FairValue') &&
      sheet.reports(concept) &&
      (counted.includes(concept) || (sheet.amount(concept)?.compare(walk.total) ?? 0) <= 0),
  );
  if (isTaggedAtFairValue || measuredAtFairValue({ ...inputs, sheet }, walk.total)) {
    return completeCoins(holdings, side, inputs);
  }
  const isIntangible = held.length === 1 && held[0]?.concept === concepts.intangibleCoins;
  return isIntangible
    ? coinsBeforeAdoption(inputs, holdings)
    : { ...holdings, measurement: 'carrying_lower_bound' };
}

/** A line of coins on the assets side, valued (M2.3). */
type CoinRoot = SideRoot<'C' | 'N' | 'T'>;

/** What the walk made of the assets side. */
export type CoinsWalk =
  | {
      readonly kind: 'walked';
      readonly roots: readonly CoinRoot[];
      readonly total: ExactDecimal;
      /** The part of the total in lines of a doubtful name (M2.3a). */
      readonly doubtful: ExactDecimal;
      /** What preferred the network to others that have the side. */
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
 * Refused when it has no coins, when contradicting facts leave a line without value, or when a line would lower the
 * total.
 */
export function coinsWalk({
  side,
  intangibles,
  concepts,
}: {
  side: AssetsSide;
  /** The line that is coins by M2.6 although its concept does not say so; null when there is none. */
  intangibles: string | null;
  concepts: Concepts;
}): CoinsWalk {
  const { network, start, signal, declarations, sheet } = side;
  const reasons = new Map<string, string>();
  const doubtful = new Set<string>();
  for (const concept of network.concepts) {
    const found = isStructural(concept) ? null : classifyCoins(concept, { declarations, concepts });
    if (found !== null) reasons.set(concept, reasonOf[found]);
    const isKnown = found === null || found === 'dictionary';
    if (!isKnown && isDoubtfulName(concept, concepts, declarations.get(concept))) doubtful.add(concept);
  }
  // a face that names its coins has other things among its intangibles (M2.6)
  const isNamed = [...reasons.keys()].some((concept) => sheet.positive(concept) !== null);
  if (intangibles !== null && !isNamed) {
    reasons.set(intangibles, 'intangibles of a treasury issuer');
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
    const { concept } = root;
    return {
      ...root,
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
  // a doubtful name that stands alone is the filer's word for its coins
  const isDoubtful = (concept: string) => doubtful.has(concept);
  const isAlone = !roots.some(({ concept, value }) => value.sign > 0 && !isDoubtful(concept));
  const inDoubt = (root: CoinRoot) =>
    [root, ...root.parts].some(
      ({ concept }) => isDoubtful(concept) && (!isAlone || isJoinedName(concept, concepts)),
    );
  return {
    kind: 'walked',
    roots,
    total,
    doubtful: sumOf(roots.filter(inDoubt).map(signed)),
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

/** Totals of the assets side that have to add up, and where the coin lines hang. */
const assetTotals = /:(Assets(Current|Noncurrent)?|(Current|Noncurrent)Assets)$/;

/**
 * Coins that a walk found, compared with the fair values the filing states elsewhere, and what the totals of the side leave
 * unexplained (M2.4c). A larger value within the assets shows that lines of the walk lack a name: the coins are
 * not proven and the walk's amount is their proven part. A smaller one is a part or a footnote (T10); coins at cost have
 * a larger fair value by nature.
 */
function completeCoins(
  holdings: CryptoHoldings,
  side: AssetsSide,
  { filing, parameters }: Pick<CryptoInputs, 'filing' | 'parameters'>,
): CryptoHoldings {
  if (holdings.measurement !== 'fair_value') return holdings;
  const { amount } = holdings;
  const { sheet, network, start } = side;
  const assets = sheet.firstAmount(assetsConcepts);
  const parents = [...network.concepts, start].filter((concept) => assetTotals.test(concept));
  const residuals = sideResiduals({ network, sheet }, { start, parents, parameters });
  const open = unexplained(residuals.filter(({ concept }) => parents.includes(concept)));
  const [largest] = statedFairValues({ sheet, filing, parameters })
    .filter((value) => exceeds(value, amount, parameters.cryptoDisagreement))
    .filter((value) => assets === null || value.compare(assets) <= 0)
    .toSorted((a, b) => b.compare(a));
  if (largest === undefined) return { ...holdings, unexplained: open };
  return {
    ...holdings,
    isProven: false,
    disagreement: true,
    notes: [...holdings.notes, `crypto_candidates_disagree:${amount}/${largest}`],
    rungs: [
      ...holdings.rungs,
      {
        rung: 'stated_fair_values',
        taken: true,
        reason: `the lines add up to ${amount}, the filing states ${largest}`,
      },
    ],
  };
}
