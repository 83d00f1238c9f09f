import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parameters, row } from '../../fixtures/builders/fieldMapRows.ts';
import { fieldPoints, rollingMinMax } from './fieldCurves.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { priceEchoes } from './issuerPoints.ts';
import { bandsOf } from './pointDigest.ts';

const limits = { points: 30, minPoints: 5 };
const noPrices = { close: () => null, closeOn: () => null, refused: () => [], isMissing: () => false };
const pointsOf = (rows: readonly FieldMapRow[]) =>
  fieldPoints(rows, { parameters, priceEchoes: priceEchoes(rows, { window: limits, prices: noPrices }) });

describe('rollingMinMax (M9.3)', () => {
  it('places a value between the least and greatest of its window, from the fifth value on', () => {
    expect(rollingMinMax([4, 2, 3, 1, 2, 1], limits)).toEqual([null, null, null, null, 0.333333, 0]);
  });

  it('is null without a value, and counts only values towards the five', () => {
    expect(rollingMinMax([1, null, 2, 3, null, 4, 5], limits)).toEqual([...Array(6).fill(null), 1]);
  });

  it('is 0 where the least is the greatest', () => {
    expect(rollingMinMax([7, 7, 7, 7, 7], limits).at(-1)).toBe(0);
  });

  it('looks back thirty available points, its own included', () => {
    const values = [100, ...Array.from({ length: 29 }, () => 0), 50];
    expect(rollingMinMax(values.slice(0, 30), limits).at(-1)).toBe(0);
    // the 100 has left the window
    expect(rollingMinMax(values, limits).at(-1)).toBe(1);
  });
});

describe('fieldPoints (M9.4)', () => {
  // st_z 0 0 0 0 then as given: the fifth point is the first with a pressure
  const five = (more: readonly Partial<FieldMapRow>[]) =>
    pointsOf([...[0, 1, 2, 3].map((i) => row(i)), ...more.map((m, i) => row(4 + i, m))]);

  it('squares and multiplies published z-scores exactly', () => {
    const [point] = pointsOf([row(0, { ownZ: -0.2053, mpZ: 2.5755 })]);
    // 0.04214809 + 6.63320025, -0.52875015
    expect(point).toMatchObject({ E_total: 6.675348, R_s: -0.52875 });
    expect(pointsOf([row(0, { mpZ: null })])[0]).toMatchObject({ E_total: null, R_s: null });
  });

  it('compresses where pressure is 0.70 or more and stress rose', () => {
    const last = (stZ: number, stress: number) =>
      five([{ stZ: 1 }, { stZ, stress }]).map(({ compression }) => compression);
    expect(last(0.7, 0.500001).at(-1)).toBe(1);
    expect(last(0.7, 0.5).at(-1)).toBe(0);
    expect(last(0.699, 0.6).at(-1)).toBe(0);
    expect(last(0.7, 0.6).slice(0, 4)).toEqual([null, null, null, null]);
  });

  it('releases where stress fell and pressure fell by 0.15 or more since the previous point', () => {
    const last = (stZ: number, stress: number) =>
      five([{ stZ: 1 }, { stZ, stress }]).map(({ release }) => release);
    expect(last(0.85, 0.4).at(-1)).toBe(1);
    expect(last(0.8501, 0.4).at(-1)).toBe(0);
    expect(last(0.5, 0.5).at(-1)).toBe(0);
    // at the first point with a pressure nothing is known of the point before
    expect(last(0.5, 0.4)[4]).toBeNull();
  });

  it('keeps a missing value null and its flags with it, and goes on after it', () => {
    const points = five([{ stZ: 1 }, { stZ: null, stress: null }, { stZ: 1, stress: 0.9 }]);
    expect(points[5]).toMatchObject({ field_pressure: null, delta_L: null, compression: null });
    expect(points[6]).toMatchObject({ field_pressure: 1, delta_L: null, compression: null, release: null });
  });
});

describe('bandsOf (M9.6)', () => {
  it('joins consecutive points with the flag; 0 and null end a band', () => {
    const points = ([1, 1, 0, 1, null, 1] as const).map((compression, i) => ({
      date: `2026-01-0${i + 1}`,
      compression,
    }));
    expect(bandsOf(points, 'compression')).toEqual([
      { from: '2026-01-01', to: '2026-01-02', points: 2 },
      { from: '2026-01-04', to: '2026-01-04', points: 1 },
      { from: '2026-01-06', to: '2026-01-06', points: 1 },
    ]);
  });
});

const z = fc.option(fc.integer({ min: -35_000, max: 35_000 }).map((n) => n / 10_000));
const anyRows = fc
  .array(
    fc.record({
      stZ: z,
      ownZ: z,
      mpZ: z,
      stress: fc.option(fc.integer({ min: 0, max: 2_000_000 }).map((n) => n / 1_000_000)),
      priceIndex: fc.option(fc.double({ min: 0.01, max: 100, noNaN: true })),
    }),
    { minLength: 1, maxLength: 45 },
  )
  .map((rows) => rows.map((more, i) => row(i, more)));

describe('laws', () => {
  it('changes no earlier point when later rows arrive (M15.53)', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(44), (rows, cut) => {
        expect(pointsOf(rows.slice(0, cut))).toEqual(pointsOf(rows).slice(0, cut));
      }),
    );
  });

  it('stays within 0 and 1, never compresses and releases at once, and E_total ≥ 2·|R_s| (M15.54)', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        for (const point of pointsOf(rows)) {
          for (const curve of [point.field_pressure, point.stored_energy, point.price_echo])
            expect(curve === null || (curve >= 0 && curve <= 1)).toBe(true);
          expect((point.compression ?? 0) * (point.release ?? 0)).toBe(0);
          // both sides are rounded to 6 decimals
          const { E_total: energy, R_s: reinforcement } = point;
          if (energy !== null && reinforcement !== null)
            expect(energy).toBeGreaterThanOrEqual(2 * Math.abs(reinforcement) - 2e-6);
        }
      }),
    );
  });
});
