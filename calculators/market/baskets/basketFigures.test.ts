import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constituent } from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { roundHalfUp } from '../../exact/decimals.ts';
import { type BasketMember, basketFigures, breadthWithout } from './basketFigures.ts';
import { registryWeights } from './product.ts';

const parameters = registryParameters;
const { pricedWeight } = parameters.perps.coverage;
const figuresOf = (members: readonly BasketMember[]) => basketFigures(members, { pricedWeight });
const worked: readonly BasketMember[] = [
  { weight: 0.5, return7d: 0.04 },
  { weight: 0.3, return7d: -0.02 },
  { weight: 0.2, return7d: 0.01 },
];

describe('a basket (M8.4, M8.19)', () => {
  it('has the worked figures', () => {
    const { breadth, breadthCount, hhi, nEff, dispersion } = figuresOf(worked);
    expect([breadth, breadthCount]).toEqual([expect.closeTo(0.7, 12), expect.closeTo(2 / 3, 12)]);
    expect([hhi, nEff]).toEqual([expect.closeTo(0.38, 12), expect.closeTo(2.631578947, 8)]);
    // Σ w·(r − 0.016)² = 0.5·0.024² + 0.3·0.036² + 0.2·0.006²
    expect(dispersion).toBeCloseTo(Math.sqrt(0.000684), 12);
    expect(breadthWithout(worked, 0)).toBeCloseTo(0.4, 12);
  });

  it('agrees with the published golden vector wherever it is at hand', (ctx) => {
    const golden = new URL('../../../../shared/spec/golden.json', import.meta.url);
    if (!existsSync(golden)) ctx.skip('../shared/spec/golden.json is not there to compare with');
    const { perps } = JSON.parse(readFileSync(golden, 'utf8')) as {
      perps: { constituents: Record<string, number> & { weights: number[]; returns_7d: number[] } };
    };
    const { weights, returns_7d: returns, ...given } = perps.constituents;
    const members = weights.map((weight, i) => ({ weight, return7d: returns[i] ?? null }));
    const { breadth, hhi, nEff } = figuresOf(members);
    expect(roundHalfUp(breadth ?? 0, 6)).toBe(given['breadth']);
    expect(roundHalfUp(hhi ?? 0, 6)).toBe(given['hhi']);
    expect(roundHalfUp(nEff ?? 0, 4)).toBe(given['n_eff']);
    const without = breadthWithout(members, 0) ?? 0;
    expect(roundHalfUp(without, 6)).toBe(given['breadth_without_first']);
    expect(roundHalfUp((breadth ?? 0) - without, 6)).toBe(given['loo_breadth_first']);
  });

  it('is judged by the members with a return while they are nine tenths of the weight (M8.4b)', () => {
    const without = (weight: number): BasketMember[] => [
      { weight: (1 - weight) / 2, return7d: 0.1 },
      { weight: (1 - weight) / 2, return7d: -0.1 },
      { weight, return7d: null },
    ];
    expect(figuresOf(without(0.1))).toMatchObject({ breadth: expect.closeTo(0.5, 12), breadthCount: 0.5 });
    expect(figuresOf(without(0.1)).dispersion).toBeCloseTo(0.1, 12);
    expect(figuresOf(without(0.11))).toMatchObject({ breadth: null, breadthCount: null, dispersion: null });
    expect(figuresOf(without(0.11)).hhi).toBeGreaterThan(0);
  });

  it('of one member has no breadth, dispersion or concentration (M8.4f: BTC)', () => {
    const none = { hhi: null, nEff: null, breadth: null, breadthCount: null, dispersion: null };
    expect(figuresOf([{ weight: 1, return7d: 0.1 }])).toEqual(none);
    const two = figuresOf([
      { weight: 0.5, return7d: 0.1 },
      { weight: 0.5, return7d: -0.1 },
    ]);
    expect(two).toMatchObject({ hhi: 0.5, nEff: 2, breadth: 0.5, breadthCount: 0.5 });
  });

  it('counts a return of zero as no rise', () => {
    const still = { weight: 0.5, return7d: 0 };
    expect(figuresOf([still, still]).breadth).toBe(0);
  });

  it('has nothing left without its only member', () => {
    expect(breadthWithout([{ weight: 1, return7d: 0.1 }], 0)).toBeNull();
  });
});

