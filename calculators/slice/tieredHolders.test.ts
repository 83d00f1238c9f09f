import { expect, it } from 'vitest';
import type { FiguresBasis, RiskTier, TreasuryRelevance } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { tieredHolders } from './tieredHolders.ts';

const row = (
  ticker: string,
  risk_tier: RiskTier,
  treasury_relevance: TreasuryRelevance | null,
  {
    coins = 5,
    basis = 'resolved',
    notes = [],
  }: { coins?: number; basis?: FiguresBasis; notes?: string[] } = {},
) => ({
  ticker,
  risk_tier,
  treasury_relevance,
  figures_basis: basis,
  total_crypto_fair_value: ExactDecimal.fromNumber(coins),
  data_quality_notes: notes,
});

it('coin holders are rows whose coins matter, or may (M5.14b)', () => {
  const unproven = (notes: string[], coins = 0) => ({ basis: 'crypto_unproven' as const, coins, notes });
  const rows = [
    row('AA', 'LOW', 'core'),
    row('BB', 'CRITICAL', 'material'),
    row('ZC', 'UNCLASSIFIED', 'core', { notes: ['tier_at_most:HIGH'] }),
    row('CC', 'UNCLASSIFIED', null, unproven(['crypto_unproven:40'])),
    row('DD', 'UNCLASSIFIED', null, unproven([], 3)),
    // brands, incidental coins and none at all are no coin holders
    row('EE', 'UNCLASSIFIED', null, unproven(['crypto_unproven:0'])),
    row('FF', 'UNCLASSIFIED', 'incidental'),
    row('GG', 'UNCLASSIFIED', 'none', { coins: 0 }),
    row('HH', 'UNCLASSIFIED', null, { coins: 0 }),
  ];
  expect(tieredHolders(rows)).toEqual({ total: 5, with_tier: 2, without: ['CC', 'DD', 'ZC'] });
  expect(tieredHolders([])).toEqual({ total: 0, with_tier: 0, without: [] });
});
