import { expect, it } from 'vitest';
import { dayNumber, instant, isLastNight, isoDay, sliceAgeDays } from './instant.ts';

it('an instant is printed in UTC and cut, not rounded, to its second (I1.8)', () => {
  expect(instant(Date.UTC(2026, 1, 7, 23, 59, 59, 999))).toBe('2026-02-07T23:59:59Z');
  expect(instant(0)).toBe('1970-01-01T00:00:00Z');
});

it('a slice is that of last night until the day after its date ends (I4.F10.1)', () => {
  const days = (now: string) => sliceAgeDays('2026-02-07', Date.parse(now));
  const told = [
    '2026-02-07T00:00:00Z',
    '2026-02-08T23:59:59Z',
    '2026-02-09T00:00:00Z',
    '2026-11-25T05:00:00Z',
  ];
  expect(told.map(days)).toEqual([0, 1, 2, 291]);
  expect(told.map((now) => isLastNight(days(now)))).toEqual([true, true, false, false]);
  // a slice of a day that has not come
  expect(days('2026-02-01T00:00:00Z')).toBe(0);
});

it('a day number is that of the proleptic Gregorian calendar, there and back', () => {
  const days = [
    '0001-01-01',
    '1600-02-29',
    '1900-03-01',
    '1970-01-01',
    '2000-02-29',
    '2026-02-07',
    '9999-12-31',
  ];
  const numbers = [-719_162, -135_081, -25_508, 0, 11_016, 20_491, 2_932_896];
  expect(days.map(dayNumber)).toEqual(numbers);
  expect(numbers.map(isoDay)).toEqual(days);
  expect(dayNumber('2026-02-07T23:59:59Z')).toBe(20_491);
});
