import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { goldenParameters as parameters } from '../../fixtures/builders/goldenSlice.ts';
import { add, divide, exactly, published, zero } from '../exact/fraction.ts';
import { assessStress } from '../stress/assessStress.ts';
import { stressTiers } from '../stress/stressRatio.ts';
import { rawIndicators } from './rawIndicators.ts';
import { crossSectionOf, ownZ, resonance, robustZ, standingOf, standingsOf } from './standings.ts';

const usd = (value: bigint) => new ExactDecimal(value, 0);
const amount = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(usd);
const signed = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).map(usd);
const coins = fc.bigInt({ min: 1n, max: 10n ** 12n }).map(usd);
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some);
const inputs = fc.record({
  debt: amount,
  crypto: coins,
  assets: maybe(amount),
  equity: maybe(signed),
  currentLiabilities: maybe(amount),
  cash: maybe(amount),
});
const zReturn = maybe(fc.double({ min: -3.5, max: 3.5, noNaN: true }));
const subjects = fc.array(
  fc.record({ raw: inputs.map((i) => rawIndicators(i, parameters)), zReturn, isInUniverse: fc.boolean() }),
  { maxLength: 30 },
);
const z = fc.option(fc.integer({ min: -35_000, max: 35_000 }).map((units) => units / 10_000));
const rank = (tier: string) => (stressTiers as readonly string[]).indexOf(tier);
const swapped = { Aligned: 'Dissonant', Dissonant: 'Aligned', Neutral: 'Neutral' };

