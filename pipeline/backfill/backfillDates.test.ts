import { describe, expect, it } from 'vitest';
import { backfillDates } from './runBackfill.ts';

describe('backfillDates', () => {
  it('lists days, month ends, or the days asked for', () => {
    const range = { from: '2024-01-30', to: '2024-03-31' };
    expect(backfillDates({ ...range, every: 'month-end' })).toEqual([
      '2024-01-31',
      '2024-02-29',
      '2024-03-31',
    ]);
    expect(backfillDates({ from: '2024-02-28', to: '2024-03-01', every: 'day' })).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    expect(backfillDates({ ...range, every: '2024-03-01, 2024-02-01,2030-01-01' })).toEqual([
      '2024-02-01',
      '2024-03-01',
    ]);
    for (const bad of [{ every: 'week' }, { from: '2024-02-30' }, { from: '2024-04-01' }]) {
      expect(() => backfillDates({ ...range, every: 'day', ...bad })).toThrow();
    }
  });
});
