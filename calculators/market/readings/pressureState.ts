import type { PerpsParameters } from '../../parameters/perpsParameters.ts';

export type MarketState =
  | 'relief'
  | 'balanced'
  | 'building'
  | 'elevated'
  | 'extreme'
  | 'insufficient_evidence';

export type Direction = 'long_crowding' | 'short_crowding' | 'none';

/** The state of a published P; no P is insufficient evidence (M8.10). */
export function marketState(pressure: number | null, { perps }: PerpsParameters): MarketState {
  return pressure === null ? 'insufficient_evidence' : bandOf(pressure, perps.pressureBands);
}

/** Which side pays, by the published carry (M8.10). */
export function directionOf(carry: number | null): Direction {
  if (carry === null) return 'none';
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
