import { roundHalfUp } from '../../exact/decimals.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { FactorRow, InputId } from '../factors/factorRow.ts';

// Fixed sentences: every word follows from published values.

const sides = { long_crowding: 'long side', short_crowding: 'short side' } as const;
const carryInputs = ['funding_annualized', 'basis_bps'] as const;

const names: Readonly<Record<InputId, string>> = {
  funding_annualized: 'funding',
  basis_bps: 'basis',
  oi_change_24h: 'open interest',
  turnover: 'turnover',
  vol_ratio: 'volatility',
  momentum_30d: 'momentum',
  breadth: 'breadth',
};

const named = 3;

/**
 * One sentence on the pressure of a row. The direction is that of z-scores: funding may be paid by longs and still be low for
 * its window, so the sentence says what is compared, and that made-up observations are (M8.10).
 */
export function pressureHeadline(
  { pressure, groups, zScores, quality }: Pick<FactorRow, 'pressure' | 'groups' | 'zScores' | 'quality'>,
  parameters: Parameters,
): string {
  const made = quality.flags.includes('synthetic') ? 'Made-up observations (synthetic). ' : '';
  if (pressure === null) return `${made}No pressure read: the evidence is not complete.`;
  const state = `${made}Pressure is ${marketState(pressure, parameters)} at ${decimal(pressure)}`;
  const direction = directionOf({ pressure, groups });
  if (groups.carry === null || direction === 'none')
    return `${state}; neither funding nor basis has a z-score.`;
  const known = carryInputs.filter((id) => zScores[id] !== null).map((id) => names[id]);
  return `${state}; carry (${known.join(' and ')} against ${known.length > 1 ? 'their' : 'its'} own window) is ${decimal(groups.carry)}: ${sides[direction]}.`;
}

/** The largest parts of P in words, largest first; null without a P. */
export function spectraRead({ attribution }: Pick<FactorRow, 'attribution'>): string | null {
  if (attribution.length === 0) return null;
  const parts = attribution
    .toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .slice(0, named)
    .map(({ factor, contribution }) => `${names[factor]} ${signed(contribution)}`);
  return `Largest parts of pressure: ${parts.join(', ')}.`;
}

function signed(value: number): string {
  const text = decimal(value);
  return text === '0.00' || value < 0 ? text : `+${text}`;
}

function decimal(value: number): string {
  const text = roundHalfUp(Math.abs(value), 2).toFixed(2);
  return value < 0 && text !== '0.00' ? `−${text}` : text;
}

export type MarketState =
  | 'relief'
  | 'balanced'
  | 'building'
  | 'elevated'
  | 'extreme'
  | 'insufficient_evidence';

type Direction = 'long_crowding' | 'short_crowding' | 'none';

/** The state of a published P; no P is insufficient evidence (M8.10). */
export function marketState(pressure: number | null, { perps }: PerpsParameters): MarketState {
  return pressure === null ? 'insufficient_evidence' : bandOf(pressure, perps.pressureBands);
}

/** Which side is crowded, by the published carry; none without a pressure (M8.10). */
export function directionOf({
  pressure,
  groups: { carry },
}: Pick<FactorRow, 'pressure' | 'groups'>): Direction {
  if (pressure === null || carry === null) return 'none';
  return carry >= 0 ? 'long_crowding' : 'short_crowding';
}

/** The band of a value by where each begins: relief lies below `balanced` (M8.10, M8.17). */
export function bandOf(
  value: number,
  begins: Readonly<Record<'balanced' | 'building' | 'elevated' | 'extreme', number>>,
): Exclude<MarketState, 'insufficient_evidence'> {
  if (value >= begins.extreme) return 'extreme';
  if (value >= begins.elevated) return 'elevated';
  if (value >= begins.building) return 'building';
  return value >= begins.balanced ? 'balanced' : 'relief';
}
