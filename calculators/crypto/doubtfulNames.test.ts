import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters as parameters } from '../../fixtures/builders/registryParameters.ts';
import { fact } from '../../fixtures/builders/statementFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const prices = priceBook([], parameters);
const asOf = '2025-11-20T07:00:00Z';
const brands = 'us-gaap:IndefiniteLivedIntangibleAssetsExcludingGoodwill';

/** C, what it rests on and the tier of an issuer with debt of 100 whose other lines are cash and property. */
function row({
  assets,
  owed = '',
  primaryAsset = 'BTC',
  classes = [],
}: {
  assets: string;
  owed?: string;
  primaryAsset?: string;
  classes?: readonly (readonly [string, number])[];
}) {
  const total = (lines: string) =>
    [...lines.matchAll(/ (\d+)$/gm)].reduce((sum, [, value]) => sum + Number(value), 0);
  const [all, liabilities] = [100 + total(assets), 110 + total(owed)];
  const face = `
CashAndCashEquivalentsAtCarryingValue 20
PropertyPlantAndEquipmentNet 80
${assets}
Assets ${all}
AccountsPayableCurrent 10
LongTermDebtNoncurrent 100
${owed}
Liabilities ${liabilities}
StockholdersEquity ${all - liabilities}
LiabilitiesAndStockholdersEquity ${all}`;
  const filing = faceStatement(face);
  const noted = classes.map(([member, value], i) => ({
    ...fact({
      concept: brands,
      value,
      dimensions: [{ axis: 'us-gaap:IndefiniteLivedIntangibleAssetsByMajorClassAxis', member, typed: false }],
    }),
    position: 900 + i,
  }));
  const year = {
    ...fact({ concept: 'us-gaap:NetIncomeLoss', value: -3, start: '2025-01-01' }),
    position: 990,
  };
  const xbrl = { ...filing, facts: [...filing.facts, ...noted, year] };
  const inputs = issuerInputs({ issuer: { primaryAsset }, xbrl });
  const context = { sourceDate: '2025-11-19', asOf, prices, parameters, backfilled: false };
  const { stress } = computeIssuer(inputs, context);
  return [stress.total_crypto_fair_value.toString(), stress.figures_basis, stress.risk_tier];
}
const beside = (line: string) => row({ assets: `CryptoAssetFairValueNoncurrent 100\n${line} 300` });

