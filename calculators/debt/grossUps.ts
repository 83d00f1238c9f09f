import { type FaceLine, faceAssets, linkbaseAssets } from '../assets/assetsSide.ts';
import { classifyCoins } from '../assets/classifyCoins.ts';
import { conceptWords, isStandard } from '../network/conceptNames.ts';
import { descendantsOf } from '../network/networkRoots.ts';
import { isUnderRepurchaseRight } from './classifyDebt.ts';
import type { DebtInputs } from './debtResolution.ts';
import type { LiabilitiesSide } from './liabilitiesSide.ts';

/**
 * Liabilities of the filer's own that only stand against an asset (M1.22c): they are under a right of repurchase, or equal
 * an asset line of the same stem ("loans … asset", "loans … liability"). Not where that asset is in the coins: coins that
 * were borrowed stand on both sides, and are owed.
 */
export function grossUps(
  { network, start, sheet, declarations }: LiabilitiesSide,
  inputs: Pick<DebtInputs, 'networks' | 'face' | 'parameters'>,
): ReadonlySet<string> {
  const { concepts } = inputs.parameters;
  const below = descendantsOf(network, [start]);
  const own = [...below].filter((concept) => !isStandard(concept));
  if (own.length === 0) return new Set();
  const others = assetLines({ ...inputs, sheet }).filter(
    ({ concept }) => !below.has(concept) && classifyCoins(concept, { declarations, concepts }) === null,
  );
  const standsAgainst = (concept: string) => {
    const [value, stem] = [sheet.positive(concept), stemOf(concept)];
    if (value === null || stem === '') return false;
    return others.some((line) => line.value.equals(value) && stemOf(line.concept) === stem);
  };
  return new Set(
    own.filter(
      (concept) => isUnderRepurchaseRight(conceptWords(concept), concepts) || standsAgainst(concept),
    ),
  );
}

function assetLines(inputs: Pick<DebtInputs, 'networks' | 'face' | 'parameters' | 'sheet'>): FaceLine[] {
  const linkbase = linkbaseAssets(inputs.networks, inputs);
  const face = faceAssets(inputs.face, inputs);
  const sides = [...('reason' in linkbase ? [] : [linkbase]), ...('reason' in face ? [] : face)];
  return sides.flatMap(({ lines }) => lines);
}

/** What is left of a name without the side it stands on. */
function stemOf(concept: string): string {
  const [name = ''] = conceptWords(concept);
  return name
    .replace(/(at)?fairvalue$|(non)?current$/, '')
    .replace(/liabilit(y|ies)(for|of|from|on)?|assets?$/g, '');
}
