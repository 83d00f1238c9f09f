import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../data/contract/values/instant.ts';
import { axisDays } from './timelineFamily.ts';

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
