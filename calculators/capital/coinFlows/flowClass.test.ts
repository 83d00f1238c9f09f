import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { flowClass, signedAmount } from './flowClass.ts';

const gains = [
  'CumulativeRealizedGainFromDisposition',
  'CumulativeRealizedGainLossFromDisposition',
  'PeriodIncreaseDecrease',
  'RealizedAndUnrealizedGainLossNonoperating',
  'RealizedAndUnrealizedGainLossOperating',
  'RealizedAndUnrealizedGainLossOperatingAndNonoperating',
  'RealizedAndUnrealizedGainNonoperating',
  'RealizedAndUnrealizedGainOperating',
  'RealizedAndUnrealizedGainOperatingAndNonoperating',
  'RealizedGainLossNonoperating',
  'RealizedGainLossOperating',
  'RealizedGainLossOperatingAndNonoperating',
  'RealizedGainNonoperating',
  'RealizedGainOperating',
  'UnrealizedGainLossNonoperating',
  'UnrealizedGainLossOperating',
  'UnrealizedGainLossOperatingAndNonoperating',
  'UnrealizedGainNonoperating',
  'UnrealizedGainOperating',
];
const losses = [
  'CumulativeRealizedLossFromDisposition',
  'RealizedAndUnrealizedLossNonoperating',
  'RealizedAndUnrealizedLossOperating',
  'RealizedAndUnrealizedLossOperatingAndNonoperating',
  'RealizedLossNonoperating',
  'RealizedLossOperating',
  'UnrealizedLossNonoperating',
  'UnrealizedLossOperating',
];

function kindOf(name: string): string {
  const found = flowClass(name);
  return found === null ? 'no flow' : `${found.kind} ${found.sign}`;
}

const elements: readonly (readonly [name: string, kind: string])[] = [
  ['CryptoAssetAddition', 'received in'],
  ['CryptoAssetCustomerReceipt', 'received in'],
  ['CryptoAssetMining', 'mined in'],
  ['CryptoAssetPurchase', 'bought in'],
  ['CryptoAssetSale', 'sold out'],
  ['CryptoAssetDisposition', 'paid out'],
  ['CryptoAssetPaymentForService', 'paid out'],
  ['PaymentForAcquisitionCryptoAsset', 'bought in'],
  ['ProceedsFromDisposalCryptoAsset', 'sold out'],
  ...gains.map((name) => [`CryptoAsset${name}`, 'gain filed'] as const),
  ...losses.map((name) => [`CryptoAsset${name}`, 'gain loss'] as const),
];

describe('flow elements of us-gaap 2025 (M18.70)', () => {
  it.each(elements)('%s is %s', (name, kind) => {
    expect(kindOf(`us-gaap:${name}`)).toBe(kind);
  });

  it('are all that the registry does not have, of the 48 elements', (ctx) => {
    const path = new URL('../../../../shared/data/crypto-elements-2025.txt', import.meta.url);
    if (!existsSync(path)) return ctx.skip('no ../shared/data/crypto-elements-2025.txt');
    const all = readFileSync(path, 'utf8').trim().split('\n');
    const unknown = all.filter((name) => {
      const { concepts } = registryParameters;
      return !concepts.isKnown(`us-gaap:${name}`) && flowClass(`us-gaap:${name}`) === null;
    });
    expect([all.length, unknown]).toEqual([48, []]);
  });
});

describe('flows in the names of filers (M18.70)', () => {
  it.each([
    ['mstr:NumberOfBitcoinsPurchased', 'bought in'],
    ['riot:QuantityOfCryptoCurrencyRevenueRecognizedFromMining', 'mined in'],
    ['riot:QuantityOfCryptoCurrencyExchangeForEmployeeCompensation', 'paid out'],
    ['riot:RealizedGainOnExchangeOfCryptocurrencies', 'gain filed'],
    ['riot:ChangeInBitcoinReceivable', 'other filed'],
    ['clsk:BitcoinIssuedForServices', 'paid out'],
    ['clsk:BitcoinReceivedFromCollateralAccount', 'received in'],
    ['clsk:BitcoinTransferredToCollateralAccount', 'transferred out'],
    ['clsk:BitcoinTransferredToFromCollateral', 'transferred filed'],
    ['clsk:MinersAndDerivativesPurchasedWithBitcoin', 'paid out'],
    ['x:BitcoinPurchasedWithCash', 'bought in'],
    ['clsk:GainsFromFairValueAdjustmentsOfBitcoin', 'gain filed'],
    ['BTCS:CryptoFees', 'paid out'],
    ['BTCS:CryptoRewardsEarned', 'received in'],
    ['btbt:PaymentOfBTCForServiceChargesFromMiningFacilities', 'paid out'],
    ['btbt:ReceiptOfETHFromExchangeOfBTC', 'received in'],
    ['btbt:SaleOfETHInExchangeOfLsETH', 'sold out'],
    ['btbt:InvestmentOfETHInFund', 'transferred filed'],
    ['btbt:CumulativeEffectOfTheAdoption', 'gain filed'],
    ['NAKA:IssuanceOfDigitalAssetsAndCommonStockForIntangibleAssetAcquisition', 'paid out'],
    ['GAME:CryptoAssetFairValuePurchasesAndReceipts', 'bought in'],
    ['GAME:CryptoAssetFairValueSales', 'sold out'],
    ['GAME:CryptoAssetFairValueFeesAndOther', 'other filed'],
    ['GAME:CryptoAssetFairValueUnrealizedGainLossOnDigitalAssets', 'gain filed'],
    ['us-gaap:ImpairmentOfIntangibleAssetsExcludingGoodwill', 'gain loss'],
    ['fld:OtherBitcoin', 'other filed'],
  ])('%s is %s', (name, kind) => {
    expect(kindOf(name)).toBe(kind);
  });

  it.each([
    'kutg:CryptoAssetCostPerCryptoAsset',
    'mstr:PurchasePricePerBitcoin',
    'clsk:AdjustedBeginningBalanceFairValueOfBitcoin',
    'clsk:CostBasisOfBitcoin',
    'clsk:PercentageOfBitcoinInColdStorage',
    'clsk:GainOnBitcoinCollateral',
    'x:PurchaseOfBitcoinMiners',
    'x:ProceedsFromSaleOfBitcoinMiningEquipment',
    'BMNR:AccruedCryptoAssetFeesPayable',
    'BMNR:CryptoAssetManaged',
  ])('%s is none', (name) => {
    expect(kindOf(name)).toBe('no flow');
  });

  it('keep the sign of what came and what went, whichever is filed (CLSK purchases, RIOT sales)', () => {
    const amount = ExactDecimal.parse('82152000');
    const signed = (value: ExactDecimal, sign: 'in' | 'out' | 'filed' | 'loss') =>
      `${signedAmount(value, sign)}`;
    expect(signed(amount.negated(), 'in')).toBe('82152000');
    expect(signed(amount, 'out')).toBe('-82152000');
    expect(signed(amount, 'loss')).toBe('-82152000');
    expect(signed(amount.negated(), 'filed')).toBe('-82152000');
  });
});
