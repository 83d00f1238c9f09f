import { describe, expect, it } from 'vitest';
import { businessDaysAfter, isBusinessDay } from '../../calculators/changes/businessCalendar.ts';
import { readHolidays } from './readHolidays.ts';

describe('the business calendar', () => {
  it('lists eleven federal holidays a year, observed days included (5 U.S.C. 6103)', async () => {
    const { holidays } = await readHolidays();
    const perYear = Map.groupBy(holidays, (day) => day.slice(0, 4));
    // ten before Juneteenth; the staff's letters are public since 2005, and their release is counted with these days
    const before = [...perYear].filter(([year]) => year < '2021');
    expect(before).toHaveLength(17);
    expect(before.flatMap(([, days]) => days)).toHaveLength(170);
    // New Year's Day of 2022 was observed in 2021, that of 2028 is in 2027
    const since = [...perYear].filter(([year]) => year >= '2021');
    expect(since.map(([year, days]) => `${year} ${days.length}`)).toEqual([
      '2021 12',
      '2022 10',
      '2023 11',
      '2024 11',
      '2025 11',
      '2026 11',
      '2027 12',
    ]);
    // holidays as OPM lists them for 2026; Independence Day falls on a Saturday
    expect(perYear.get('2026')).toEqual([
      '2026-01-01',
      '2026-01-19',
      '2026-02-16',
      '2026-05-25',
      '2026-06-19',
      '2026-07-03',
      '2026-09-07',
      '2026-10-12',
      '2026-11-11',
      '2026-11-26',
      '2026-12-25',
    ]);
    for (const day of holidays) expect(new Date(`${day}T00:00:00Z`).getUTCDay() % 6).not.toBe(0);
  });

  it('counts Monday to Friday without them', async () => {
    const calendar = await readHolidays();
    expect(isBusinessDay('2025-11-11', calendar)).toBe(false);
    expect(isBusinessDay('2026-02-07', calendar)).toBe(false);
    expect(isBusinessDay('2025-11-14', calendar)).toBe(true);
    // 12, 13 and 14 November; not Veterans Day, not the weekend
    expect(businessDaysAfter('2025-11-10', '2025-11-16', calendar)).toBe(3);
    expect(businessDaysAfter('2025-11-14', '2025-11-14', calendar)).toBe(0);
  });
});
