import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { filedFact, type InputsOf, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { fact } from '../../fixtures/builders/statementFiling.ts';
import { faceOrder } from '../faceOrder/faceOrder.ts';
import { factSheet } from '../filing/factSheet.ts';
import type { InstanceFact } from '../filing/xbrlFiling.ts';
import { filingNetworks } from '../network/filingNetworks.ts';
import { priceBook } from '../prices/priceBook.ts';
import { resolveCrypto } from './resolveCrypto.ts';

const parameters = registryParameters;
const k = 1000;

function resolve(inputsOf: InputsOf, date = '2026-02-07') {
  const inputs = issuerInputs(inputsOf);
  const supporting = inputs.supporting.filter((fact) => fact.filed <= date);
  const sheet = factSheet(inputs, date);
  const found = resolveCrypto({
    issuer: inputs.issuer,
    sheet,
    supporting,
    parameters,
    networks: filingNetworks(null, sheet),
    face: faceOrder({ filing: null, sheet, bounds: parameters.faceOrder }),
    facts: null,
    filing: null,
    prices: priceBook([], parameters),
  });
  return { ...found, amount: found.amount.toNumber(), carried: found.carried.toNumber() };
}

describe('coins by fair-value tags (M2.4, M2.4b)', () => {
  it.each([
    [
      'adds current and noncurrent (CLSK)',
      { CryptoAssetFairValueCurrent: 877_067, CryptoAssetFairValueNoncurrent: 202_687 },
      1_079_754,
      false,
    ],
    [
      'adds unrestricted and restricted (KULR)',
      {
        CryptoAssetFairValueUnrestricted: 112_539_271,
        CryptoAssetFairValueRestricted: 7_983_990,
        CryptoAssetFairValue: 120_523_261,
      },
      120_523_261,
      false,
    ],
    ['takes the plain total last (BMNR)', { CryptoAssetFairValue: 10_561_789 }, 10_561_789, false],
    [
      'proves neither of two totals without a balance sheet to decide, and keeps the smaller (M2.4b: BTBT)',
      { CryptoAssetFairValueCurrent: 423_682_364, CryptoAssetFairValue: 3_575_804 },
      3_575_804,
      true,
    ],
    [
      'adds restricted coins the balance-sheet line leaves out (RIOT)',
      {
        CryptoAssetFairValueNoncurrent: 1_823_630,
        CryptoAssetFairValueUnrestricted: 1_823_630,
        CryptoAssetFairValueRestricted: 376_423,
        CryptoAssetFairValue: 2_200_053,
      },
      2_200_053,
      false,
    ],
    [
      'keeps the finer of two roundings (LITS)',
      { CryptoAssetFairValueCurrent: 99_400_000, CryptoAssetFairValue: 99_369_000 },
      99_369_000,
      false,
    ],
    [
      'keeps the lines of the balance sheet beside a total that only shares their first digit',
      { CryptoAssetFairValueNoncurrent: 300_000_000, CryptoAssetFairValue: 310_000_000 },
      300_000_000,
      false,
    ],
    [
      'prefers coins to a line filed as zero',
      { CryptoAssetFairValueCurrent: 0, CryptoAssetFairValue: 500 },
      500,
      false,
    ],
  ])('%s', (_, balance, amount, disagreement) => {
    expect(resolve({ balance })).toMatchObject({
      amount,
      carried: amount,
      measurement: 'fair_value',
      disagreement,
    });
  });

  it('never reads customers’ coins (M2.1, M15.15)', () => {
    const customers = {
      'srt:PlatformOperatorCryptoAssetHeldForUser': 293_180_682,
      'srt:SafeguardingAssetPlatformOperatorCryptoAsset': 9_000,
    };
    expect(resolve({ balance: customers })).toMatchObject({ amount: 0, measurement: null });
    expect(resolve({ balance: { ...customers, CryptoAssetFairValue: 127_642 } }).amount).toBe(127_642);
  });

  it('has no larger candidate in customers’ coins that are owed to the dollar (M2.4b)', () => {
    const held = { CryptoAssetFairValue: 300, 'srt:SafeguardingAssetPlatformOperatorCryptoAsset': 900 };
    expect(resolve({ balance: held }).disagreement).toBe(true);
    const owed = { ...held, 'srt:SafeguardingLiabilityPlatformOperatorCryptoAsset': 900 };
    expect(resolve({ balance: owed })).toMatchObject({ amount: 300, disagreement: false });
  });
});

describe('coins among intangibles (M2.6)', () => {
  const annual = {
    accession: '0000950170-25-021814',
    form: '10-K',
    filed: '2025-02-18',
    period: '2024-12-31',
  };
  const { filing } = issuerInputs({ filing: annual });
  const year = filedFact(filing, { concept: 'Revenues', value: 463_456 * k, start: '2024-01-01' });
  const strategy2024: InputsOf = {
    filing: annual,
    balance: { IndefiniteLivedIntangibleAssetsExcludingGoodwill: 23_909_373 * k, Assets: 25_843_685 * k },
    facts: [year],
    supporting: [
      filedFact(
        { ...filing, accession: '0000950170-25-063536', filed: '2025-05-05' },
        {
          concept: 'IndefiniteLivedIntangibleAssetsExcludingGoodwill',
          value: 41_790_421 * k,
          end: '2025-01-01',
        },
      ),
    ],
  };

  it('are a lower bound before adoption, as long as no later value is known (T19: MSTR on 2025-03-31)', () => {
    expect(resolve(strategy2024, '2025-03-31')).toMatchObject({
      amount: 23_909_373 * k,
      measurement: 'carrying_lower_bound',
    });
  });

  it('take the adoption-date value from the day it is filed (T04: MSTR from 2025-05-05)', () => {
    expect(resolve(strategy2024, '2025-05-05')).toMatchObject({
      amount: 41_790_421 * k,
      carried: 23_909_373 * k,
      measurement: 'fair_value',
    });
  });

  it('are at fair value in a fiscal year that begins after 2024-12-15 (M2.1: MSTR 2025-09-30)', () => {
    const quarter = issuerInputs({}).filing;
    expect(
      resolve({
        balance: { IndefiniteLivedIntangibleAssetsExcludingGoodwill: 73_205_725 * k, Assets: 73_619_038 * k },
        facts: [filedFact(quarter, { concept: 'Revenues', value: 354_245 * k, start: '2025-01-01' })],
      }),
    ).toMatchObject({ amount: 73_205_725 * k, carried: 73_205_725 * k, measurement: 'fair_value' });
  });

  it.each([
    [
      'an issuer without a treasury asset, whose intangibles are brands (P&G)',
      { issuer: { primaryAsset: null } },
    ],
    ['an issuer whose asset is not a single one', { issuer: { primaryAsset: 'mixed' } }],
    ['an issuer that tags crypto assets otherwise', { balance: { CryptoAssetCost: 1 } }],
    ['a line below 10 % of assets', { balance: { Assets: '999999999999' } }],
    ['a filing without assets', { balance: { Assets: 0 } }],
  ])('are not read for %s', (_, change: InputsOf) => {
    const balance = { ...strategy2024.balance, ...change.balance };
    expect(resolve({ ...strategy2024, ...change, balance })).toMatchObject({ amount: 0, measurement: null });
  });
});

const close = (date: string, price: number) => ({
  date,
  asset: 'BTC',
  close: price,
  source: 'cryptocompare',
});
const prices = priceBook([close('2025-09-30', 100), close('2025-11-19', 80)], parameters);
const asOf = '2025-11-20T07:00:00Z';

/** The row of coins carried at 300 of assets of 400 under a debt, with what the notes state beside it. */
function row({ debt, notes }: { debt: number; notes: readonly InstanceFact[] }) {
  const face = faceStatement(`
Cash 100
x:DigitalAssetsNoncurrent 300
Assets 400
AccountsPayableCurrent 10
LongTermDebtNoncurrent ${debt}
Liabilities ${10 + debt}
StockholdersEquity ${390 - debt}
LiabilitiesAndStockholdersEquity 400`);
  const added = notes.map((note, i) => ({ ...note, position: 50 + i }));
  const inputs = issuerInputs({ xbrl: { ...face, facts: [...face.facts, ...added] } });
  const context = { sourceDate: '2025-11-19', asOf, prices, parameters, backfilled: false };
  return computeIssuer(inputs, context).stress;
}

function read(debt: number, ...notes: readonly InstanceFact[]) {
  const stress = row({ debt, notes });
  const isOfTier = (note: string) => note.startsWith('tier_');
  return [
    stress.total_crypto_fair_value.toString(),
    stress.crypto_units_basis,
    stress.stress_50pct,
    stress.risk_tier,
    ...(stress.data_quality_notes ?? []).filter(isOfTier),
  ];
}

const value = (amount: number, concept = 'x:FairValueOfDigitalAssets') => fact({ concept, value: amount });
const units = (count: number) => fact({ concept: 'x:NumberOfBitcoinsHeld', value: count, unit: 'Bitcoin' });
const atCost = ['300', 'carrying_value_lower_bound', 0.666667, 'UNCLASSIFIED', 'tier_at_most:HIGH'] as const;

describe('coins at cost whose fair value is disclosed (M2.15)', () => {
  it('are taken at that value, and so is the tier', () => {
    expect(read(100)).toEqual(atCost);
    expect(read(100, value(500))).toEqual(['500', 'fair_value_disclosed', 0.4, 'LOW']);
    expect(read(100, value(500, 'x:MarketValueOfBitcoin'))[1]).toBe('fair_value_disclosed');
    // a standard tag above what the face carries is such a value; one equal to it measures the face
    expect(read(100, value(500, 'us-gaap:CryptoAssetFairValue'))).toEqual([
      '500',
      'fair_value_disclosed',
      0.4,
      'LOW',
    ]);
    expect(read(100, value(300, 'us-gaap:CryptoAssetFairValue')).slice(1)).toEqual([
      'fair_value_implied_btc',
      0.666667,
      'HIGH',
    ]);
  });

  it('have the tier of both where cost and value give one band', () => {
    const both = ['320', 'fair_value_disclosed', 0.65625, 'HIGH', 'tier_same_at_cost_and_value'];
    // 105 / 150 = 0.7 at cost
    expect(read(105, value(320))).toEqual(both);
  });

  it('move assets and equity by what they are worth above the cost (M3.12)', () => {
    const stress = row({ debt: 100, notes: [value(500)] });
    // 290 + 200 − 250
    expect(stress.shocked_equity_50pct?.toString()).toBe('240');
    expect(stress.crypto_share_of_assets).toBe(0.833333);
    // 500 · 80/100
    expect(stress.live_total_crypto_fair_value?.toString()).toBe('400');
    expect(row({ debt: 100, notes: [] }).uses_live_prices).toBe(false);
  });

  it('count the units that fit the value', () => {
    const stress = row({ debt: 100, notes: [value(500), units(5)] });
    expect(stress).toMatchObject({ crypto_units_basis: 'fair_value_disclosed', bitcoin_units_held: 5 });
    expect(row({ debt: 100, notes: [value(500)] }).bitcoin_units_held).toBeNull();
  });

  it('take one amount under two names, or rounded, as one', () => {
    expect(
      read(100, value(5_003), value(5_003, 'x:BitcoinFairValue'), value(5_000, 'x:BitcoinMarketValue')),
    ).toEqual(read(100, value(5_003)));
  });

  it.each([
    ['two amounts', [value(500), value(450, 'x:BitcoinFairValue')]],
    ['an amount below the cost', [value(299)]],
    ['units that are worth another amount', [value(500), units(9)]],
    ['the value of restricted coins', [value(500, 'x:FairValueOfRestrictedDigitalAssets')]],
    ['the value of pledged coins', [value(500, 'x:BitcoinPledgedFairValue')]],
    ['the value of customers’ coins', [value(500, 'x:CustomerDigitalAssetsFairValue')]],
    ['the value of safeguarded coins', [value(500, 'x:SafeguardedCryptoAssetsFairValue')]],
    ['the value of coins sold', [value(500, 'x:FairValueOfBitcoinSold')]],
    ['a gain', [value(500, 'x:FairValueGainOnDigitalAssets')]],
    ['the value of machines', [value(500, 'x:BitcoinMinersFairValue')]],
    ['an amount of another day', [{ ...value(500), end: '2025-06-30' }]],
    [
      'an amount with a member',
      [{ ...value(500), dimensions: [{ axis: 'x:AssetAxis', member: 'x:BitcoinMember', typed: false }] }],
    ],
  ])('stay at cost with %s', (_, notes) => {
    expect(read(100, ...notes)).toEqual(atCost);
  });
});
