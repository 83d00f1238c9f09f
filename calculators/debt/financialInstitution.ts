import type { FactSheet } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import { type DebtResolution, unresolvedDebt } from './result/debtResolution.ts';

/** SIC codes of banks, lenders and insurers; 6199 is no sign, coin treasuries carry it (M1.47). */
const ranges = [
  [6020, 6099],
  [6111, 6163],
  [6311, 6399],
] as const;

/** True for a bank, lender or insurer: by its deposits, or by its SIC code (M1.47). */
export function isFinancialInstitution({ sic }: Pick<Issuer, 'sic'>, sheet: FactSheet): boolean {
  const code = sic === null ? Number.NaN : Number(sic);
  if (ranges.some(([from, to]) => code >= from && code <= to)) return true;
  return sheet.facts.some(
    ({ taxonomy, concept, end, value }) =>
      taxonomy === 'us-gaap' &&
      (concept === 'Deposits' || concept === 'InterestExpenseDeposits') &&
      end === sheet.period &&
      value.sign > 0,
  );
}

/** Deposits and repo are such an issuer's business, so that no total of this table is its debt (M1.47). */
export const institutionDebt: DebtResolution = {
  ...unresolvedDebt,
  notes: ['financial_institution'],
  rungs: [
    { rung: 'financial_institution', taken: true, reason: 'deposits and repo are its business, not debt' },
  ],
};
