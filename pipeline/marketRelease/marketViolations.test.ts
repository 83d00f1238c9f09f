import { describe, expect, it } from 'vitest';
import type { ConstituentReturn, FactorRow } from '../../calculators/market/factors/factorRow.ts';
import { contextOfWindows } from '../../fixtures/builders/contextOfWindows.ts';
import { marketRow } from '../../fixtures/builders/marketRow.ts';
import type { MarketContext } from './marketContext.ts';
import { pointViolations, rankingViolations, rowViolations } from './marketViolations.ts';

/** A slice of 2024-01-01 with one product and one day of it. */
const contextOf = (row: FactorRow): MarketContext => contextOfWindows([[row]]);

const day = 86_400_000;

/** One of thirty days that end with 2024-01-01; pressures rise and fall, so that there are curves. */
const dayOf = (i: number): FactorRow => {
  const row = marketRow({ pressure: (i % 7) / 10 });
  const start = row.start + (i - 29) * day;
  const sourceDate = new Date(start).toISOString().slice(0, 10);
  return { ...row, start, sourceDate, marketInputs: { ...row.marketInputs, start } };
};
const earlier = [dayOf(0), ...Array.from({ length: 28 }, (_, i) => dayOf(i + 1))] as const;
const last = dayOf(29);

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

  it('lets returns beyond any market pass, whose doubles sum to them as closely as they can (M15.50)', () => {
    const row = attributed(1.066667);
    const [first] = row.returns.rows;
    // as doubles they miss each other by 7e-9
    const parts = [-52_407_074.582, -7_391_544.078, 2.514];
    const perpReturn = 21_119_906.03;
    const rows = parts.map((contribution) => ({ ...first, contribution }) as ConstituentReturn);
    const residual = perpReturn - parts.reduce((sum, part) => sum + part, 0);
    const withResidual = (trackingResidual: number) =>
      rowViolations(contextOf({ ...row, returns: { rows, perpReturn, trackingResidual } }));
    expect(withResidual(residual)).toEqual([]);
    expect(withResidual(residual + 1)).toEqual([
      expect.stringContaining('M15.50: contributions and residual'),
    ]);
  });

  it('takes the concentration of weights that sum to one within their tolerance (M15.52, M8.6)', () => {
    const row = attributed(1.066667);
    const [first] = row.returns.rows;
    const returns = { ...row.returns, rows: [{ ...first } as ConstituentReturn] };
    const ofOne = (hhi: number) =>
      rowViolations(contextOf({ ...row, returns, factors: { ...row.factors, hhi } })).length;
    // one constituent of 0.999999, 1 or 1.000001
    expect([0.999998, 1, 1.000002].map(ofOne)).toEqual([0, 0, 0]);
    expect([0.999997, 1.000003].map(ofOne)).toEqual([1, 1]);
  });

  it('refuses a breadth or concentration out of its bounds (M15.52)', () => {
    const row = attributed(1.066667);
    const broken = { ...row, factors: { ...row.factors, breadth: 1.2, hhi: 1.1 } };
    expect(rowViolations(contextOf(broken))).toHaveLength(2);
  });

  it('refuses a band that is not that of the published pressure (M15.51)', () => {
    // 1.066667 is building; the row publishes 2
    const row = marketRow({ factors: { ...marketRow().factors, pressure: 2 } });
    expect(rankingViolations(contextOf(row))).toEqual([
      'BTC-PERP-INTX 1d 2024-01-01T00:00:00Z: M15.51: its band or place is not that of its pressure',
    ]);
  });

  it('refuses a place behind a lower published pressure, within one band (M15.51)', () => {
    const [low, high] = [0.8, 1.4];
    const published = (pressure: number) => ({ ...marketRow().factors, pressure });
    const ranked = (factors: readonly number[]) =>
      contextOfWindows([
        [{ ...marketRow({ pressure: high }), product: 'A', factors: published(factors[0] ?? 0) }],
        [{ ...marketRow({ pressure: low }), product: 'B', factors: published(factors[1] ?? 0) }],
      ]);
    expect(rankingViolations(ranked([high, low]))).toEqual([]);
    expect(rankingViolations(ranked([low, high]))).toEqual([
      'B 1d 2024-01-01T00:00:00Z: M15.51: its band or place is not that of its pressure',
    ]);
  });

  it('lets the points of a sound window pass', () => {
    expect(pointViolations(contextOfWindows([[...earlier, last]]))).toEqual([]);
  });

  it('refuses a window in which a later row changes an earlier point (M15.53)', () => {
    // the bucket of the newest row stands before it already, with another pressure
    const twice = { ...last, pressure: 3, pressureUnrounded: 3 };
    expect(pointViolations(contextOfWindows([[...earlier, last, twice]]))).toEqual([
      'BTC-PERP-INTX 1d 2024-01-01: M15.53: a later row changes an earlier point',
    ]);
  });

  it('refuses energy below twice the reinforcement (M15.54)', () => {
    // groups far beyond what clipped scores give: their squares lose digits that the product keeps
    const groups = { carry: 1392419.9631243348, positioning: 1392419.9631243348, market: 1392419.9640228963 };
    const row = { ...last, groups };
    expect(pointViolations(contextOfWindows([[...earlier, row]]))).toEqual([
      'BTC-PERP-INTX 1d 2024-01-01: M15.54: the energy is below twice the reinforcement',
    ]);
  });
});
