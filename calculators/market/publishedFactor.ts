import { ExactDecimal } from '../../contract/values/exactDecimal.ts';
import { roundHalfUp } from '../exact/roundHalfUp.ts';
import { type FactorId, factorIds } from './factorRow.ts';

/** Beyond this a double no longer holds every whole number of its range, and no market figure is near it. */
const greatest = 1e15;

/** True for a figure that can be published; one beyond every market is refused, never cut (M8.4d). */
export function isPublishable(value: number): boolean {
  return Number.isFinite(value) && Math.abs(value) <= greatest;
}

/**
 * A factor as published: whole USD for open interest, 6 decimals else (M0.4), twelve for illiquidity, whose first digit
 * is the sixth for a contract that trades billions (M8.4e); null for what cannot be.
 */
export function publishedFactor(id: FactorId, value: number | null): number | null {
  if (value === null || !isPublishable(value)) return null;
  return roundHalfUp(value, id === 'oi_usd' ? 0 : id === 'amihud_30d' ? 12 : 6);
}

/** Differences of published factors, exact in their last digit; null without both (M8.8). */
export function factorDeltas(
  now: Readonly<Record<FactorId, number | null>>,
  before: Readonly<Record<FactorId, number | null>> | null,
): Record<FactorId, number | null> {
  const delta = (id: FactorId) => {
    const [a, b] = [now[id], before?.[id] ?? null];
    return a === null || b === null
      ? null
      : ExactDecimal.fromNumber(a).minus(ExactDecimal.fromNumber(b)).toNumber();
  };
  return Object.fromEntries(factorIds.map((id) => [id, delta(id)])) as Record<FactorId, number | null>;
}
