import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { filedFact, type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = registryParameters;
const context = {
  sourceDate: '2025-11-14',
  asOf: '2025-11-14T23:00:00Z',
  backfilled: false,
  parameters,
  prices: priceBook([], parameters),
} as const;

/** A balance sheet whose notes would be 0.8 of its coins. */
const balance = {
  Assets: 1_000,
  Liabilities: 500,
  LiabilitiesAndStockholdersEquity: 1_000,
  StockholdersEquity: 500,
  NotesPayable: 200,
  CryptoAssetFairValue: 500,
};
const row = (input: InputsOf) => computeIssuer(issuerInputs({ balance, ...input }), context).stress;

describe('financial institutions (M1.47)', () => {
  const { filing } = issuerInputs({});
  const interest = { concept: 'InterestExpenseDeposits', value: 7, start: '2025-07-01' };

  it.each<[string, InputsOf]>([
    ['that take deposits', { balance: { ...balance, Deposits: 90 } }],
    ['that pay interest on deposits', { facts: [filedFact(filing, interest)] }],
    ['by the code of a state bank, 6022', { issuer: { sic: '6022' } }],
    ['by the first code of lenders, 6111', { issuer: { sic: '6111' } }],
    ['by the last code of lenders, 6163', { issuer: { sic: '6163' } }],
    ['by the code of a life insurer, 6311', { issuer: { sic: '6311' } }],
  ])('%s have no debt of this table and no tier', (_, input) => {
    expect(row(input)).toMatchObject({
      risk_tier: 'UNCLASSIFIED',
      debt_coverage_status: 'low_confidence_missing_debt',
      figures_basis: 'debt_unproven',
      root_resolution_method: null,
    });
    expect(String(row(input).total_long_term_debt)).toBe('0');
    expect(row(input).data_quality_notes).toContain('financial_institution');
  });

  it.each<[string, InputsOf]>([
    ['6199, the code of coin treasuries (MSTR)', { issuer: { sic: '6199' } }],
    ['no code', { issuer: { sic: null } }],
    ['deposits of nothing', { balance: { ...balance, Deposits: 0 } }],
    [
      'interest on deposits of another quarter',
      { facts: [filedFact(filing, { ...interest, start: '2025-04-01', end: '2025-06-30' })] },
    ],
  ])('%s says nothing of the kind', (_, input) => {
    expect(row(input)).toMatchObject({ debt_coverage_status: 'resolved_nonzero', figures_basis: 'resolved' });
    expect(String(row(input).total_long_term_debt)).toBe('200');
  });
});
