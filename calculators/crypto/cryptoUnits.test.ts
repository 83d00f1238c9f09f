import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { goldenCloses } from '../../fixtures/builders/goldenIssuers.ts';
import { type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { fact, statementFiling } from '../../fixtures/builders/statementFiling.ts';
import type { InstanceFact, XbrlFiling } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const parameters = registryParameters;
const prices = priceBook(
  [...goldenCloses, { date: '2024-12-31', asset: 'BTC', close: 93_391.98, source: 'cryptocompare' }],
  parameters,
);

function row(input: Omit<InputsOf, 'xbrl'> & { xbrl: XbrlFiling | string; asset?: string; date?: string }) {
  const { asset = 'BTC', date = '2026-02-07', ...more } = input;
  const xbrl = typeof input.xbrl === 'string' ? statementFiling(input.xbrl) : input.xbrl;
  const inputs = issuerInputs({ ...more, issuer: { primaryAsset: asset }, xbrl });
  const context = { sourceDate: date, asOf: `${date}T07:12:40Z`, prices, parameters, backfilled: false };
  return computeIssuer(inputs, context);
}

const coins = (
  concept: string,
  value: string | number,
  more: Partial<Omit<InstanceFact, 'concept' | 'value'>> = {},
) => fact({ concept, value, decimals: 'INF', ...more });
const member = (name: string) => ({
  dimensions: [{ axis: 'srt:CryptoAssetAxis', member: name, typed: false }],
  contextId: name,
});

function withFacts(text: string, ...facts: InstanceFact[]): XbrlFiling {
  const filing = statementFiling(text);
  return { ...filing, facts: [...filing.facts, ...facts] };
}

describe('quantities of the instance (M2.8–M2.12)', () => {
  const holding = (amount: number) =>
    `Assets 20000000000\n  CryptoAssetFairValueCurrent ${amount}\nLiabilities 100\n  NotesPayableCurrent 100`;
  const units = (amount: number, asset: string, ...facts: InstanceFact[]) => {
    const { stress } = row({ xbrl: withFacts(holding(amount), ...facts), asset });
    const { bitcoin_units_held: btc, ethereum_units_held: eth, crypto_units_basis: basis } = stress;
    const notes = stress.data_quality_notes?.filter((note) => note.startsWith('unit'));
    return { btc, eth, basis, notes };
  };

  it("takes the filer's own count and not the pledged part (T17: KULR 2025-09-30)", () => {
    const pledged = {
      axis: 'us-gaap:PledgedStatusAxis',
      member: 'us-gaap:AssetPledgedAsCollateralMember',
      typed: false,
    };
    const found = units(
      ...([120_523_261, 'BTC'] as const),
      coins('kutg:CryptoAssetsNumberOfUnits', '1056.69', { unit: 'item' }),
      coins('CryptoAssetNumberOfUnits', 70, { unit: 'item', dimensions: [pledged] }),
    );
    expect(found).toEqual({
      btc: 1056.69,
      eth: null,
      basis: 'reported_quantity',
      notes: ['unit_of_measure:item'],
    });
  });

  it('corrects thousands filed in dollars (T06, M2.10: CLSK)', () => {
    expect(
      units(1_079_754_000, 'BTC', fact({ concept: 'clsk:NumberOfBitcoinsHeld', value: 10_075_000 })),
    ).toEqual({
      btc: 10_075,
      eth: null,
      basis: 'reported_quantity',
      notes: ['unit_of_measure:USD', 'unit_scale_corrected:10^-3'],
    });
  });

  it('splits a sum over coins and never prices the sum (T09: BMNR 2025-11-30)', () => {
    const sum = coins('CryptoAssetNumberOfUnits', 3_737_333, { unit: 'Integer' });
    const split = [
      coins('CryptoAssetNumberOfUnits', 3_737_140, { unit: 'Integer', ...member('BMNR:EthereumMember') }),
      coins('CryptoAssetNumberOfUnits', 193, { unit: 'Integer', ...member('BMNR:BitcoinMember') }),
      coins('CryptoAssetFairValue', 10_544_339_000, member('BMNR:EthereumMember')),
      coins('CryptoAssetFairValue', 17_450_000, member('BMNR:BitcoinMember')),
    ];
    const o = { filing: { period: '2025-11-30', filed: '2026-01-13' }, asset: 'ETH' };
    const at = (xbrl: XbrlFiling): XbrlFiling => ({
      ...xbrl,
      facts: xbrl.facts.map((given) => ({ ...given, end: '2025-11-30' })),
    });
    const both = row({ ...o, xbrl: at(withFacts(holding(10_561_789_000), sum, ...split)) }).stress;
    expect(both).toMatchObject({
      bitcoin_units_held: 193,
      ethereum_units_held: 3_737_140,
      crypto_units_basis: 'reported_quantity',
    });
    // parts that do not pass leave the sum unused
    const doubtful = split.map((given) =>
      given.concept.endsWith('Units') ? given : { ...given, value: null },
    );
    const neither = row({ ...o, xbrl: at(withFacts(holding(10_561_789_000), sum, ...doubtful)) }).stress;
    expect(neither).toMatchObject({
      bitcoin_units_held: null,
      crypto_units_basis: 'fair_value_implied_eth',
    });
  });

  it('rejects switches and a count no close explains; members give the mix (T10: BTBT 2025-09-30)', () => {
    const facts = [
      coins('CryptoAssetNumberOfUnits', 64, { unit: 'InfiniBand' }),
      coins('CryptoAssetNumberOfUnits', 10_221, { unit: 'ETH' }),
      coins('CryptoAssetNumberOfUnits', 6_443, { unit: 'ETH', ...member('btbt:ETHMember') }),
      coins('CryptoAssetFairValue', 3_575_804),
      coins('CryptoAssetFairValue', 2_649_831, member('btbt:ETHMember')),
      coins('CryptoAssetFairValueCurrent', 422_988_896, member('btbt:ETHMember')),
      coins('CryptoAssetFairValueCurrent', 693_468, member('btbt:BTCMember')),
    ];
    expect(units(423_682_364, 'ETH', ...facts)).toMatchObject({
      basis: 'fair_value_implied_eth',
      btc: null,
      notes: ['unit_of_measure:InfiniBand', 'unit_price_mismatch'],
    });
    // golden live value of M12.11: 99.8 % ether, 0.2 % bitcoin
    const { stress } = row({ xbrl: withFacts(holding(423_682_364), ...facts), asset: 'ETH' });
    expect(stress.live_total_crypto_fair_value?.toString()).toBe('208706435');
  });

  it('trusts no member that has two counts (NXTT 2025-03-31)', () => {
    const close = 114_078.18;
    const found = units(
      ...([Math.round(5_833 * close), 'BTC'] as const),
      coins('CryptoAssetNumberOfUnits', 5_833, { unit: 'bitcoin' }),
      coins('CryptoAssetNumberOfUnits', 6_000, {
        unit: 'bitcoin',
        ...member('nxtt:BTCTradingContractMember'),
      }),
      coins('CryptoAssetNumberOfUnits', 833, { unit: 'bitcoin', ...member('nxtt:BTCSellerMember') }),
      coins('CryptoAssetNumberOfUnits', 5_000, { unit: 'bitcoin', ...member('nxtt:DigitalAssetsMember') }),
    );
    expect(found).toEqual({ btc: 5_833, eth: null, basis: 'reported_quantity', notes: [] });
  });

  it('estimates nothing when the curated coin is a small part of what members show (GAME 2025-09-30)', () => {
    const found = units(
      ...([4_020_415, 'ETH'] as const),
      coins('CryptoAssetFairValue', 215_612, member('GAME:EthereumMember')),
      coins('CryptoAssetFairValue', 2_468_577, member('GAME:AnimecoinMember')),
      coins('CryptoAssetFairValue', 1_336_226, member('GAME:WreckedMember')),
    );
    expect(found).toMatchObject({ btc: null, eth: null, basis: 'mixed_unallocated' });
  });
});
