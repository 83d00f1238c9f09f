import type { DebtCoverage, FiguresBasis } from '../../data/contract/values/enums.ts';

/** Which of the two amounts of a row are proven; an unproven one is a lower bound and supports no tier (M3.3c). */
export function figuresBasis(proof: {
  readonly coverage: DebtCoverage;
  readonly isCryptoProven: boolean;
}): FiguresBasis {
  const isDebtProven = proof.coverage !== 'low_confidence_missing_debt';
  if (isDebtProven) return proof.isCryptoProven ? 'resolved' : 'crypto_unproven';
  return proof.isCryptoProven ? 'debt_unproven' : 'both_unproven';
}

/** True where D is a lower bound. */
export function isDebtUnproven(basis: FiguresBasis): boolean {
  return basis === 'debt_unproven' || basis === 'both_unproven';
}

/** True where C is a lower bound. */
export function isCryptoUnproven(basis: FiguresBasis): boolean {
  return basis === 'crypto_unproven' || basis === 'both_unproven';
}
