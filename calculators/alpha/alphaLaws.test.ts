import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cryptoUnitsBases,
  dataSources,
  debtCoverages,
  marketRegimes,
  qualityFlags,
  riskTiers,
  unrankedReasons,
  velocities,
} from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { goldenParameters as parameters } from '../../fixtures/builders/goldenSlice.ts';
import type { TowerState } from '../slice/towerState.ts';
import { type AlphaInputs, type AlphaScores, alphaScores } from './alphaScores.ts';
import { researchPosture } from './alphaSignalsOf.ts';

const usd = (value: number) => ExactDecimal.fromNumber(value);
const money = fc.nat({ max: 1_000_000 }).map(usd);
const ratio = fc.nat({ max: 3_000_000 }).map((units) => units / 1e6);
const core = { share: 0.9, word: 'core' } as const;
const signed = fc.integer({ min: -400_000, max: 400_000 }).map((units) => units / 1e6);
const zScore = fc.integer({ min: -35_000, max: 35_000 }).map((units) => units / 1e4);
const tower: fc.Arbitrary<TowerState> = fc.oneof(
  fc.constant({ status: 'insufficient_data', coherence: null, modal: null } as const),
  fc.record({
    status: fc.constantFrom('isolated' as const, 'building' as const, 'synchronized' as const),
    coherence: fc.constant(0.5),
    modal: fc.constantFrom(...velocities),
  }),
);
const ranked = fc.oneof(
  fc.record({
    percentile: fc.nat({ max: 10_000 }).map((units) => units / 100),
    unrankedReason: fc.constant(null),
  }),
  fc.record({ percentile: fc.constant(null), unrankedReason: fc.constantFrom(...unrankedReasons) }),
);
const inputs: fc.Arbitrary<AlphaInputs> = fc
  .tuple(
    fc.record({
      isStressPresent: fc.boolean(),
      stress50: ratio,
      stress70: ratio,
      delta24h: fc.option(signed),
      delta7d: fc.option(signed),
      ecs: fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 }).map((units) => units / 1e6)),
      ownZ: fc.option(zScore),
      mpZ: fc.option(zScore),
      velocity: fc.option(fc.constantFrom(...velocities)),
      debt: fc.option(money),
      crypto: fc.option(money),
      assets: fc.option(money),
      regime: fc.option(fc.constantFrom(...marketRegimes)),
      coverage: fc.constantFrom(...debtCoverages),
      dataSource: fc.constantFrom(...dataSources),
      quality: fc.constantFrom(...qualityFlags),
      unitsBasis: fc.constantFrom(...cryptoUnitsBases),
      coreTier: fc.constantFrom('Coil' as const, 'Oscillator' as const, 'Tower' as const),
      tower,
    }),
    ranked,
  )
  .map(([some, rank]) => ({ ...some, ...rank }));
const score = (of: AlphaInputs) => alphaScores(of, parameters);

/** Every part and total of an answer. */
function components(scores: AlphaScores): number[] {
  return [
    scores.alpha,
    ...Object.values(scores.breakdown),
    ...Object.values(scores.debtCleanliness.parts),
    ...Object.values(scores.stressResilience.parts),
    ...Object.values(scores.regimeFit.parts),
    ...Object.values(scores.treasury.parts),
  ];
}

function expectNowhereHigher(lower: AlphaInputs, higher: AlphaInputs) {
  const [a, b] = [components(score(lower)), components(score(higher))];
  a.forEach((value, i) => {
    expect(value).toBeLessThanOrEqual(b[i] ?? Number.NaN);
  });
}

