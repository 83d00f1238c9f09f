import { describe, expect, it } from 'vitest';
import { computeIssuer } from '../../fixtures/builders/computeIssuer.ts';
import { faceStatement } from '../../fixtures/builders/faceStatement.ts';
import { issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { registryParameters as parameters } from '../../fixtures/builders/registryParameters.ts';
import { fact } from '../../fixtures/builders/statementFiling.ts';
import type { InstanceFact } from '../filing/xbrlFiling.ts';
import { priceBook } from '../prices/priceBook.ts';

const closes = (asset: string, filed: number, live: number) =>
  [['2025-09-30', filed] as const, ['2025-11-19', live] as const].map(([date, close]) => ({
    asset,
    date,
    close,
    source: 'cryptocompare',
  }));
const prices = priceBook(
  [...closes('BTC', 1000, 900), ...closes('SOL', 20, 15), ...closes('ETH', 50, 40)],
  parameters,
);
const asOf = '2025-11-20T07:00:00Z';

/** Coins of 4,000 at fair value under a debt of 1,000: what they are worth live, and what is said of their kinds. */
function read(primaryAsset: string | null, ...notes: readonly InstanceFact[]) {
  const face = faceStatement(`
Cash 100
CryptoAssetFairValueNoncurrent 4000
Assets 4100
AccountsPayableCurrent 10
LongTermDebtNoncurrent 1000
Liabilities 1010
StockholdersEquity 3090
LiabilitiesAndStockholdersEquity 4100`);
  const added = notes.map((note, i) => ({ ...note, position: 50 + i }));
  const inputs = issuerInputs({
    issuer: { primaryAsset },
    xbrl: { ...face, facts: [...face.facts, ...added] },
  });
  const context = { sourceDate: '2025-11-19', asOf, prices, parameters, backfilled: false };
  const { stress } = computeIssuer(inputs, context);
  return [
    stress.live_total_crypto_fair_value?.toString() ?? null,
    ...(stress.data_quality_notes ?? []).filter((note) => /^(mix_|coins_not)/.test(note)),
  ];
}

const of = (member: string) => ({
  contextId: member,
  dimensions: [{ axis: 'us-gaap:CryptoAssetAxis', member: `x:${member}`, typed: false }],
});
const units = (value: number, more: Partial<Omit<InstanceFact, 'concept' | 'value'>> = {}) =>
  fact({ concept: 'CryptoAssetNumberOfUnits', value, unit: 'Unit', ...more });
const value = (amount: number, member: string) =>
  fact({ concept: 'CryptoAssetFairValue', value: amount, ...of(member) });
const named = (concept: string) => fact({ concept, value: 1, end: '2024-12-31' });

describe('the mix of coins that a filing does not split (M3.18)', () => {
  // 4,000 · 15/20
  it('is the only coin that the filing names, where its units fit the value', () => {
    for (const universe of ['mixed', null, 'BTC']) {
      expect(read(universe, units(200), named('x:SolanaStaked'))).toEqual(['3000', 'mix_assumed:SOL']);
    }
    expect(read('mixed', units(200, of('SolanaMember')))).toEqual(['3000', 'mix_assumed:SOL']);
    // thousands are corrected (M2.9)
    expect(read('mixed', units(200_000), named('x:SolanaStaked'))).toEqual(['3000', 'mix_assumed:SOL']);
  });

  it('is the single asset of the table, where members name no coin and its units fit', () => {
    const halves = [value(1000, 'LockedMember'), value(3000, 'UnlockedMember')];
    expect(read('SOL', units(200), ...halves)).toEqual(['3000', 'mix_assumed:SOL']);
    expect(read('SOL', units(90), ...halves)).toEqual([null, 'coins_not_split']);
    expect(read('SOL', ...halves)).toEqual([null, 'coins_not_split']);
  });

  it.each([
    ['two coins are named', [units(200), named('x:SolanaStaked'), named('x:BitcoinHeld')]],
    ['the units are worth another amount', [units(100), named('x:SolanaStaked')]],
    ['there are no units', [named('x:SolanaStaked')]],
    ['nothing names a coin', [units(200)]],
  ])('is not known where %s', (_, notes) => {
    expect(read('mixed', ...notes)).toEqual([null, 'coins_not_split']);
  });

  it('is as it was where the filing splits the coins, or the table has the one asset', () => {
    const split = [value(1000, 'EtherMember'), value(3000, 'SolanaMember')];
    // 1,000 · 40/50 + 3,000 · 15/20
    expect(read('mixed', units(200), ...split)).toEqual(['3050']);
    expect(read('BTC')).toEqual(['3600']);
    expect(read('SOL', units(200), named('x:SolanaStaked'))).toEqual(['3000']);
  });
});
