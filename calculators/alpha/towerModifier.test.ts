import { expect, it } from 'vitest';
import {
  type CoreTier,
  coreTiers,
  type TowerStatus,
  type Velocity,
} from '../../data/contract/values/enums.ts';
import { goldenParameters as parameters } from '../../fixtures/builders/goldenSlice.ts';
import { towerModifier } from './alphaScores.ts';

const velocities: readonly (Velocity | null)[] = ['rising', 'stable', 'falling', null];

/** core tier | tower status | modal | points for rising, stable, falling, unknown (M5.8, golden vectors) */
const golden: readonly (readonly [CoreTier, TowerStatus, Velocity | null, readonly number[]])[] = [
  ...coreTiers.map((tier) => [tier, 'insufficient_data', null, [0, 0, 0, 0]] as const),
  ...(['isolated', 'building', 'synchronized'] as const).flatMap((status) => {
    const modal = status === 'synchronized' ? ('falling' as const) : ('rising' as const);
    return [
      ['Coil', status, modal, [0, 0, 0, 0]] as const,
      ['Oscillator', status, modal, [25, 25, 25, 25]] as const,
    ];
  }),
  ['Tower', 'isolated', 'rising', [50, 75, 100, 25]],
  ['Tower', 'building', 'rising', [25, 75, 100, 25]],
  ['Tower', 'synchronized', 'rising', [25, 75, 100, 25]],
  ['Tower', 'synchronized', 'falling', [50, 75, 100, 25]],
];

it.each(golden)('gives %s under a tower that is %s, modal %s, the points of M5.8', (...row) => {
  const [coreTier, status, modal, points] = row;
  const tower = { status, modal, coherence: status === 'insufficient_data' ? null : 0.5 };
  expect(velocities.map((velocity) => towerModifier({ coreTier, velocity, tower }, parameters))).toEqual(
    points,
  );
});

it('gives nothing without a core tier', () => {
  const tower = { status: 'building', modal: 'rising', coherence: 0.5 } as const;
  expect(towerModifier({ coreTier: null, velocity: 'falling', tower }, parameters)).toBe(0);
});
