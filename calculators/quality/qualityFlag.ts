import type { CoreTier, QualityFlag } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import type { CryptoUnits } from '../crypto/cryptoUnits.ts';
import type { DebtResolution } from '../debt/debtResolution.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { assetsConcepts } from '../network/conceptNames.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { FaceCalculation } from './faceCalculation.ts';

/** What the grade of a row is made of (M1.40–M1.42). */
export type QualityEvidence = {
  readonly debt: DebtResolution;
  readonly holdings: CryptoHoldings;
  readonly calculation: FaceCalculation['result'];
  readonly ageDays: number;
  /** The filer reports every quarter (M1.41). */
  readonly isQuarterly: boolean;
  readonly hasBlockedConcept: boolean;
  /** Files are available and unusable, or contradicted (M1.10b, M1.44c). */
  readonly isFilingDamaged: boolean;
  /** M2.14, but for the clause that itself asks for quality Low. */
  readonly isAnomalous: boolean;
  /** The filing's accession is the input's placeholder (M1.45). */
  readonly isPlaceholder: boolean;
  /** A tag of customers' coins equals the issuer's coins (T11). */
  readonly equalsCustomerCoins: boolean;
  readonly hasEquity: boolean;
  /** The project wrote the calculation arcs (M1.46). */
  readonly areArcsAuthored: boolean;
};

/** True when debt rests on the filing's own calculation network (M1.27, M15.11). */
export function isLinkbaseBacked({ dataSource }: DebtResolution): boolean {
  return dataSource !== 'direct_facts_fallback';
}

/** Grades a row: points, overrides, caps (M1.40–M1.42). */
export function qualityFlag(evidence: QualityEvidence, parameters: Parameters): QualityFlag {
  const { debt, holdings, ageDays } = evidence;
  const isLow =
    debt.coverage === 'low_confidence_missing_debt' ||
    debt.disagreement ||
    holdings.disagreement ||
    evidence.isAnomalous ||
    evidence.isFilingDamaged ||
    ageDays >
      (evidence.isQuarterly ? parameters.filingAgeDays.usable : parameters.filingAgeDays.unclassified);
  const points = qualityPoints(evidence, parameters);
  if (isLow || points < parameters.qualityPoints.medium) return 'Low';
  // more liabilities without a name than debt: the total rests on names (M1.36d)
  const isOutnumbered = debt.total.sign > 0 && debt.unidentified.compare(debt.total) > 0;
  const isCapped =
    !isLinkbaseBacked(debt) ||
    evidence.isPlaceholder ||
    evidence.equalsCustomerCoins ||
    !evidence.hasEquity ||
    evidence.areArcsAuthored ||
    isOutnumbered;
  return points < parameters.qualityPoints.high || isCapped ? 'Medium' : 'High';
}

/** The points of M1.40, eight at most; five without a linkbase. */
export function qualityPoints(
  evidence: QualityEvidence,
  { filingAgeDays, qualityWeights: w }: Parameters,
): number {
  const { debt, holdings, ageDays } = evidence;
  const backed = isLinkbaseBacked(debt) ? w.linkbaseBacked : 0;
  const calculation = { pass: w.calculationPass, fail: w.calculationFail, unbound: 0 }[evidence.calculation];
  const basis =
    holdings.measurement === 'fair_value'
      ? w.fairValue
      : holdings.measurement === 'units_at_close' || holdings.measurement === 'fair_value_disclosed'
        ? w.unitsAtClose
        : 0;
  const identities = debt.identitiesConsistent ? w.identitiesHold : 0;
  const unblocked = evidence.hasBlockedConcept ? 0 : w.nothingBlocked;
  const age = ageDays <= filingAgeDays.fresh ? w.fresh : ageDays <= filingAgeDays.usable ? 0 : w.old;
  return backed + calculation + basis + identities + unblocked + age;
}

/** Tower, Oscillator or Coil by linkbase, quality and how much of the row is rooted (M1.43). */
export function coreTier({
  debt,
  holdings,
  quality,
  parameters,
}: {
  debt: DebtResolution;
  holdings: CryptoHoldings;
  quality: QualityFlag;
  parameters: Pick<Parameters, 'coreTier'>;
}): CoreTier {
  if (!isLinkbaseBacked(debt)) return quality === 'Medium' ? 'Oscillator' : 'Coil';
  const extensions = debt.extensionRoots.length + holdings.extensionRoots.length;
  const rooted = debt.rootedConcepts.length + holdings.rootedConcepts.length;
  return quality === 'High' && (extensions > 0 || rooted >= parameters.coreTier.rootedConcepts)
    ? 'Tower'
    : 'Oscillator';
}

type Treasury = {
  readonly holdings: CryptoHoldings;
  readonly units: CryptoUnits;
  readonly sheet: FactSheet;
  readonly parameters: Parameters;
};

/**
 * True when the coins cannot be what they claim: above assets, negative, or equal to customers' coins while no
 * network proves them the issuer's own (M2.14).
 */
export function hasAnomalousCoins(treasury: Treasury): boolean {
  const { holdings, sheet, parameters } = treasury;
  const assets = sheet.firstAmount(assetsConcepts);
  const isAboveAssets =
    assets !== null &&
    holdings.carried.compare(assets.times(ExactDecimal.fromNumber(parameters.anomalousAssetsRatio))) > 0;
  const isCustomers = holdings.walkedSide === null && equalsCustomerCoins(treasury);
  return holdings.amount.sign < 0 || isAboveAssets || isCustomers;
}

/** True when a tag of customers' coins states the issuer's own amount (T11). */
export function equalsCustomerCoins({ holdings, sheet, parameters }: Treasury): boolean {
  return parameters.concepts.customerCoins.some((concept) =>
    sheet.positive(concept)?.equals(holdings.amount),
  );
}

/** True when no quantity could be split or priced; anomalous only together with quality Low (M2.14). */
export function hasUnsettledUnits({ units }: Treasury): boolean {
  return units.rejected || units.basis === 'mixed_unallocated';
}