describe('a name with a coin and another thing in it (M2.3a)', () => {
  it.each([
    'x:SimpleAgreementsForFutureTokens',
    'x:InvestmentsInCryptoCompanies',
    'x:InvestmentInSpotBitcoinExchangeTradedProducts',
    'x:CryptoBackedLoansNet',
    'x:BitcoinLinkedStructuredNotesHeld',
    'x:DigitalAssetsDueFromExchange',
    'x:RightToReceiveBitcoin',
    'x:CashHeldForBitcoinPurchases',
    'x:DeferredTaxAssetsDigitalAssetLosses',
    'x:GoodwillCryptoSegment',
    'x:OperatingLeaseRightOfUseBitcoinSite',
    'x:BitcoinATMKiosksNet',
    'x:SolanaValidatorNodesNet',
    'x:TokenizedUSTreasuryBills',
    'x:TetherTokensHeld',
    'x:FiatHeldAtCryptoExchange',
    'x:TreasuryBillsPledgedForBitcoin',
    'x:CryptoMiningRigsNet',
    'x:CustomerDigitalAssetsSafeguarded',
    'x:BitcoinPutOptionsAtFairValue',
    'x:IntangibleAssetsExcludingDigitalAssetsNet',
    'x:InvestmentsOtherThanCryptoAssets',
  ])('is the other thing where a word says so: %s', (line) => {
    const [coins, basis, tier] = beside(line);
    if (line.includes('IntangibleAssets')) return expect([coins, basis]).toEqual(['100', 'crypto_unproven']);
    expect([coins, basis, tier]).toEqual(['100', 'resolved', 'CRITICAL']);
  });

  it.each([
    'x:BitcoinEcosystemPrograms',
    'x:DigitalAssetVentures',
    'x:CashAndDigitalAssets',
    'x:CryptoIncubatorStakes',
    'x:BitcoinThemedMerchandise',
    'x:BitcoinAndTreasuryBills',
    'x:BitcoinSecuredLoanCollateral',
    'x:BitcoinHardwareWallets',
    'x:BitcoinHeldAndGoodwill',
  ])('proves no tier beside coins where no word says so: %s', (line) => {
    expect(beside(line)).toEqual(['100', 'crypto_unproven', 'UNCLASSIFIED']);
  });

  it.each([
    ['x:ProprietaryDigitalAssets', '300', 'resolved', 'HIGH'],
    ['x:AethirTokens', '300', 'resolved', 'HIGH'],
    ['x:CashAndDigitalAssets', '0', 'crypto_unproven', 'UNCLASSIFIED'],
  ])('is the word of a filer for its coins where it stands alone: %s', (line, coins, basis, tier) => {
    expect(row({ assets: `${line} 300` })).toEqual([coins, basis, tier]);
  });

  it.each([
    'x:DigitalAssetsExcludingStablecoins',
    'x:CryptoAssetsOtherThanStablecoins',
    'x:DigitalAssetsExcludingNFTs',
    'x:CryptoAssetsExcludingCustomerAssets',
    'x:DigitalAssetsNetOfCustomerObligations',
    'x:DigitalAssetsFromMiningNet',
    'x:BitcoinHeldFromMiningActivities',
    'x:CryptoAssetsPledgedAsCollateralForNotePayable',
    'x:BitcoinPledgedForConvertibleNotes',
    'x:DigitalAssetsRestrictedForMinerPurchaseAgreement',
    'x:BitcoinHeldInFundingAccount',
    'x:DigitalAssetsHeldByCustodianForCompany',
    'x:InvestmentInDigitalAssetsAtFairValueThroughNetIncome',
    'x:CoinsHeld',
    'x:MemeCoinsAtFairValue',
    'x:TreasuryCoinReserve',
    'x:WBTCHeld',
    'x:AlgorandHeld',
    'x:CyberCurrencyHeld',
    'x:DigitalAssetsRelatedParty',
    'x:DigitalAssetsTransferredAsCollateral',
    'x:MarketableDigitalAssets',
  ])('is coins where the rest says whose, where from or what for: %s', (line) => {
    expect(row({ assets: `${line} 300` })).toEqual(['300', 'resolved', 'HIGH']);
  });

  it.each(['NEAR', 'TON', 'ENA', 'BERA', 'LINK'])('is coins by the ticker of the treasury: %s', (asset) => {
    const line = { assets: `x:${asset}Holdings 300` };
    expect(row({ ...line, primaryAsset: asset })[0]).toBe('300');
    expect(row(line)[0]).toBe('0');
  });
});

describe('coins that are owed again (M2.1b)', () => {
  it.each([
    ['x:DigitalAssetsHeldOnPlatform', 'x:DigitalAssetsOwedToUsers'],
    ['x:CryptoAssetsUnderCustody', 'x:CustodialCryptoObligations'],
    ['x:BitcoinHeldForOthers', 'x:LiabilitiesToOthersInBitcoin'],
    ['x:CryptoAssetsHeldAsCollateral', 'x:CollateralPayable'],
  ])('are in no tier where a liability is their equal: %s, %s', (held, owed) => {
    const assets = `CryptoAssetFairValueNoncurrent 300\n${held} 500`;
    const [coins, basis, tier] = row({ assets, owed: `${owed} 500` });
    expect([coins, tier]).toEqual(['300', 'UNCLASSIFIED']);
    expect(basis).toMatch(/^(crypto|both)_unproven$/);
  });
});

describe('brands beside coins (M2.6)', () => {
  it('are no coins beside a line that names them', () => {
    expect(row({ assets: `${brands} 295\nx:DigitalAssetsCurrent 5` })[0]).toBe('5');
  });

  it('are no coins where the classes of the note say that there are brands in the line', () => {
    const classes = [
      ['us-gaap:TrademarksMember', 200],
      ['x:BitcoinMember', 100],
    ] as const;
    expect(row({ assets: `${brands} 300`, classes })).toEqual(['0', 'crypto_unproven', 'UNCLASSIFIED']);
    expect(row({ assets: `${brands} 300`, classes: [['x:BitcoinMember', 300]] })[0]).toBe('300');
  });
});
