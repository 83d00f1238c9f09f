import type { QualityFlag } from '../../contract/enums.ts';
import type { CryptoHoldings } from '../crypto/resolveCrypto.ts';
import type { DebtResolution } from '../debt/resolveDebt.ts';
import type { Parameters } from '../parameters.ts';

/** What the grade of a row is made of (M1.40–M1.42). */
export type QualityEvidence = {
  readonly debt: DebtResolution;
  readonly holdings: CryptoHoldings;
  readonly ageDays: number;
  readonly hasBlockedConcept: boolean;
  /** M2.14, but for the clause that itself asks for quality Low. */
  readonly isAnomalous: boolean;
};

/**
 * Grades a row that rests on direct facts: points, overrides, caps (M1.40–M1.42).
 *
 * Without a linkbase two points and the network checks are out of reach, and the fallback caps at Medium; so
 * do a placeholder accession and missing equity, which therefore need no clause of their own here.
 */
export function qualityFlag(evidence: QualityEvidence, parameters: Parameters): QualityFlag {
  const { debt, holdings, ageDays } = evidence;
  const isLow =
    debt.coverage === 'low_confidence_missing_debt' ||
    debt.disagreement ||
    holdings.disagreement ||
    evidence.isAnomalous ||
    ageDays > parameters.filingAgeDays.unclassified;
  return !isLow && qualityPoints(evidence, parameters) >= parameters.qualityPoints.medium ? 'Medium' : 'Low';
}

/** Points of M1.40 that whole-entity facts can earn; five at most. */
export function qualityPoints(evidence: QualityEvidence, { filingAgeDays }: Parameters): number {
  const basis = evidence.holdings.measurement === 'fair_value' ? 2 : 0;
  const identities = evidence.debt.identitiesConsistent ? 1 : 0;
  const unblocked = evidence.hasBlockedConcept ? 0 : 1;
  const { ageDays } = evidence;
  const age = ageDays <= filingAgeDays.fresh ? 1 : ageDays <= filingAgeDays.usable ? 0 : -1;
  return basis + identities + unblocked + age;
}
