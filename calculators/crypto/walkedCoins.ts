import { compareText } from '../../data/contract/values/compareText.ts';
import { sumOf } from '../exact/sumOf.ts';
import { tieBreak } from '../network/balanceSheetNetwork.ts';
import type { TrailRoot } from '../trail/resolutionTrail.ts';
import { trailSources } from '../trail/trailFact.ts';
import type { AssetsSide } from './assetsSide.ts';
import { coinsBeforeAdoption } from './coinsBeforeAdoption.ts';
import type { CoinsWalk } from './coinsWalk.ts';
import { completeCoins } from './completeCoins.ts';
import { type CryptoHoldings, noHoldings } from './cryptoHoldings.ts';
import type { CryptoInputs } from './cryptoInputs.ts';
import { measuredAtFairValue } from './measuredAtFairValue.ts';
import { unnamedAssets } from './unnamedAssets.ts';

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
    walkedSide: side.source,
    extensionRoots: walk.roots
      .filter((root) => root.isExtension)
      .map((root) => root.concept)
      .sort(compareText),
    rootedConcepts: held.map((root) => root.concept),
    notes: side.source === 'face_order' ? ['face_order', ...walk.notes] : walk.notes,
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
  const isTaggedAtFairValue = concepts.coins.some(
    (concept) => concept.includes('FairValue') && sheet.reports(concept),
  );
  if (isTaggedAtFairValue || measuredAtFairValue({ ...inputs, sheet }, walk.total)) {
    return completeCoins(holdings, side, inputs);
  }
  const isIntangible = held.length === 1 && held[0]?.concept === concepts.intangibleCoins;
  return isIntangible
    ? coinsBeforeAdoption(inputs, holdings)
    : { ...holdings, measurement: 'carrying_lower_bound' };
}
