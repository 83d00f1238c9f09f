import { describe, expect, it } from 'vitest';
import { debtOfStatement } from '../../fixtures/builders/debtOfStatement.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { rowOfFace } from '../../fixtures/builders/rowOfFace.ts';

const { resolve } = debtOfStatement(registryParameters);

/** 100 M of notes, 150 M of something on both sides, 300 M of coins. */
const faceWith = (asset: string, liability: string, assetAmount = 150_000_000) => `
CashAndCashEquivalentsAtCarryingValue ${170_000_000 - assetAmount}
${asset} ${assetAmount}
CryptoAssetFairValueNoncurrent 300000000
Assets 470000000
AccountsPayableCurrent 10000000
LongTermDebtNoncurrent 100000000
${liability} 150000000
Liabilities 260000000
StockholdersEquity 210000000
LiabilitiesAndStockholdersEquity 470000000`;

describe('liabilities that only stand against an asset (M1.22c)', () => {
  it.each([
    ['x:LoansSubjectToRepurchaseRightAsset', 'x:LoansSubjectToRepurchaseRightLiability'],
    ['x:LoansEligibleForRepurchase', 'x:LiabilityForLoansEligibleForRepurchase'],
    ['x:SecuritizedMortgageLoansAssets', 'x:SecuritizedMortgageLoansLiabilities'],
    ['x:ClientLoansAtFairValue', 'x:ClientLoansLiability'],
    ['x:ClientLoansAssetCurrent', 'x:ClientLoansLiabilityCurrent'],
    // no word of debt: neither is it a line that nothing names
    ['x:ClientSecuritiesAsset', 'x:ClientSecuritiesLiability'],
  ])('are no debt and no unnamed line: %s, %s', (asset, liability) => {
    expect(rowOfFace(faceWith(asset, liability))).toMatchObject({
      debt: '100000000',
      tier: 'HIGH',
      stress50: 0.666667,
    });
  });

  it('are those under a right of repurchase whatever the asset is called', () => {
    const row = rowOfFace(
      faceWith('PropertyPlantAndEquipmentNet', 'x:GinnieMaeLoansSubjectToRepurchaseRight'),
    );
    expect(row).toMatchObject({ debt: '100000000', tier: 'HIGH' });
  });

  it.each([
    ['an asset of another stem', 'x:StudentLoansAsset', 'x:MortgageLoansLiability', 150_000_000],
    ['an asset of another amount', 'x:MortgageLoansAsset', 'x:MortgageLoansLiability', 149_999_999],
    ['money owed beside money lent', 'x:PartnerLoansReceivable', 'x:PartnerLoansPayable', 150_000_000],
    ['a repurchase agreement', 'x:MortgageLoansHeld', 'x:LoansSubjectToRepurchaseAgreements', 150_000_000],
  ])('are not those beside %s', (_, asset, liability, amount) => {
    expect(rowOfFace(faceWith(asset, liability, amount))).toMatchObject({
      debt: '250000000',
      tier: 'CRITICAL',
    });
  });

  it('are no borrowed coins, which stand on both sides and are owed', () => {
    const row = rowOfFace(faceWith('x:BorrowedBitcoinLoanAsset', 'x:BorrowedBitcoinLoanLiability'));
    // 250 M over 450 M of coins
    expect(row).toMatchObject({
      debt: '250000000',
      coins: '450000000',
      tier: 'CRITICAL',
      stress50: 1.111111,
    });
    const sold = rowOfFace(faceWith('PropertyPlantAndEquipmentNet', 'x:BitcoinLoanSubjectToRepurchaseRight'));
    expect(sold).toMatchObject({ debt: '250000000', tier: 'CRITICAL' });
  });

  it('are found in the calculation network too', () => {
    const found = resolve(`
LiabilitiesAndStockholdersEquity 900
  Assets 900
    x:TrustLoansAsset 200
    OtherAssets 700
  Liabilities 500
    x:TrustLoansLiability 200
    x:BankLoansLiability 100
    AccountsPayableCurrent 200`);
    expect(found.total).toBe(100);
  });
});
