import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldPoint } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { addDays } from '../exact/civilDate.ts';
import { digestOf, type FiledPoint, joinedDigests } from './pointDigest.ts';

const point = (i: number, more: Partial<FieldPoint> = {}): FieldPoint => ({
  date: addDays('2026-01-01', 2 * i),
  E_total: null,
  R_s: null,
  delta_L: null,
  field_pressure: null,
  stored_energy: null,
  price_echo: null,
  compression: null,
  release: null,
  volume: null,
  current_read: null,
  read: null,
  ...more,
});

describe('digestOf', () => {
  it('says peaks, the first echo, bands and changes of the filing in force', () => {
    const filed: FiledPoint[] = [
      { point: point(0, { compression: 1, stored_energy: 0.4 }), accession: 'a' },
      { point: point(1, { compression: 1, field_pressure: 0.2, price_echo: 0.7 }), accession: 'a' },
      {
        point: point(2, { compression: 0, release: 1, stored_energy: 0.9, price_echo: 0.1 }),
        accession: 'b',
      },
      { point: point(3, { compression: 1, stored_energy: 0.5, field_pressure: 0.1 }), accession: 'b' },
    ];
    expect(digestOf(filed)).toEqual({
      points: 4,
      first: '2026-01-01',
      last: '2026-01-07',
      peakEnergy: 0.9,
      peakPressure: 0.2,
      firstEcho: 0.7,
      compression: [
        { from: '2026-01-01', to: '2026-01-03', points: 2 },
        { from: '2026-01-07', to: '2026-01-07', points: 1 },
      ],
      release: [{ from: '2026-01-05', to: '2026-01-05', points: 1 }],
      filings: [
        { accession: 'a', from: '2026-01-01' },
        { accession: 'b', from: '2026-01-05' },
      ],
    });
  });
});

describe('joinedDigests', () => {
  const value = fc.option(fc.integer({ min: -9, max: 9 }).map((n) => n / 10));
  const flag = fc.constantFrom(0, 1, null);
  const some = fc.array(
    fc.record({
      stored_energy: value,
      field_pressure: value,
      price_echo: value,
      compression: flag,
      release: flag,
      accession: fc.constantFrom('a', 'b'),
    }),
    { minLength: 2, maxLength: 30 },
  );

  it('of the parts of any points is the digest of all, wherever they are cut', () => {
    fc.assert(
      fc.property(some, fc.nat(), fc.nat(), (given, one, other) => {
        const filed = given.map(({ accession, ...more }, i) => ({ point: point(i, more), accession }));
        const cuts = [one, other].map((n) => 1 + (n % (filed.length - 1))).sort((a, b) => a - b);
        const parts = [0, ...cuts]
          .map((from, i) => filed.slice(from, cuts[i] ?? filed.length))
          .filter((part) => part.length > 0);
        expect(joinedDigests(parts.map(digestOf))).toEqual(digestOf(filed));
      }),
    );
  });
});
