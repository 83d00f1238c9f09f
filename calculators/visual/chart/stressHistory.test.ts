import { expect, it } from 'vitest';
import { tierBandsOf } from './stressHistory.ts';

const bands = { moderate: 0.5, high: 0.65, critical: 1, covenant: 0.65 };

it('fills an axis with the bands of the tiers, without one that has no room on it', () => {
  expect(tierBandsOf(bands, { from: 0.5, to: 2 })).toEqual([
    { fill: 'band-moderate', from: 0.5, to: 0.65 },
    { fill: 'band-high', from: 0.65, to: 1 },
    { fill: 'band-critical', from: 1, to: 2 },
  ]);
});
