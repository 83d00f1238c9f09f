import { describe, expect, it } from 'vitest';
import { addBusinessDays } from './filingEvent.ts';

const calendar = { holidays: new Set(['2021-12-24', '2022-01-17']) };

describe('addBusinessDays', () => {
  it.each([
    // twenty business days after the closing letter of MSTR's review of 2021; Christmas was observed on Friday
    ['2021-12-20', 20, '2022-01-19'],
    ['2021-12-23', 1, '2021-12-27'],
    ['2021-12-27', -1, '2021-12-23'],
    ['2021-12-25', -1, '2021-12-23'],
    ['2021-12-25', 0, '2021-12-25'],
  ])('%s %i days on is %s (M6.12)', (date, days, expected) => {
    expect(addBusinessDays(date, days, calendar)).toBe(expected);
  });
});
