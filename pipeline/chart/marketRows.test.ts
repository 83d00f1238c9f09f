import { expect, it } from 'vitest';
import { type FactorRow, factorIds } from '../../calculators/market/factors/factorRow.ts';
import { lackingOf } from './marketRows.ts';

const available = { status: 'available', reason: null, meaning: '' } as const;
const rowOf = (
  flags: readonly string[],
  coverage: Partial<FactorRow['coverage']> = {},
  factors: Partial<FactorRow['factors']> = {},
) =>
  lackingOf({
    factors: {
      ...(Object.fromEntries(factorIds.map((id) => [id, null])) as FactorRow['factors']),
      ...factors,
    },
    quality: { status: 'partial', flags, historyRows: 0, rowAgeMinutes: 0 },
    coverage: {
      level_2_public_market: available,
      level_3_basket_pressure: available,
      level_4_perp_dislocation: available,
      ...coverage,
    },
  });

it('names the level and the input of what has no value, and nothing of what has one (V52)', () => {
  const lacking = rowOf(['index_missing', 'open_interest_missing'], {}, { funding_annualized: 0.1 });
  expect(lacking).not.toHaveProperty('funding_annualized');
  expect(lacking).toMatchObject({
    basis_bps: 'level 4: no index',
    oi_usd: 'level 4: no open interest',
    turnover: 'level 4: no open interest',
    rv_30d: 'level 4: too few days with mark and index',
    momentum_30d: 'level 4: no mark and index 30 days before',
  });
});

it('tells a basket that is not known from one whose constituents have no closes', () => {
  expect(rowOf(['registry_missing'])).toMatchObject({
    breadth: 'level 3: no basket is in force',
    hhi: 'level 3: no basket is in force',
  });
  expect(rowOf(['weights_invalid'])).toMatchObject({ breadth: 'level 3: the weights are not valid' });
  expect(rowOf(['constituent_price_missing'])).toMatchObject({
    breadth: 'level 2: too few constituents with closes of a week',
  });
});

it('gives the first level that pressure lacks with its reason', () => {
  const reason = '4 of 7 inputs are there; missing: basis_bps, turnover.';
  const level_4_perp_dislocation = { status: 'partial', reason, meaning: '' } as const;
  expect(rowOf([], { level_4_perp_dislocation })).toMatchObject({
    pressure: 'level 4: 4 of 7 inputs are there; missing: basis bps, turnover',
  });
});
