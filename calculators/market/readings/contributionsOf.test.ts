import { describe, expect, it } from 'vitest';
import { marketRow } from '../../../fixtures/builders/marketRow.ts';
import { constituent, registryVersion } from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import type { BasketMember } from '../baskets/basketFigures.ts';
import { registryWeights } from '../baskets/product.ts';
import { constituentReturns } from '../factors/contractFactors.ts';
import type { FactorRow, ZScores } from '../factors/factorRow.ts';
import { pressureOf } from '../factors/pressureOf.ts';
import { contributionsOf } from './contributionsOf.ts';

const parameters = registryParameters;
const zScores: ZScores = {
  funding_annualized: 1.2,
  basis_bps: 0.8,
  oi_change_24h: 1.5,
  turnover: -0.5,
  vol_ratio: 2,
  momentum_30d: -1,
  breadth: -0.6,
};
/** z of breadth = (b − 0.7667)/(1.486·0.0748) ≈ −0.6 at 0.70. */
const section = { n: 90, median: 0.766_692, mad: 0.0748, meanDeviation: 0.1 };

/** The basket of M8.19 with what a test changes. */
function rowOf({
  weights = [0.5, 0.3, 0.2],
  returns = [0.04, -0.02, 0.01],
  perpReturn = 0.02,
  z = zScores,
  ...more
}: {
  readonly weights?: readonly (number | null)[];
  readonly returns?: readonly (number | null)[];
  readonly perpReturn?: number | null;
  readonly z?: ZScores;
  readonly mad?: number;
} = {}): FactorRow {
  const version = registryVersion({
    constituents: weights.map((weight, i) => constituent(`C${i}`, { weight })),
  });
  const registered = registryWeights(version, parameters);
  const prices = returns.map((return7d) => ({ close: 1, staleMinutes: 0, return7d }));
  const members: BasketMember[] | null = registered.isValid
    ? registered.rows.map(({ weight }, i) => ({ weight: weight ?? 0, return7d: returns[i] ?? null }))
    : null;
  const { unrounded, attribution } = pressureOf(z);
  return marketRow({
    attribution,
    ...constituentReturns(
      { version, weights: registered, prices, members, figures: null },
      {
        zScores: z,
        pressureUnrounded: unrounded,
        breadthSection: { ...section, mad: more.mad ?? section.mad },
        perpReturn,
        parameters,
      },
    ),
  });
}

describe('attribution to constituents (M8.12, M8.13)', () => {
  it('adds up to the return of the contract with its residual (M8.19)', () => {
    const { status, basis, rows, tracking_residual: residual } = contributionsOf(rowOf(), parameters);
    expect([status, basis]).toEqual(['available', 'returns']);
    expect(rows.map(({ ticker, weight, contribution }) => [ticker, weight, contribution])).toEqual([
      ['C0', 0.5, expect.closeTo(0.02, 12)],
      ['C1', 0.3, expect.closeTo(-0.006, 12)],
      ['C2', 0.2, expect.closeTo(0.002, 12)],
    ]);
    expect(residual).toBeCloseTo(0.004, 12);
  });

  it('leaves one out on the yardstick of the published window (M8.13a)', () => {
    const row = rowOf();
    // without C0 breadth is 0.4: z = (0.4 − 0.766692)/(1.486·0.0748) = −3.2990; P moves by (−3.2990 + 0.6)/9
    expect(row.returns.rows.map(({ leaveOneOut }) => leaveOneOut)).toEqual([
      expect.closeTo((-3.299 + 0.6) / 9, 5),
      // without C1 breadth is 1: z = 2.0990
      expect.closeTo((2.099 + 0.6) / 9, 5),
      // without C2 breadth is 0.625: z = −1.2747
      expect.closeTo((-1.2747 + 0.6) / 9, 5),
    ]);
    expect(row.maxLeaveOneOut).toBe(Math.abs(row.returns.rows[1]?.leaveOneOut ?? 0));
  });

  it('flags a claim beyond its bound, and a pressure that hangs on one name', () => {
    expect(contributionsOf(rowOf(), parameters).flags).toEqual([]);
    // breadth adds 0.35 to P; without a member of no weight nothing changes, without C1 little
    const wide = rowOf({
      z: { ...zScores, breadth: -3.15 },
      weights: [0.9, 0.1, 0],
      returns: [-0.1, -0.2, 0],
    });
    expect(contributionsOf(wide, parameters).flags).toContain('attribution_exceeds_bound');
    const row = rowOf();
    expect(contributionsOf({ ...row, maxLeaveOneOut: 0.749999 }, parameters).flags).toEqual([]);
    expect(contributionsOf({ ...row, maxLeaveOneOut: 0.75 }, parameters).flags).toEqual([
      'single_name_sensitive',
    ]);
  });

  it('is partial where a constituent has no return, and its bound is not known', () => {
    const {
      status,
      rows,
      tracking_residual: residual,
    } = contributionsOf(rowOf({ returns: [0.04, null, 0.01] }), parameters);
    expect(status).toBe('partial');
    expect(rows[1]).toMatchObject({ contribution: null, leave_one_out: null });
    expect(residual).toBeCloseTo(0.02 - 0.022, 12);
  });

  it('rests on weights alone without a return of the contract or with weights that are not valid', () => {
    for (const row of [rowOf({ perpReturn: null }), rowOf({ weights: [0.5, null, 0.2] })])
      expect(contributionsOf(row, parameters)).toMatchObject({
        status: 'partial',
        basis: 'weights_only',
        tracking_residual: null,
        rows: Array(3).fill({ contribution: null }),
      });
  });

  it('is unavailable without a registry or a weight', () => {
    const none = { status: 'unavailable', basis: 'none', tracking_residual: null, flags: [] };
    const bare = marketRow({
      returns: { rows: [], perpReturn: 0.02, trackingResidual: null },
      maxLeaveOneOut: null,
    });
    expect(contributionsOf(bare, parameters)).toMatchObject(none);
    expect(contributionsOf(rowOf({ weights: [null, null, null] }), parameters)).toMatchObject(none);
  });

  it('bounds nothing for the only constituent, nor while P is not known', () => {
    expect(rowOf({ weights: [1], returns: [0.1] }).maxLeaveOneOut).toBeNull();
    const empty = Object.fromEntries(Object.keys(zScores).map((id) => [id, null])) as ZScores;
    expect(rowOf({ z: empty }).maxLeaveOneOut).toBeNull();
  });

  it('bounds at zero what breadth is no part of', () => {
    expect(rowOf({ z: { ...zScores, breadth: null } }).maxLeaveOneOut).toBe(0);
  });
});
