import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketRow } from '../../../fixtures/builders/marketRow.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import type { FactorRow } from '../factors/factorRow.ts';
import { marketFieldMap } from './marketFieldMap.ts';
import { marketPointRows, marketPoints } from './marketPoints.ts';

const parameters = registryParameters;
const day = 86_400_000;
const first = Date.parse('2024-01-01T00:00:00Z');
const sample = marketRow();

type Figures = {
  readonly pressure: number | null;
  readonly carry?: number | null;
  readonly market?: number | null;
  readonly openInterest?: number | null;
  readonly index?: number | null;
};

/** One row a day. */
function rowsOf(days: readonly Figures[]): FactorRow[] {
  return days.map(({ pressure, carry = 0, market = 0, openInterest = 1_000, index = 100 }, i) => ({
    ...sample,
    start: first + i * day,
    sourceDate: new Date(first + i * day).toISOString().slice(0, 10),
    isAvailable: index !== null,
    pressure,
    groups: { carry, positioning: carry, market },
    marketInputs: { ...sample.marketInputs, openInterest, index },
  }));
}
const pointsOf = (days: readonly Figures[]) => marketPoints(rowsOf(days), { parameters });
const ramp = (pressures: readonly (number | null)[]): Figures[] =>
  pressures.map((pressure) => ({ pressure }));

describe('points of a market field map (M9.10)', () => {
  it('are curves of P, groups, open interest and index', () => {
    const points = pointsOf(
      [0, 0.5, 1, 1.5, 2].map((pressure, i) => ({
        pressure,
        carry: 0.5,
        market: -1.25,
        openInterest: 1_000 + 10 * i,
        index: 100 - i,
      })),
    );
    expect(points.slice(0, 4).map(({ field_pressure: p, current_read: read }) => [p, read])).toEqual(
      Array(4).fill([null, 'Needs Core Confirmation']),
    );
    expect(points.at(-1)).toMatchObject({
      date: '2024-01-05',
      field_pressure: 1,
      // 0.5² + 1.25², 0.5·(−1.25)
      E_total: 1.8125,
      R_s: -0.625,
      stored_energy: 0,
      // ln 1040 − ln 1030 at six decimals
      delta_L: 0.009662,
      price_echo: 0,
      compression: 1,
      release: null,
      current_read: 'Pressure Building',
      volume: 1_000_000,
    });
    expect(points.at(-1)?.market_inputs).toMatchObject({ open_interest: 1_040, index_price: 96 });
  });

  it('release when open interest falls with the pressure, and the read cools', () => {
    const days = ramp([0, 0, 0, 0, 0, 2, 1]).map((one, i) => ({
      ...one,
      openInterest: i === 6 ? 900 : 1_000,
    }));
    const last = pointsOf(days).at(-1);
    expect(last).toMatchObject({ field_pressure: 0.5, release: 1, compression: 0 });
    expect(last?.current_read).toBe('Pressure Cooling');
  });

  it.each([
    ['Quiet Field', [0, 1, 0, 1, 0, 0.1, 0, 0.1, 0, 0.1, 0]],
    ['Monitor', [0, 1, 0, 1, 0, 0.5, 0.4, 0.5, 0.4, 0.5, 0.5]],
    ['Pressure Building', [0, 1, 0, 0, 0, 0, 0.1, 0.2, 0.3, 0.1, 0.2]],
    ['Needs Core Confirmation', [0, 1, 0, 1, 0, null]],
    ['Needs Core Confirmation', [0, 1, 0, 1]],
  ] as const)('read %s after P %o', (read, pressures) => {
    expect(pointsOf(ramp(pressures)).at(-1)?.current_read).toBe(read);
  });

  it('of a bucket without an index have factors and no curves, and count in no window (M9.10a)', () => {
    const days = ramp([0, 1, 0, 1, 0.5]);
    const gap = { pressure: null, index: null };
    const points = pointsOf([...days.slice(0, 3), gap, ...days.slice(3)]);
    expect(points[3]).toMatchObject({
      field_pressure: null,
      E_total: null,
      delta_L: null,
      current_read: 'Needs Core Confirmation',
      volume: 1_000_000,
      factors: { funding_annualized: 0.1095 },
    });
    expect(points.at(-1)?.field_pressure).toBe(pointsOf(days).at(-1)?.field_pressure);
  });
});

const figure = fc.option(
  fc.integer({ min: -3_500_000, max: 3_500_000 }).map((n) => n / 1e6),
  { freq: 6 },
);
const anyDays = fc.array(
  fc.record({
    pressure: figure,
    carry: figure,
    market: figure,
    openInterest: fc.option(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), { freq: 9 }),
    index: fc.option(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { freq: 9 }),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('laws of a market field map', () => {
  it('curves stay within 0 and 1, never compress and release at once, and E_total ≥ 2·|R_s| (M15.54)', () => {
    fc.assert(
      fc.property(anyDays, (days) => {
        for (const point of pointsOf(days)) {
          for (const curve of [point.field_pressure, point.stored_energy, point.price_echo])
            expect(curve === null || (curve >= 0 && curve <= 1)).toBe(true);
          expect((point.compression ?? 0) * (point.release ?? 0)).toBe(0);
          if (point.E_total !== null && point.R_s !== null)
            // both are rounded to six decimals
            expect(point.E_total).toBeGreaterThanOrEqual(2 * Math.abs(point.R_s) - 2e-6);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('later rows change no earlier point, and a point needs no row before its own 35 (M15.53)', () => {
    const needed = marketPointRows(parameters);
    expect(needed).toBe(35);
    fc.assert(
      fc.property(anyDays, fc.nat(60), (days, cut) => {
        expect(pointsOf(days.slice(0, cut))).toEqual(pointsOf(days).slice(0, cut));
        const rows = rowsOf(days);
        const available = rows.filter(({ isAvailable }) => isAvailable);
        const oldest = available.at(-needed)?.start ?? Number.NEGATIVE_INFINITY;
        const near = marketPoints(
          rows.filter(({ start }) => start >= oldest),
          { parameters },
        );
        expect(near.at(-1)).toEqual(marketPoints(rows, { parameters }).at(-1));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the head of a market field map (M9.10)', () => {
  const headOf = (days: readonly Figures[]) =>
    marketFieldMap(rowsOf(days), { product: 'BTC-PERP-INTX', parameters });

  it('reads the latest point and says what to watch', () => {
    const days = ramp([0, 0.5, 1, 1.5, 2]).map((one, i) => ({ ...one, openInterest: 1_000 + i }));
    expect(headOf(days)).toMatchObject({
      product: 'BTC-PERP-INTX',
      signal: 'market_field_pressure',
      version: 'market-spectra-field-map-v1',
      source_date: '2024-01-05',
      summary: {
        current_read: 'Pressure Building',
        watch_next: ['release of the current compression', 'basis sign change'],
      },
      chart_label_authority: { owner: 'api', labels: { field_pressure: 'Field pressure' } },
    });
    const falling = ramp([0, 0, 0, 0, 0, 2, 1]).map((one, i) => ({ ...one, openInterest: 1_000 - i }));
    expect(headOf(falling).summary.watch_next).toContain('whether open interest keeps falling');
  });

  it('waits for evidence without rows', () => {
    expect(headOf([])).toMatchObject({
      source_date: null,
      summary: {
        current_read: 'Needs Core Confirmation',
        watch_next: ['complete evidence for a pressure read'],
      },
    });
  });
});
