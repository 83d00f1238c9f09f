import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { Concepts } from '../parameters/concepts.ts';

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
