import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters as parameters } from '../../fixtures/builders/registryParameters.ts';
import { priceBook } from '../prices/priceBook.ts';

const prices = priceBook([], parameters);
const asOf = '2025-11-20T07:00:00Z';

/** The row of an issuer with one asset line of 300 beside cash of 100, no calculation network. */
function row(line: string, primaryAsset: string | null = 'BTC') {
  const face = `
Cash 100
${line} 300
Assets 400
AccountsPayableCurrent 50
Liabilities 50
StockholdersEquity 350
LiabilitiesAndStockholdersEquity 400`;
  const inputs = issuerInputs({ issuer: { primaryAsset }, xbrl: faceStatement(face) });
  return computeIssuer(inputs, { sourceDate: '2025-11-19', asOf, prices, parameters, backfilled: false })
    .stress;
}

describe('a line with the name of a coin (M2.3)', () => {
  it.each([
    'x:DigitalCurrenciesNoncurrent',
    'x:DigitalCurrencesCurrent',
    'x:VirtualCurrencies',
    'x:ChainlinkHoldings',
    'x:LitecoinHoldings',
    'x:DogecoinHeld',
    'x:ToncoinTreasury',
    'x:FilecoinTreasury',
    'x:CardanoHeld',
    'x:HederaHoldings',
    'x:AvalancheHoldings',
    'x:SuiHeldCurrent',
    'x:TRONHoldings',
    'x:XrpHoldings',
    'x:XRPHeld',
    'x:BtcHoldings',
    'x:ETHHoldings',
    'x:BitcoinDepositedAsCollateral',
    'x:VirtualAssetsNoncurrent',
    'x:RippleHoldings',
    'x:PolkadotHoldings',
    'x:CrytocurrencyAssets',
    'x:DigitialAssets',
    'x:EtheriumHeld',
    'x:BitcoinAdoptionReserve',
  ])('is coins: %s', (line) => {
    const { total_crypto_fair_value: coins, crypto_units_basis } = row(line);
    expect(coins.toString()).toBe('300');
    expect(crypto_units_basis).toBe('carrying_value_lower_bound');
  });

  it.each([
    'x:LinkAssets',
    'x:DownlinkSystems',
    'x:ElectronBeamSystems',
    'x:Coins',
    'x:SolStations',
    'x:HypeCampaigns',
    'x:EthernetSwitches',
    'x:BtcMiningRigs',
    'x:BitcoinMachines',
    'x:BitcoinHostingCredits',
    'x:BitcoinMinerDeposits',
    'x:BitcoinEtf',
    'x:BTCTrustShares',
    'x:TokenizedMortgages',
    'x:StablecoinHoldings',
    'x:LitecoinFundShares',
    'x:BitcoinOptions',
    'x:BitcoinFuturesMargin',
    'x:CardanoBrand',
    'x:RippleEffectTrademarks',
  ])('is no coins: %s', (line) => {
    expect(row(line).total_crypto_fair_value.toString()).toBe('0');
  });

  it('reads fair values although "asset fair" has the letters of a fund', () => {
    expect(row('x:DigitalAssetFairValue').total_crypto_fair_value.toString()).toBe('300');
  });

  it.each([
    ['HYPE', 'x:HypeHoldings'],
    ['SOL', 'x:SolHeld'],
    ['ADA', 'x:AdaHoldings'],
    ['WLFI', 'x:WlfiHoldings'],
    ['ENA', 'x:EthenaHoldings'],
  ])('counts a name of %s for an issuer whose primary asset it is: %s', (asset, line) => {
    expect(row(line, asset).total_crypto_fair_value.toString()).toBe('300');
    for (const other of ['BTC', 'mixed', null]) {
      expect(row(line, other).total_crypto_fair_value.toString()).toBe('0');
    }
  });
});
