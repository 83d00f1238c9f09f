import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { roundHalfUp } from '../../exact/decimals.ts';
import { type FactorId, type FactorRow, factorIds } from './factorRow.ts';

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
  return roundHalfUp(value, digitsOf(id));
}

function digitsOf(id: FactorId): number {
  return id === 'oi_usd' ? 0 : id === 'amihud_30d' ? 12 : 6;
}

/** Differences of published factors, exact in their last digit; null without both (M8.8). */
export function factorDeltas(
  now: Readonly<Record<FactorId, number | null>>,
  before: Readonly<Record<FactorId, number | null>> | null,
): Record<FactorId, number | null> {
  const delta = (id: FactorId) => {
    const [a, b] = [now[id], before?.[id] ?? null];
    return a === null || b === null ? null : difference(a, b, 10 ** digitsOf(id));
  };
  return Object.fromEntries(factorIds.map((id) => [id, delta(id)])) as Record<FactorId, number | null>;
}

function difference(a: number, b: number, unit: number): number {
  // whole units of fifteen digits are what both doubles stand for: their difference is exact and rounded once
  const [x, y] = [Math.round(a * unit), Math.round(b * unit)];
  const isWhole = x / unit === a && y / unit === b && Math.abs(x) < greatest && Math.abs(y) < greatest;
  if (isWhole) return (x - y) / unit + 0;
  return ExactDecimal.fromNumber(a).minus(ExactDecimal.fromNumber(b)).toNumber();
}

/** The observations a row was made from, as published: refused values are null. */
export type PublishedInputs = Readonly<Record<string, number | boolean | null>>;

export function publishedInputs({ marketInputs: bucket }: Pick<FactorRow, 'marketInputs'>): PublishedInputs {
  return {
    mark: bucket.mark,
    index_price: bucket.index,
    last: bucket.last,
    open_interest: bucket.openInterest,
    funding_rate: bucket.fundingRate,
    funding_interval_hours: bucket.fundingIntervalHours,
    volume_base: bucket.volumeBase,
    volume_usd: bucket.volumeUsd,
    volume_24h_usd: bucket.volume24hUsd,
    liquidations_long_usd: bucket.liquidationsLongUsd,
    liquidations_short_usd: bucket.liquidationsShortUsd,
    observations: bucket.observations,
    synthetic: bucket.synthetic,
  };
}
