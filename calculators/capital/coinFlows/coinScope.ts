import { compareText } from '../../../data/contract/values/compareText.ts';
import { assetOf } from '../../assets/classifyCoins.ts';
import { isSubsequentMember, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { doubleOf } from '../../exact/fraction.ts';
import type { Dimension } from '../../filing/xbrlFiling.ts';
import type { Concepts } from '../../parameters/concepts.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { type CoinMix, weightsOf } from '../../prices/coinMix.ts';

/** Stands for coins that no member divides by kind. */
export const everyAsset = '*';

/** Members that qualify a fact and make no stock of coins of their own: segments, levels, parties, what happened later. */
const qualifier =
  /:(ConsolidationItems|StatementBusinessSegments|Segments?|Subsegments|StatementGeographical|Geographical|Range|SubsequentEventType|Restatement|StatementScenario|CounterpartyName|RelatedParty\w*|OwnershipAxis|LegalEntity|TypeOfArrangement|PropertyPlantAndEquipmentByType|FairValueBy(FairValueHierarchyLevel|MeasurementBasis|MeasurementFrequency)|ProductOrService|StatementEquityComponents|ClassOfWarrantOrRight|AwardType|DerivativeInstrumentRisk|BusinessAcquisition|ScheduleOfEquityMethod\w*|ConcentrationRisk\w*)\w*/;
/** Members that name how coins are measured or kept; no coin has such a name (NXTT `DigitalAssetFairValue`, BTCS `Staked`). */
const measureMember =
  /(FairValue|NumberOf|Held|Cost|Purchase|Seller|Contract|Agreement|Treasury|Staked|Staking|Custod|Restricted|Pledge|DeFi|DigitalAssets?Member|CryptoAssets?(Other)?Member|Machine|Miner|Fund)/;
const debtAxis = /:\w*(Debt|Loan|Credit|Notes?)\w*Axis$/;

export function keyOf(dimensions: readonly Dimension[]): string {
  return dimensions
    .map(({ axis, member }) => `${axis}=${member}`)
    .sort(compareText)
    .join(' ');
}

/** Members under which another figure stands than a stock of coins: a change, a cost, a stablecoin (NXTT, BTBT). */
const otherMember = /(FairValueChange|ChangeIn|Gain|Loss|CostBasis|OriginalCost|USDC|USDT|Stable[Cc]oin)/;

/** True for facts of the whole entity or of a stock of coins by member. */
export function isOfScope({ dimensions }: Pick<StatedFact, 'dimensions'>): boolean {
  return (
    dimensions.length <= 2 &&
    !dimensions.some(({ axis, member }) => qualifier.test(axis) || otherMember.test(localName(member)))
  );
}

/** Splits off a member that only says which note the coins came from (FLD), where the rest is a scope. */
export function withoutDebt(dimensions: readonly Dimension[]): readonly Dimension[] {
  const rest = dimensions.filter(({ axis }) => !debtAxis.test(axis));
  return rest.length === dimensions.length - 1 ? rest : dimensions;
}

export function isLater({ end, dimensions }: StatedFact, period: string): boolean {
  return end > period || dimensions.some(isSubsequentMember);
}

/** The coin of a scope (M18.74): its member's, else the one that is nearly all the issuer holds, else {@link everyAsset}. */
export function assetOfScope(
  dimensions: readonly Dimension[],
  { sole, concepts }: { readonly sole: string | null; readonly concepts: Concepts },
): string {
  const member = dimensions.find(({ axis }) => axis.endsWith(':CryptoAssetAxis'))?.member;
  if (member === undefined) return sole ?? everyAsset;
  if (measureMember.test(localName(member))) return sole ?? everyAsset;
  return coinOf(member, concepts) ?? member;
}

/** The coin a member names, in any capitals (KULR `BitCoinMember`). */
function coinOf(member: string, concepts: Concepts): string | null {
  const name = localName(member).replace(/Member$/, '');
  return (
    assetOf(member, concepts) ?? assetOf(name.charAt(0).toUpperCase() + name.slice(1).toLowerCase(), concepts)
  );
}

/** True where a member names one coin, known or not. */
export function namesOneCoin({ dimensions }: Pick<StatedFact, 'dimensions'>): boolean {
  return dimensions.some(
    ({ axis, member }) => axis.endsWith(':CryptoAssetAxis') && !measureMember.test(localName(member)),
  );
}

/** The coin that is nearly all of the holdings; null for a mix. */
export function soleAssetOf(mix: CoinMix, { facilities }: Pick<Parameters, 'facilities'>): string | null {
  const sole = weightsOf(mix).find(({ weight }) => doubleOf(weight) >= facilities.soleAsset);
  return sole?.asset ?? null;
}