describe('standing', () => {
  it('keeps z-scores within the clip and indicators within their bounds (M15.26)', () => {
    fc.assert(
      fc.property(subjects, (some) => {
        for (const standing of standingsOf(some, parameters).standings) {
          const { apZ, ecsZ, lsiZ, mpZ, raw } = standing ?? {};
          for (const score of [apZ, ecsZ, lsiZ, mpZ]) expect(Math.abs(score ?? 0)).toBeLessThanOrEqual(3.5);
          expect(raw?.ap).toBeGreaterThanOrEqual(0);
          expect(raw?.lsi ?? 0).toBeGreaterThanOrEqual(0);
          expect(Math.abs(raw?.ecs ?? 0)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('ignores a shift and a positive scale of the whole cross-section (M15.27)', () => {
    const whole = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(
        fc.array(whole, { minLength: 1, maxLength: 30 }),
        whole,
        fc.integer({ min: 1, max: 1000 }),
        (values, shift, scale) => {
          const moved = values.map((value) => value * scale + shift);
          const [before, after] = [crossSectionOf(values), crossSectionOf(moved)];
          if (before === null || after === null) throw new Error('a cross-section of some values');
          values.forEach((value, i) => {
            const other = robustZ(moved[i] ?? 0, after, parameters);
            expect(other).toBeCloseTo(robustZ(value, before, parameters), 9);
          });
        },
      ),
    );
  });

  it('reads resonance from two signs, and from none below the threshold (M15.28, M15.3)', () => {
    const minus = (value: number | null) => (value === null ? null : -value);
    fc.assert(
      fc.property(z, z, (own, market) => {
        const status = resonance({ own, market }, parameters);
        expect(resonance({ own: minus(own), market: minus(market) }, parameters)).toBe(status);
        expect(resonance({ own: minus(own), market }, parameters)).toBe(swapped[status]);
        if (Math.abs(market ?? 0) < 1 || !own) expect(status).toBe('Neutral');
      }),
    );
  });

  it('never grades an issuer better for more debt against a fixed slice (M15.23)', () => {
    fc.assert(
      fc.property(inputs, amount, zReturn, subjects, (one, more, market, others) => {
        const { statistics } = standingsOf(others, parameters);
        const graded = (debt: ExactDecimal) => {
          const raw = rawIndicators({ ...one, debt }, parameters);
          const standing = standingOf({ raw, zReturn: market, isInUniverse: true }, statistics, parameters);
          const mix = [{ asset: 'BTC', amount: usd(1n) }];
          const position = { debt, crypto: one.crypto, equity: one.equity, mix };
          return assessStress(position, { proof: 'proven', unclassified: false, standing, parameters });
        };
        const [before, after] = [graded(one.debt), graded(one.debt.plus(more))];
        expect(rank(after.riskTier)).toBeGreaterThanOrEqual(rank(before.riskTier));
      }),
    );
  });

  it('makes a tier one notch worse at most, for debt and a reason only (M15.24)', () => {
    fc.assert(
      fc.property(inputs, z, z, (one, ownZ, mpZ) => {
        const raw = rawIndicators(one, parameters);
        const status = resonance({ own: ownZ, market: mpZ }, parameters);
        const standing = {
          raw,
          ownZ,
          mpZ,
          apZ: null,
          ecsZ: null,
          lsiZ: null,
          stZ: null,
          resonance: status,
          notes: [],
        };
        const position = { ...one, mix: [{ asset: 'BTC', amount: usd(1n) }] };
        const assess = (compared: typeof standing | null) =>
          assessStress(position, {
            proof: 'proven' as const,
            unclassified: false,
            parameters,
            standing: compared,
          });
        const [plain, compared] = [assess(null), assess(standing)];
        expect([0, 1]).toContain(rank(compared.riskTier) - rank(plain.riskTier));
        const isAdverse = status === 'Aligned' && (mpZ ?? 0) >= 1 && (ownZ ?? 0) >= 1 && one.debt.sign > 0;
        expect(compared.tierReasons.includes('adverse_resonance')).toBe(isAdverse);
        if (one.debt.sign === 0) expect(compared.tierReasons).toEqual([]);
      }),
    );
  });

  it('moves equity with the coins only, and has no cushion without it (M15.33)', () => {
    fc.assert(
      fc.property(inputs, (one) => {
        expect(rawIndicators({ ...one, equity: null }, parameters).ecs).toBeNull();
        expect(rawIndicators({ ...one, assets: null }, parameters).ecs).toBeNull();
      }),
    );
  });
});

describe('a cross-section that says little', () => {
  const raw = rawIndicators(
    {
      debt: usd(10n),
      crypto: usd(100n),
      assets: usd(200n),
      equity: usd(90n),
      currentLiabilities: usd(30n),
      cash: null,
    },
    parameters,
  );
  const same = (n: number) => Array.from({ length: n }, () => ({ raw, zReturn: 1, isInUniverse: true }));

  it('gives no z of an indicator below twelve issuers, and says so (M3.15)', () => {
    const [standing] = standingsOf(same(11), parameters).standings;
    expect(standing).toMatchObject({
      apZ: null,
      ecsZ: null,
      lsiZ: null,
      ownZ: null,
      mpZ: -0.5,
      stZ: -0.5,
      resonance: 'Neutral',
      notes: ['z_universe_small', 'own_z_partial'],
    });
  });

  it('gives 0 where all issuers are equal (M3.15)', () => {
    const [standing] = standingsOf(same(12), parameters).standings;
    expect(standing).toMatchObject({ apZ: 0, ecsZ: 0, lsiZ: 0, ownZ: 0, stZ: -0.125, notes: [] });
  });

  it('falls back on the mean deviation where the MAD is 0 (M3.15)', () => {
    const section = crossSectionOf([0, 0, 0, 0, 4]);
    expect(section).toEqual({ n: 5, median: 0, mad: 0, meanDeviation: 0.8 });
    expect(section && robustZ(1, section, parameters)).toBeCloseTo(1 / (1.253314 * 0.8), 12);
    expect(section && robustZ(100, section, parameters)).toBe(3.5);
  });

  it('caps what would be infinite, and takes missing cash for none (M3.13)', () => {
    const at = (input: object) =>
      rawIndicators(
        {
          debt: usd(0n),
          crypto: usd(1n),
          assets: null,
          equity: null,
          currentLiabilities: null,
          cash: null,
          ...input,
        },
        parameters,
      );
    expect(at({ debt: usd(10n ** 9n) }).ap).toBe(Math.log1p(1000));
    expect(at({ currentLiabilities: usd(10n ** 9n) }).lsi).toBe(Math.log1p(100));
    expect(at({ currentLiabilities: usd(1n), crypto: usd(2n) }).lsi).toBe(Math.log1p(1));
    expect(at({ assets: usd(1n), equity: usd(1n), crypto: usd(2n) }).ecs).toBe(-1);
    expect(at({}).cryptoShare).toBeNull();
  });
});

describe('own stress (M3.16)', () => {
  const z = fc.option(fc.integer({ min: -35_000, max: 35_000 }).map((n) => n / 1e4));

  it('is the exact mean of the components that are there, half up at 4 decimals', () => {
    fc.assert(
      fc.property(z, z, z, (ap, ecs, lsi) => {
        const parts = [ap, ecs === null ? null : -ecs, lsi].filter((part) => part !== null);
        const sum = parts.map((part) => exactly(part)).reduce(add, zero);
        const expected = parts.length === 0 ? null : published(divide(sum, exactly(parts.length)), 4);
        expect(ownZ({ ap, ecs, lsi })).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [{ ap: 0.0001, ecs: null, lsi: 0.0002 }, 0.0002],
    [{ ap: -0.0001, ecs: 0.0002, lsi: null }, -0.0002],
    [{ ap: -0.0001, ecs: 0, lsi: 0 }, 0],
    [{ ap: 0.00005, ecs: null, lsi: null }, 0.0001],
  ])('of %o is %d', (components, expected) => {
    expect(ownZ(components)).toBe(expected);
  });
});
