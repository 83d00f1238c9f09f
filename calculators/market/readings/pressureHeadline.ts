import { roundHalfUp } from '../../exact/roundHalfUp.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { FactorRow, InputId } from '../factors/factorRow.ts';
import { directionOf, marketState } from './pressureState.ts';

// Fixed sentences: every word follows from published values.

const sides = {
  long_crowding: 'funding and basis lean to the long side',
  short_crowding: 'funding and basis lean to the short side',
  none: 'neither funding nor basis is known',
} as const;

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

/** One sentence on the pressure of a row. */
export function pressureHeadline(
  row: Pick<FactorRow, 'pressure' | 'groups'>,
  parameters: Parameters,
): string {
  if (row.pressure === null) return 'No pressure read: the evidence is not complete.';
  const state = marketState(row.pressure, parameters);
  return `Pressure is ${state} at ${roundHalfUp(row.pressure, 2).toFixed(2)}; ${sides[directionOf(row.groups.carry)]}.`;
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
  const text = roundHalfUp(Math.abs(value), 2).toFixed(2);
  return text === '0.00' ? text : `${value < 0 ? '−' : '+'}${text}`;
}
