import { expect, it } from 'vitest';
import { timeWindows } from './readinessOf.ts';

it('counts slices, rows and issuers of a day, a week and a month, ends included (I2.46)', () => {
  const slices = [
    { sourceDate: '2026-02-07', ciks: ['1', '2'] },
    { sourceDate: '2026-02-01', ciks: ['1', '3'] },
    { sourceDate: '2026-01-31', ciks: ['1', '4'] },
    { sourceDate: '2026-01-09', ciks: ['5'] },
    { sourceDate: '2026-01-08', ciks: ['6'] },
    { sourceDate: '2026-02-08', ciks: ['7'] },
  ];
  const bounds = { date_to: '2026-02-07' };
  expect(timeWindows(slices, '2026-02-07')).toEqual({
    latest_day: {
      ...bounds,
      label: 'latest_day',
      date_from: '2026-02-07',
      source_date_count: 1,
      row_count: 2,
      distinct_issuer_count: 2,
    },
    latest_week: {
      ...bounds,
      label: 'latest_week',
      date_from: '2026-02-01',
      source_date_count: 2,
      row_count: 4,
      distinct_issuer_count: 3,
    },
    latest_month: {
      ...bounds,
      label: 'latest_month',
      date_from: '2026-01-09',
      source_date_count: 4,
      row_count: 7,
      distinct_issuer_count: 5,
    },
  });
});
