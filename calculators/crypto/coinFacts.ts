import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { assetOf } from '../assets/classifyCoins.ts';
import { chooseDuplicate } from '../filing/chooseDuplicate.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Concepts } from '../parameters/concepts.ts';

/** A figure about coins in the instance: a quantity, or the fair value of one asset. */
export type CoinFact = {
  readonly concept: string;
  readonly value: ExactDecimal;
  readonly unit: string;
  /** Named by the member, else by the unit of measure or the concept; null when nothing names it. */
  readonly asset: string | null;
  readonly fact: InstanceFact;
};

/** The figures of coins in an instance at the period end (M2.7). */
export type CoinFacts = {
  /** Whole-entity quantities. */
  readonly quantities: readonly CoinFact[];
  /** Quantities of single assets, by member. */
  readonly quantitiesByAsset: readonly CoinFact[];
  /** Fair values by member; one that names no known asset stands for itself. */
  readonly valuesByMember: readonly CoinFact[];
  /** By member under the tag for coins held for users, which some filers use for their own (BTCS, T11). */
  readonly operatorValues: readonly CoinFact[];
};

const fairValues = [
  'us-gaap:CryptoAssetFairValue',
  'us-gaap:CryptoAssetFairValueCurrent',
  'us-gaap:CryptoAssetFairValueNoncurrent',
];

const operatorValue = /^(us-gaap|srt):PlatformOperatorCryptoAssetHeldForUser$/;

/** Collects the coin figures of an instance at `period`; contradicting duplicates are excluded (M1.8). */
export function coinFacts(
  filing: XbrlFiling | null,
  { period, concepts }: { readonly period: string; readonly concepts: Concepts },
): CoinFacts {
  const groups = new Map<string, [InstanceFact, ...InstanceFact[]]>();
  for (const fact of filing?.facts ?? []) {
    if (fact.start !== null || fact.end !== period) continue;
    const isValue = fairValues.includes(fact.concept) || operatorValue.test(fact.concept);
    if (!isQuantity(fact.concept, concepts) && !isValue) continue;
    const dimensions = fact.dimensions.map(({ axis, member }) => `${axis}=${member}`).sort(compareText);
    const key = `${fact.concept} ${fact.unit} ${dimensions.join(' ')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fact]);
    else group.push(fact);
  }
  const facts = [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, group]): CoinFact[] => {
      const chosen = chooseDuplicate(group);
      if (chosen.kind !== 'fact') return [];
      const { fact, value } = chosen;
      const { concept, unit, dimensions } = fact;
      const [dimension] = dimensions;
      const named = dimension === undefined ? [unit, concept] : [dimension.member];
      const [asset = null] = named.flatMap((name) => assetOf(name, concepts) ?? []);
      return [{ concept, value, unit, asset, fact }];
    });
  const isOfMember = ({ fact: { dimensions } }: CoinFact) =>
    dimensions.length === 1 && /(Crypto|Digital|Coin)\w*Axis$/i.test(dimensions[0]?.axis ?? '');
  return {
    quantities: facts.filter(
      ({ concept, fact }) => isQuantity(concept, concepts) && fact.dimensions.length === 0,
    ),
    quantitiesByAsset: facts.filter(
      (found) => isQuantity(found.concept, concepts) && isOfMember(found) && found.asset !== null,
    ),
    valuesByMember: facts.filter(
      (found) => fairValues.includes(found.concept) && found.unit === 'USD' && isOfMember(found),
    ),
    operatorValues: facts.filter(
      (found) => operatorValue.test(found.concept) && found.unit === 'USD' && isOfMember(found),
    ),
  };
}

function isQuantity(concept: string, { hasWord }: Concepts): boolean {
  if (concept === 'us-gaap:CryptoAssetNumberOfUnits') return true;
  if (/^(us-gaap|srt|ifrs-full|dei):/.test(concept)) return false;
  const name = concept.slice(concept.indexOf(':') + 1).toLowerCase();
  return hasWord(name, 'quantity of coins') && !hasWord(name, 'not a holding');
}

/** What us-gaap-2025 has of coins beside the concepts of the registry: flows, of which no figure is made. */
const knownFlows =
  /^us-gaap:(CryptoAsset(Addition|CustomerReceipt|Disposition|Mining|PaymentForService|PeriodIncreaseDecrease|Purchase|Sale|CumulativeRealized(Gain|Loss|GainLoss)FromDisposition|(Realized|Unrealized|RealizedAndUnrealized)(Gain|Loss|GainLoss)(Operating|Nonoperating|OperatingAndNonoperating))|PaymentForAcquisitionCryptoAsset|ProceedsFromCryptoAssetOperatingActivity|ProceedsFromDisposalCryptoAsset)$/;

/**
 * Elements of standard taxonomies that speak of coins and that neither the registry nor us-gaap-2025 has, sorted: a newer
 * taxonomy has more of them than this program reads, so what they state is in no figure (M1.51).
 */
export function unknownCoinConcepts(sheet: FactSheet, concepts: Concepts): string[] {
  const found = new Set(sheet.facts.map(qualifiedName));
  return [...found]
    .filter((concept) => /^(us-gaap|srt|ifrs-full):\w*Crypto/.test(concept))
    .filter((concept) => !concepts.isKnown(concept) && !knownFlows.test(concept))
    .sort();
}
