import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundHalfUp } from '../../exact/decimals.ts';
import { inputIds, type ZScores } from './factorRow.ts';
import { pressureOf } from './pressureOf.ts';

/** The worked mini-case of M8.19. */
const worked: ZScores = {
  funding_annualized: 1.2,
  basis_bps: 0.8,
  oi_change_24h: 1.5,
  turnover: -0.5,
  vol_ratio: 2,
  momentum_30d: -1,
  breadth: -0.6,
};
const z = fc.option(
  fc.integer({ min: -35_000, max: 35_000 }).map((n) => n / 10_000),
  { freq: 4 },
);

describe('pressure (M8.9–M8.11)', () => {
  it('gives the digits of the worked case (M8.19)', () => {
    const { groups, unrounded, attribution } = pressureOf(worked);
    expect(groups).toEqual({ carry: 1, positioning: 1, market: 1.2 });
    expect(unrounded).toBeCloseTo(16 / 15, 12);
    expect(
      Object.fromEntries(attribution.map((part) => [part.factor, roundHalfUp(part.contribution, 6)])),
    ).toEqual({
      funding_annualized: 0.2,
      basis_bps: 0.133333,
      oi_change_24h: 0.25,
      turnover: 0.083333,
      vol_ratio: 0.222222,
      momentum_30d: 0.111111,
      breadth: 0.066667,
    });
  });

  it('agrees with the published golden vector wherever it is at hand', (ctx) => {
    const golden = new URL('../../../../shared/spec/golden.json', import.meta.url);
    if (!existsSync(golden)) ctx.skip('../shared/spec/golden.json is not there to compare with');
    const { perps } = JSON.parse(readFileSync(golden, 'utf8')) as {
      perps: { pressure: { z: Record<string, number>; groups: object; P: number; attribution: object } };
    };
    const names = ['funding', 'basis', 'oi', 'turnover', 'volratio', 'momentum30', 'breadth'];
    const named = Object.fromEntries(inputIds.map((id, i) => [id, perps.pressure.z[names[i] ?? '']]));
    const { groups, unrounded, attribution } = pressureOf(named as ZScores);
    expect(groups).toEqual(perps.pressure.groups);
    expect(roundHalfUp(unrounded ?? Number.NaN, 6)).toBe(perps.pressure.P);
    expect(
      Object.fromEntries(
        attribution.map(({ factor, contribution }) => [
          names[inputIds.indexOf(factor)],
          roundHalfUp(contribution, 6),
        ]),
      ),
    ).toEqual(perps.pressure.attribution);
  });

  it('is the mean of the groups that have a member', () => {
    const none: ZScores = {
      ...worked,
      funding_annualized: null,
      basis_bps: null,
      oi_change_24h: null,
      momentum_30d: null,
      breadth: null,
    };
    expect(pressureOf(none)).toEqual({
      groups: { carry: null, positioning: 0.5, market: 2 },
      unrounded: 1.25,
      attribution: [
        { factor: 'turnover', contribution: 0.25 },
        { factor: 'vol_ratio', contribution: 1 },
      ],
    });
  });

  it('is null without any input', () => {
    const nothing = { ...worked, ...Object.fromEntries(inputIds.map((id) => [id, null])) };
    expect(pressureOf(nothing)).toEqual({
      groups: { carry: null, positioning: null, market: null },
      unrounded: null,
      attribution: [],
    });
  });

  it('is the sum of its parts within 1e-9 whatever is missing (M15.50)', () => {
    fc.assert(
      fc.property(fc.tuple(z, z, z, z, z, z, z), (values) => {
        const scores = Object.fromEntries(inputIds.map((id, i) => [id, values[i] ?? null])) as ZScores;
        const { unrounded, attribution } = pressureOf(scores);
        const sum = attribution.reduce((total, { contribution }) => total + contribution, 0);
        expect(attribution.length).toBe(values.filter((value) => value !== null).length);
        expect(Math.abs(sum - (unrounded ?? 0))).toBeLessThan(1e-9);
      }),
      { numRuns: 500 },
    );
  });
});