describe('alpha', () => {
  it('never rewards what is missing (M15.36)', () => {
    const missing: Partial<AlphaInputs>[] = [
      { isStressPresent: false },
      { delta24h: null },
      { delta7d: null },
      { ecs: null },
      { ownZ: null },
      { mpZ: null },
      { velocity: null },
      { crypto: null },
      { assets: null },
      { regime: null },
      { coreTier: null },
      { dataSource: null },
      { quality: null },
      { tower: { status: 'insufficient_data', coherence: null, modal: null } },
      { percentile: null, unrankedReason: 'no_crypto' },
      { percentile: null, unrankedReason: 'no_row' },
    ];
    fc.assert(
      fc.property(inputs, fc.constantFrom(...missing), (some, gap) => {
        expectNowhereHigher({ ...some, ...gap }, some);
      }),
      { numRuns: 1000 },
    );
  });

  it('consists of integers 0 to 100 and a quarter of their sum (M15.37)', () => {
    fc.assert(
      fc.property(inputs, (some) => {
        const scores = score(some);
        for (const value of components(scores)) {
          expect(Number.isInteger(value) && value >= 0 && value <= 100).toBe(true);
        }
        const sum = Object.values(scores.breakdown).reduce((total, value) => total + value, 0);
        expect(scores.alpha).toBe(Math.floor(sum / 4));
      }),
    );
  });

  it('weighs the published parts to the published scores (M15.38)', () => {
    const mean = (weights: readonly number[], parts: object) =>
      Math.floor(
        (Object.values(parts).reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0) + 50) / 100,
      );
    fc.assert(
      fc.property(inputs, (some) => {
        const scores = score(some);
        expect(scores.stressResilience.score).toBe(mean([50, 15, 20, 15], scores.stressResilience.parts));
        expect(scores.regimeFit.score).toBe(mean([45, 25, 15, 15], scores.regimeFit.parts));
        expect(scores.treasury.score).toBe(mean([40, 40, 20], scores.treasury.parts));
        const { coverage, source, quality } = scores.debtCleanliness.parts;
        expect(scores.debtCleanliness.score).toBe(coverage + source + quality);
      }),
    );
  });

  it('scores no stress that is missing, and asks for a review (M15.39)', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...riskTiers), (some, riskTier) => {
        const scores = score({ ...some, isStressPresent: false });
        expect(scores.stressResilience.score).toBe(0);
        expect(scores.regimeFit.parts.stress_alignment).toBe(0);
        const position = {
          isStressPresent: false,
          quality: 'High',
          isAnomalous: false,
          relevance: core,
        } as const;
        expect(researchPosture({ alpha: scores.alpha, riskTier, position }, parameters)).toBe(
          'data_review_required',
        );
      }),
    );
  });

  it('never rises with stress, with its motion or with own stress (M15.40)', () => {
    const worse = fc.nat({ max: 2_000_000 }).map((units) => units / 1e6);
    fc.assert(
      fc.property(
        inputs,
        worse,
        fc.constantFrom('stress50', 'stress70', 'delta24h', 'delta7d', 'ownZ'),
        (some, by, name) => {
          const value = some[name];
          if (value === null) return;
          const more = Number((value + by).toFixed(6));
          expectNowhereHigher({ ...some, [name]: more }, some);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never falls with what is better (M15.41)', () => {
    const steps: ((some: AlphaInputs, by: number) => Partial<AlphaInputs>)[] = [
      ({ ecs }, by) => ({ ecs: ecs === null ? null : Math.min(1, Number((ecs + by).toFixed(6))) }),
      ({ percentile }, by) => ({
        percentile: percentile === null ? null : Math.min(100, Number((percentile + by).toFixed(2))),
      }),
      ({ assets }) => ({ assets: assets === null ? null : usd(Math.ceil(assets.toNumber() / 2)) }),
      ({ debt }) => ({ debt: debt === null ? null : usd(Math.floor(debt.toNumber() / 2)) }),
      () => ({ unitsBasis: 'reported_quantity' }),
      () => ({ dataSource: 'linkbase_rollup' }),
      ({ quality }) => ({ quality: quality === 'Low' ? 'Medium' : 'High' }),
      ({ coreTier }) => ({ coreTier: coreTier === 'Coil' ? 'Oscillator' : 'Tower' }),
    ];
    fc.assert(
      fc.property(
        inputs,
        fc.constantFrom(...steps),
        fc.nat({ max: 1_000_000 }).map((units) => units / 1e6),
        (some, step, by) => {
          const better = step(some, by);
          // assets of zero are missing, and one is not
          if (better.assets !== undefined && some.assets?.sign === 0) return;
          expectNowhereHigher(some, { ...some, ...better });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('never rises as the regime worsens (M15.42)', () => {
    const order = [
      ...(['bullish_low_vol', 'bullish_rising_vol', 'neutral'] as const),
      ...(['bearish_falling_vol', 'bearish_high_vol', 'high_synchronization_risk'] as const),
    ];
    fc.assert(
      fc.property(inputs, (some) => {
        order.slice(1).forEach((regime, i) => {
          expectNowhereHigher({ ...some, regime }, { ...some, regime: order[i] ?? null });
        });
      }),
    );
  });

  it('calls a candidate only what is LOW and scores 70, and a watch only what is stressed (M15.45)', () => {
    const graded = fc.record({
      isStressPresent: fc.boolean(),
      quality: fc.constantFrom(...qualityFlags),
      isAnomalous: fc.boolean(),
      relevance: fc.constant(core),
    });
    fc.assert(
      fc.property(
        fc.nat({ max: 100 }),
        fc.constantFrom(...riskTiers),
        graded,
        (alpha, riskTier, position) => {
          const posture = researchPosture({ alpha, riskTier, position }, parameters);
          if (posture === 'resilience_candidate') expect([riskTier, alpha >= 70]).toEqual(['LOW', true]);
          if (posture === 'stress_watch') expect(['HIGH', 'CRITICAL']).toContain(riskTier);
        },
      ),
    );
  });

  it('rounds an exact half up where a double would not (M5.1)', () => {
    const half: AlphaInputs = {
      isStressPresent: true,
      stress50: 0.995,
      stress70: 1,
      delta24h: 0,
      delta7d: 0,
      ecs: 0.285,
      ownZ: 0,
      mpZ: 0,
      velocity: 'stable',
      debt: usd(0),
      crypto: usd(5),
      assets: usd(1000),
      regime: 'neutral',
      percentile: 64.5,
      unrankedReason: null,
      coverage: 'resolved_nonzero',
      dataSource: 'linkbase_rollup',
      quality: 'High',
      unitsBasis: 'unavailable',
      coreTier: 'Coil',
      tower: { status: 'insufficient_data', coherence: null, modal: null },
    };
    const { stressResilience, regimeFit, treasury } = score(half);
    expect(stressResilience.parts).toMatchObject({ inverse_live_stress: 1, treasury_cushion: 29 });
    expect(regimeFit.parts.peer_relative_strength).toBe(65);
    expect(treasury.parts.asset_ratio).toBe(1);
  });
});
