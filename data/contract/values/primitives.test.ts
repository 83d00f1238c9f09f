import { describe, expect, it } from 'vitest';
import { isCivilDate } from './primitives.ts';

const padded = (n: number, length: number) => String(n).padStart(length, '0');

describe('isCivilDate', () => {
  it.each([1900, 1996, 2000, 2023, 2024, 2100, 2400])(
    'takes the days that the year %i has, and no other',
    (year) => {
      const wrong: string[] = [];
      for (let month = 0; month <= 13; month += 1)
        for (let day = 0; day <= 32; day += 1) {
          const text = `${year}-${padded(month, 2)}-${padded(day, 2)}`;
          // a date object moves a day that does not exist to one that does
          const made = new Date(Date.UTC(year, month - 1, day));
          if (isCivilDate(text) !== (made.toISOString().slice(0, 10) === text)) wrong.push(text);
        }
      expect(wrong).toEqual([]);
    },
  );

  it.each(['', '2026-2-01', '2026-02-1a', ' 2026-02-01', '2026-02-01\n', '2026-02-01T00:00:00Z', '20260201'])(
    'refuses %j',
    (text) => expect(isCivilDate(text)).toBe(false),
  );
});
