import { describe, expect, it } from 'vitest';
import { parameters, row } from '../../fixtures/builders/fieldMapRows.ts';
import { addDays } from '../exact/civilDate.ts';
import { currentRead, type FieldEvent } from './currentRead.ts';
import type { FieldFigures } from './fieldCurves.ts';
import type { FieldMapRow } from './fieldMapRow.ts';

const start = '2026-01-01';
const latest = addDays(start, 6);
const point = (i: number, pressure: number | null, more: Partial<FieldFigures> = {}): FieldFigures => ({
  date: addDays(start, i),
  E_total: 1,
  R_s: 0,
  delta_L: 0,
  field_pressure: pressure,
  stored_energy: 0.5,
  price_echo: 0.5,
  compression: 0,
  release: 0,
  volume: null,
  ...more,
});
/** Seven points of the pressures given; the fifth before the last is the second. */
const read = (
  pressures: readonly (number | null)[],
  input: { last?: Partial<FieldFigures>; row?: Partial<FieldMapRow>; events?: FieldEvent[] } = {},
) =>
  currentRead({
    points: pressures.map((p, i) => point(i, p, i === pressures.length - 1 ? input.last : {})),
    at: pressures.length - 1,
    row: row(6, input.row),
    events: input.events ?? [],
    parameters,
  });
const filed = (...days: string[]) => days.map((day) => ({ filed: day, knownOn: day }));
const level = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
const days = (n: number) => addDays(latest, -n);

describe('currentRead (M9.7)', () => {
  it.each<[string, Partial<FieldMapRow>]>([
    ['tier Coil', { coreTier: 'Coil' }],
    ['quality Low', { quality: 'Low' }],
    ['no tier', { riskTier: 'UNCLASSIFIED' }],
  ])('needs confirmation with %s, whatever the curves say', (_, more) => {
    expect(read(level, { row: more, last: { compression: 1 } })).toBe('Needs Core Confirmation');
  });

  it('needs confirmation with fewer than five points or without pressure or energy', () => {
    expect(read([0.5, 0.5, 0.5, 0.5])).toBe('Needs Core Confirmation');
    expect(read([0.5, 0.5, 0.5, 0.5, 0.5])).toBe('Monitor');
    expect(read([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, null])).toBe('Needs Core Confirmation');
    expect(read(level, { last: { stored_energy: null } })).toBe('Needs Core Confirmation');
  });

  it('is event-dense from three filings of the last fourteen days known by then', () => {
    const three = filed(days(0), days(14), days(3));
    expect(read(level, { events: three })).toBe('Event-Dense Watch');
    expect(read(level, { events: filed(days(0), days(15), days(3)) })).toBe('Monitor');
    expect(read(level, { events: filed(days(0), days(-1), days(3)) })).toBe('Monitor');
    // a review letter dated within the days, released after them
    const letter = { filed: days(3), knownOn: days(-20) };
    expect(read(level, { events: [...three.slice(0, 2), letter] })).toBe('Monitor');
  });

  it('builds with compression or a rise of 0.15 over five points', () => {
    expect(read(level, { last: { compression: 1 } })).toBe('Pressure Building');
    expect(read([0, 0.35, 0.4, 0.4, 0.4, 0.4, 0.5])).toBe('Pressure Building');
    expect(read([0, 0.350001, 0.4, 0.4, 0.4, 0.4, 0.5])).toBe('Monitor');
    expect(read([0, null, 0.4, 0.4, 0.4, 0.4, 0.5])).toBe('Monitor');
  });

  it('cools with release or a fall of 0.15 over five points', () => {
    expect(read(level, { last: { release: 1 } })).toBe('Pressure Cooling');
    expect(read([0, 0.65, 0.6, 0.6, 0.6, 0.6, 0.5])).toBe('Pressure Cooling');
  });

  it('is quiet below 0.30 in both, without a filing of fourteen days', () => {
    const low = Array(7).fill(0.29);
    const quiet = { last: { stored_energy: 0.29 } };
    expect(read(low, quiet)).toBe('Quiet Field');
    expect(read(low, { ...quiet, events: filed(days(1)) })).toBe('Monitor');
    expect(read(low, { last: { stored_energy: 0.3 } })).toBe('Monitor');
    expect(read(level)).toBe('Monitor');
  });
});
