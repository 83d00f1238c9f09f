import { describe, expect, it } from 'vitest';
import { addMonths, monthsAfter } from './civilDate.ts';

describe('months of civil dates', () => {
  it.each([
    ['2024-01-31', 1, '2024-02-29'],
    ['2025-09-30', 12, '2026-09-30'],
    ['2025-11-30', 3, '2026-02-28'],
    ['2025-02-28', 12, '2026-02-28'],
    ['2025-11-15', 24, '2027-11-15'],
  ])('%s and %i months are %s', (day, months, later) => {
    expect(monthsAfter(day, months)).toBe(later);
  });

  it.each([
    ['2022-02-17', 12, '2023-02-17'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2022-12-15', 1, '2023-01-15'],
    ['2023-01-31', 1, '2023-02-28'],
  ])('adds months to %s', (date, months, later) => {
    expect(addMonths(date, months)).toBe(later);
  });
});
