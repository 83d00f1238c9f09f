import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { filedFact, type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { rowOfFace } from '../../fixtures/builders/rowOfFace.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = registryParameters;

/** A balance sheet that adds up nowhere, whose notes would be 0.8 of its coins. */
const balance = {
  Assets: 1_000,
  Liabilities: 500,
  LiabilitiesAndStockholdersEquity: 1_000,
  StockholdersEquity: 500,
  NotesPayable: 200,
  AccountsPayableCurrent: 300,
  CryptoAssetFairValue: 500,
};
const row = (input: InputsOf) =>
  computeIssuer(issuerInputs({ balance, ...input }), {
    sourceDate: '2025-11-14',
    asOf: '2025-11-14T23:00:00Z',
    backfilled: false,
    parameters,
    prices: priceBook([], parameters),
  }).stress;

describe('financial institutions (M1.47)', () => {
  const { filing } = issuerInputs({});
  const interest = { concept: 'InterestExpenseDeposits', value: 7, start: '2025-07-01' };
  const revenue = { concept: 'Revenues', value: 699, start: '2025-07-01' };

  it.each<[string, InputsOf]>([
    ['that owe depositors a quarter of what they owe', { balance: { ...balance, Deposits: 125 } }],
    ['that pay interest on deposits', { facts: [filedFact(filing, interest)] }],
    [
      'whose interest on deposits is above 1 % of revenue',
      { facts: [interest, revenue].map((f) => filedFact(filing, f)) },
    ],
    ['by the code of a state bank, 6022', { issuer: { sic: '6022' } }],
    ['by the first code of lenders, 6111', { issuer: { sic: '6111' } }],
    ['by the last code of lenders, 6163', { issuer: { sic: '6163' } }],
    ['by the code of a life insurer, 6311', { issuer: { sic: '6311' } }],
  ])('%s have a lower bound of debt and no tier', (_, input) => {
    expect(row(input)).toMatchObject({
      risk_tier: 'UNCLASSIFIED',
      debt_coverage_status: 'low_confidence_missing_debt',
      figures_basis: 'debt_unproven',
      root_resolution_method: null,
    });
    expect(String(row(input).total_long_term_debt)).toBe('200');
    expect(row(input).data_quality_notes).toContain('financial_institution');
  });

  it.each<[string, InputsOf]>([
    ['6199, the code of coin treasuries (MSTR)', { issuer: { sic: '6199' } }],
    ['no code', { issuer: { sic: null } }],
    ['deposits of nothing', { balance: { ...balance, Deposits: 0 } }],
    ['deposits below a quarter of the liabilities', { balance: { ...balance, Deposits: 124 } }],
    [
      'interest on deposits of another quarter',
      { facts: [filedFact(filing, { ...interest, start: '2025-04-01', end: '2025-06-30' })] },
    ],
    [
      'interest on deposits of 1 % of revenue',
      { facts: [interest, { ...revenue, value: 700 }].map((f) => filedFact(filing, f)) },
    ],
  ])('%s says nothing of the kind', (_, input) => {
    expect(row(input)).toMatchObject({
      debt_coverage_status: 'resolved_nonzero',
      figures_basis: 'resolved',
    });
    expect(String(row(input).total_long_term_debt)).toBe('200');
  });

  /** Deposits on the face, 100 M of debt, 300 M of coins; `after` is a note behind the balance sheet. */
  const faceWith = (deposits: number, after = '') => `
CashAndCashEquivalentsAtCarryingValue 20000000
PropertyPlantAndEquipmentNet ${980_000_000 + deposits}
CryptoAssetFairValueNoncurrent 300000000
Assets ${1_300_000_000 + deposits}
AccountsPayableCurrent 800000000
${deposits === 0 ? '' : `Deposits ${deposits}`}
LongTermDebtNoncurrent 100000000
Liabilities ${900_000_000 + deposits}
StockholdersEquity 400000000
LiabilitiesAndStockholdersEquity ${1_300_000_000 + deposits}
${after}`;

  it('are no miners with hosting deposits on the face, below a tenth of the liabilities', () => {
    expect(rowOfFace(faceWith(99_000_000))).toMatchObject({
      debt: '100000000',
      tier: 'HIGH',
      method: 'face_order',
    });
  });

  it('are those whose deposits on the face are a tenth: their debt lines are the proven part', () => {
    const bank = rowOfFace(faceWith(100_000_000));
    expect(bank).toMatchObject({
      debt: '100000000',
      tier: 'UNCLASSIFIED',
      basis: 'debt_unproven',
      method: null,
    });
    expect(bank.notes).toContain('financial_institution');
  });

  it('are no issuers whose notes state deposits beside a side that adds up, however large', () => {
    const found = rowOfFace(faceWith(0, 'Deposits 600000000'));
    expect(found).toMatchObject({ debt: '100000000', tier: 'HIGH', stress50: 0.666667 });
    expect(found.notes).not.toContain('financial_institution');
  });
});
