import { describe, expect, it } from 'vitest';
import { debtOfStatement } from '../../fixtures/builders/debtOfStatement.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { rowOfFace } from '../../fixtures/builders/rowOfFace.ts';

const { resolve } = debtOfStatement(registryParameters);

/** 100 M under `line` over 300 M of coins. */
const faceWith = (line: string, after = '') => `
CashAndCashEquivalentsAtCarryingValue 20000000
PropertyPlantAndEquipmentNet 80000000
CryptoAssetFairValueNoncurrent 300000000
Assets 400000000
AccountsPayableCurrent 10000000
${line} 100000000
Liabilities 110000000
StockholdersEquity 290000000
LiabilitiesAndStockholdersEquity 400000000
${after}`;

describe('debt at fair value (M1.20)', () => {
  it.each([
    'ConvertibleDebtFairValueDisclosures',
    'NotesPayableFairValueDisclosure',
    'DebtInstrumentFairValue',
    'LongTermDebtFairValue',
    'x:ConvertibleNoteFairValueDisclosure',
  ])('is a root as a line of a face that adds up: %s', (line) => {
    expect(rowOfFace(faceWith(line))).toMatchObject({ debt: '100000000', stress50: 0.666667, tier: 'HIGH' });
  });

  it.each([
    'DepositsFairValueDisclosure',
    'LoansReceivableFairValueDisclosure',
    'x:WarrantDebtDiscountFairValue',
  ])('is no other thing at fair value: %s', (line) => {
    expect(rowOfFace(faceWith(line))).toMatchObject({ debt: '0' });
  });

  it('adds nothing to the debt of the face where a note states it', () => {
    const row = rowOfFace(
      faceWith('ConvertibleNotesPayable', 'ConvertibleDebtFairValueDisclosures 130000000'),
    );
    expect(row).toMatchObject({ debt: '100000000', tier: 'HIGH' });
  });

  it('is a root of a network that adds up, and none of one that does not', () => {
    const found = (liabilities: number) =>
      resolve(`
LiabilitiesAndStockholdersEquity 900
  Liabilities ${liabilities}
    LiabilitiesCurrent 200
      AccountsPayableCurrent 150
      ConvertibleDebtFairValueDisclosures 50
    LongTermDebtNoncurrent 100`);
    expect(found(300)).toMatchObject({ total: 150, current: 50, coverage: 'resolved_nonzero' });
    expect(found(400).total).toBe(100);
  });
});
