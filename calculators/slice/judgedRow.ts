import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';

type Judged = Pick<
  CovenantStress,
  'total_crypto_fair_value' | 'debt_coverage_status' | 'figures_basis' | 'treasury_relevance' | 'risk_tier'
>;

/**
 * True for a row that may be ranked, averaged and compared with others: proven figures, coins that matter to the
 * issuer, a tier (M3.27).
 */
export function isJudged(row: Judged): boolean {
  const { treasury_relevance: relevance } = row;
  return (
    isStressPresent(row) &&
    (relevance === 'core' || relevance === 'material') &&
    row.risk_tier !== 'UNCLASSIFIED'
  );
}

/** Stress present: proven figures and coins above zero; a saturated cap is a sentinel, no measurement (M3.3). */
export function isStressPresent(row: Judged): boolean {
  const crypto = row.total_crypto_fair_value;
  const isPositive = typeof crypto === 'number' ? crypto > 0 : crypto.sign > 0;
  return row.figures_basis === 'resolved' && isPositive;
}