describe('weights (M8.6)', () => {
  const weightsOf = (weights: readonly (number | null)[]) =>
    registryWeights(
      { constituents: weights.map((weight, i) => constituent(`C${i}`, { weight })) },
      parameters,
    );

  it('are taken as they are within a millionth of one, and divided by their sum beyond', () => {
    expect(weightsOf([0.6, 0.4])).toMatchObject({ isValid: true, isRenormalised: false, total: 1 });
    expect(weightsOf([0.6, 0.400001])).toMatchObject({ isRenormalised: false });
    const rounded = weightsOf([0.6, 0.3999]);
    expect(rounded).toMatchObject({ isValid: true, isRenormalised: true });
    expect(rounded.rows[0]?.weight).toBeCloseTo(0.6 / 0.9999, 12);
    expect(rounded.total).toBeCloseTo(1, 12);
  });

  it.each([
    ['one is missing', [0.5, null]],
    ['one is negative', [1.5, -0.5]],
    ['one is no number', [1, Number.NaN]],
    ['all are zero', [0, 0]],
    ['there is none', []],
  ])('are not valid where %s', (_, weights) => {
    expect(weightsOf(weights)).toMatchObject({ isValid: false, isRenormalised: false });
  });

  it('are not valid where a constituent stands twice; a coin and a stock may share a symbol', () => {
    const twice = [constituent('STX', { weight: 0.5 }), constituent('STX', { weight: 0.5 })];
    expect(registryWeights({ constituents: twice }, parameters).isValid).toBe(false);
    const both = [constituent('STX', { weight: 0.5 }), constituent('STX', { weight: 0.5, kind: 'stock' })];
    expect(registryWeights({ constituents: both }, parameters).isValid).toBe(true);
  });

  it('map what is stated: half a list maps half a basket, a stock without a CIK nothing (M8.14a)', () => {
    expect(weightsOf([0.3, 0.2]).mappedWeight).toBe(0.5);
    expect(weightsOf([0.8, 0.7]).mappedWeight).toBe(1);
    const stocks = [
      constituent('NVDA', { kind: 'stock', cik: '0001045810', weight: 0.6 }),
      constituent('XXXX', { kind: 'stock', weight: 0.4 }),
    ];
    expect(registryWeights({ constituents: stocks }, parameters).mappedWeight).toBe(0.6);
  });
});

it('concentration and breadth keep their bounds, and the scale of the weights changes nothing (M15.52)', () => {
  const members = fc.array(
    fc.record({
      weight: fc.integer({ min: 1, max: 1_000 }),
      return7d: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
    { minLength: 2, maxLength: 30 },
  );
  fc.assert(
    fc.property(members, fc.double({ min: 0.001, max: 1_000, noNaN: true }), (rows, scale) => {
      const figures = (by: number) => {
        const weights = registryWeights(
          { constituents: rows.map(({ weight }, i) => constituent(`C${i}`, { weight: weight * by })) },
          parameters,
        );
        return figuresOf(
          weights.rows.map(({ weight }, i) => ({
            weight: weight ?? 0,
            return7d: rows[i]?.return7d ?? null,
          })),
        );
      };
      const [one, scaled] = [figures(1), figures(scale)];
      expect(one.hhi).toBeGreaterThanOrEqual(1 / rows.length - 1e-12);
      expect(one.hhi).toBeLessThanOrEqual(1 + 1e-12);
      expect(one.breadth).toBeGreaterThanOrEqual(0);
      expect(one.breadth).toBeLessThanOrEqual(1);
      for (const name of ['hhi', 'nEff', 'breadth', 'breadthCount', 'dispersion'] as const)
        expect(scaled[name]).toBeCloseTo(one[name] ?? Number.NaN, 4);
    }),
    { numRuns: 300 },
  );
});
