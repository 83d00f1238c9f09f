import { describe, expect, it } from 'vitest';
import { axisDays, dayNumber, isoDate } from './timelineFamily.ts';

describe('a day number', () => {
  it('is that of the proleptic Gregorian calendar, there and back', () => {
    expect(dayNumber('1970-01-01')).toBe(0);
    for (const iso of [
      '0001-01-01',
      '1600-02-29',
      '1899-12-31',
      '1900-03-01',
      '2000-02-29',
      '2026-02-07',
      '9999-12-31',
    ]) {
      expect(dayNumber(iso)).toBe(Date.parse(`${iso}T00:00:00Z`) / 86_400_000);
      expect(isoDate(dayNumber(iso))).toBe(iso);
    }
    const first = dayNumber('2023-12-25');
    for (let day = first; day < first + 800; day++) expect(dayNumber(isoDate(day))).toBe(day);
  });
});

describe('the days of an axis', () => {
  const labels = (from: string, to: string, most: number) =>
    axisDays(dayNumber(from), dayNumber(to), most).map(({ label }) => label);

  it('are days, weeks, months or years, as many as have room', () => {
    expect(labels('2026-02-07', '2026-02-09', 10)).toEqual(['2026-02-07', '2026-02-08', '2026-02-09']);
    expect(labels('2026-02-07', '2026-02-28', 4)).toEqual([
      '2026-02-07',
      '2026-02-14',
      '2026-02-21',
      '2026-02-28',
    ]);
    expect(labels('2026-01-15', '2026-06-15', 5)).toEqual([
      'Feb 2026',
      'Mar 2026',
      'Apr 2026',
      'May 2026',
      'Jun 2026',
    ]);
    expect(labels('2025-01-01', '2026-12-31', 8)).toEqual([
      'Jan 2025',
      'Apr 2025',
      'Jul 2025',
      'Oct 2025',
      'Jan 2026',
      'Apr 2026',
      'Jul 2026',
      'Oct 2026',
    ]);
    expect(labels('2001-05-01', '2026-02-07', 6)).toEqual(['2005', '2010', '2015', '2020', '2025']);
  });
});
