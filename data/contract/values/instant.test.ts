import { expect, it } from 'vitest';
import { instant, isLastNight, sliceAgeDays } from './instant.ts';

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
