import { describe, expect, it } from 'vitest';
import type { FactorRow } from '../../calculators/market/factorRow.ts';
import { parseParameters } from '../../calculators/parameters/parameters.ts';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { marketRow } from '../../fixtures/builders/marketRow.ts';
import { marketProduct } from '../../fixtures/builders/marketSeries.ts';
import type { MarketContext } from './marketContext.ts';
import { pointViolations, rankingViolations, rowViolations } from './marketViolations.ts';

const none = { day: [], latest: null, previous: null, window: [] };

/** A slice of 2024-01-01 with one product and one day of it. */
function contextOf(row: FactorRow): MarketContext {
  const product = marketProduct();
  const daily = { day: [row], latest: row, previous: null, window: [row] };
  return {
    facts: {
      sourceDate: '2024-01-01',
      asOf: '2024-01-02T06:00:00Z',
      parameters: parseParameters(registry),
      products: [
        {
          product,
          version: product.versions[0] ?? null,
          byLength: { '15m': none, '1h': none, '1d': daily },
        },
      ],
    },
    tiersOf: () => null,
    recentRows: () => 1,
    reach: () => ({ first: row.start, last: row.start }),
  };
}

const attributed = (contribution: number) =>
  marketRow({ attribution: [{ factor: 'basis_bps', contribution }] });

describe('the release gate on market rows', () => {
  it('lets a sound row pass', () => {
    const context = contextOf(attributed(1.066667));
    expect([...rowViolations(context), ...rankingViolations(context), ...pointViolations(context)]).toEqual(
      [],
    );
  });

  it('refuses parts that do not sum to the pressure, by more than 1e-9 (M15.50)', () => {
    expect(rowViolations(contextOf(attributed(1.066667 + 1e-10)))).toEqual([]);
    expect(rowViolations(contextOf(attributed(1.066667 + 1e-8)))).toEqual([
      expect.stringContaining('M15.50: the parts of its pressure do not sum to it'),
    ]);
  });

  it('refuses contributions and a residual that are not the return (M15.50)', () => {
    const row = attributed(1.066667);
    const returns = { ...row.returns, perpReturn: 0.03, trackingResidual: 9 };
    expect(rowViolations(contextOf({ ...row, returns }))).toEqual([
      expect.stringContaining('M15.50: contributions and residual'),
    ]);
  });

  it('refuses a breadth or concentration out of its bounds (M15.52)', () => {
    const row = attributed(1.066667);
    const broken = { ...row, factors: { ...row.factors, breadth: 1.2, hhi: 1.1 } };
    expect(rowViolations(contextOf(broken))).toHaveLength(2);
  });
});
