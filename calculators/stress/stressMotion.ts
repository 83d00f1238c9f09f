import type { Velocity } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import {
  compare,
  divide,
  exactly,
  type Fraction,
  one,
  published,
  subtract,
  zero,
} from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type HoldingsToReprice, type RepricedHoldings, repriceEarlier } from './repriceHoldings.ts';
import { stressRatio } from './stressRatio.ts';

/** How live stress moved while debt, coins and mix stayed: price alone (M3.19). null without both prices. */
export type StressMotion = {
  readonly delta24h: number | null;
  readonly delta7d: number | null;
  readonly velocity: Velocity | null;
};

export const unknownMotion: StressMotion = { delta24h: null, delta7d: null, velocity: null };

/** Compares live stress_50 with the one of a day and of a week before, both unrounded (M0.5, M3.19). */
export function stressMotion(
  debt: ExactDecimal,
  { holdings, live }: { readonly holdings: HoldingsToReprice; readonly live: RepricedHoldings },
): StressMotion {
  const { parameters } = holdings;
  const stressOf = ({ crypto }: RepricedHoldings) => stressRatio({ debt, crypto }, 0.5, parameters);
  const now = stressOf(live);
  const before = (days: number) => {
    const earlier = repriceEarlier(holdings, live, days);
    return earlier === null ? null : stressOf(earlier);
  };
  const [dayAgo, weekAgo] = [before(1), before(7)];
  return {
    delta24h: dayAgo === null ? null : published(subtract(now, dayAgo), 6),
    delta7d: weekAgo === null ? null : published(subtract(now, weekAgo), 6),
    velocity: weekAgo === null ? null : velocityOf(now, weekAgo, parameters),
  };
}

function velocityOf(now: Fraction, weekAgo: Fraction, { velocityBand }: Parameters): Velocity {
  if (compare(weekAgo, zero) === 0) return 'stable';
  const change = subtract(divide(now, weekAgo), one);
  const band = exactly(velocityBand);
  if (compare(change, band) > 0) return 'rising';
  return compare(change, subtract(zero, band)) < 0 ? 'falling' : 'stable';
}
