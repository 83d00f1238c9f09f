import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters as parameters } from '../../fixtures/builders/registryParameters.ts';
import { fact } from '../../fixtures/builders/statementFiling.ts';
import type { InstanceFact } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

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
