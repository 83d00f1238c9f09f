import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, daysBetween, monthsAfter } from '../exact/civilDate.ts';
import type { Reporting } from '../filing/xbrlFiling.ts';
import { isQuarterlyFiler, nextReportDue } from './nextReport.ts';

const calendar = { holidays: new Set(['2024-11-11', '2026-01-01']) };
const unknown: Reporting = { filerCategory: null, fiscalYearEnd: null, quarter: null };
const due = (form: string, period: string, reporting: Partial<Reporting> = {}) =>
  nextReportDue({ form, period }, { reporting: { ...unknown, ...reporting }, calendar });

describe('when the next report is due (M1.60)', () => {
  it('is 45 days after the next quarter, 40 for the filers that are accelerated', () => {
    // the quarter after 2025-03-31 ends on 2025-06-30
    expect(due('10-Q', '2025-03-31', { quarter: 1 })).toBe('2025-08-14');
    expect(due('10-Q', '2025-03-31', { quarter: 1, filerCategory: 'other' })).toBe('2025-08-14');
    expect(due('10-Q', '2025-03-31', { quarter: 1, filerCategory: 'accelerated' })).toBe('2025-08-11');
    expect(due('10-Q', '2025-06-30', { quarter: 2, filerCategory: 'large_accelerated' })).toBe('2025-11-10');
    // an annual report is followed by the first quarter, amended or of a transition period alike
    for (const form of ['10-K', '10-K/A', '10-KT']) expect(due(form, '2024-12-31')).toBe('2025-05-15');
  });

  it('is 60, 75 or 90 days after the fiscal year where the third quarter is in force', () => {
    const third = (filerCategory: Reporting['filerCategory']) =>
      due('10-Q', '2025-09-30', { quarter: 3, filerCategory });
    expect(third('large_accelerated')).toBe('2026-03-02');
    expect(third('accelerated')).toBe('2026-03-16');
    expect(third('other')).toBe('2026-03-31');
    expect(third(null)).toBe('2026-03-31');
  });

  it('tells the quarter by the fiscal year where the filing does not, and takes the later report where nothing does', () => {
    expect(due('10-Q', '2025-03-31', { fiscalYearEnd: '1231' })).toBe('2025-08-14');
    expect(due('10-Q', '2025-03-31', { fiscalYearEnd: '0630' })).toBe('2025-09-29');
    expect(due('10-Q', '2025-03-31')).toBe('2025-09-29');
    expect(due('10-QT', '2025-03-31')).toBe('2025-09-29');
    // what the filing says precedes a year that has moved since
    expect(due('10-Q', '2025-03-31', { quarter: 3, fiscalYearEnd: '1231' })).toBe('2025-09-29');
  });

  it('follows fiscal years of 52 and 53 weeks by the longest quarter', () => {
    // Apple's quarter after 2022-09-24 had fourteen weeks and ended on 2022-12-31
    expect(due('10-K', '2022-09-24', { filerCategory: 'large_accelerated' })).toBe('2023-02-09');
    // a period that ends with a month by chance
    const apple = { filerCategory: 'large_accelerated', fiscalYearEnd: '0927', quarter: 1 } as const;
    expect(due('10-Q', '2022-12-31', apple)).toBe('2023-05-18');
    expect(due('10-Q', '2025-06-28', { fiscalYearEnd: '0927', filerCategory: 'large_accelerated' })).toBe(
      '2025-12-03',
    );
  });

  it('is four months after the fiscal year of a foreign issuer, 120 days of a Canadian one', () => {
    expect(due('20-F', '2024-12-31')).toBe('2026-04-30');
    expect(due('20-F/A', '2024-06-30')).toBe('2025-10-31');
    expect(due('40-F', '2024-12-31')).toBe('2026-04-30');
    // an interim report on 6-K is followed by the annual one of its year
    expect(due('6-K', '2025-06-30', { fiscalYearEnd: '1231' })).toBe('2026-04-30');
    expect(due('6-K', '2025-06-30', { fiscalYearEnd: '0630' })).toBe('2025-10-31');
    expect(due('6-K', '2025-06-30')).toBeNull();
  });

  it('moves from a weekend or a holiday to the next business day (Rule 0-3)', () => {
    // 2024-11-09 is a Saturday, the eleventh Veterans Day
    expect(due('10-Q', '2024-06-30', { quarter: 2, filerCategory: 'large_accelerated' })).toBe('2024-11-12');
    // 2024-03-30 is a Saturday
    expect(due('10-Q', '2023-09-30', { quarter: 3 })).toBe('2024-04-01');
  });

  it('knows leap days', () => {
    expect(monthsAfter('2024-02-29', 12)).toBe('2025-02-28');
    expect(monthsAfter('2023-02-28', 12)).toBe('2024-02-29');
    expect(monthsAfter('2023-11-30', 3)).toBe('2024-02-29');
    expect(monthsAfter('2024-01-15', -2)).toBe('2023-11-15');
    expect(due('10-Q', '2023-11-30', { quarter: 3, fiscalYearEnd: '0228' })).toBe('2024-05-29');
    expect(due('20-F', '2023-02-28')).toBe('2024-07-01');
  });

  it('is a business day later than the next period by no more than its form allows, for any filing', () => {
    const day = fc.integer({ min: 0, max: 12_000 }).map((n) => addDays('2000-01-01', n));
    const forms = ['10-K', '10-K/A', '10-KT', '10-Q', '10-QT', '20-F', '40-F', '6-K'];
    const quarter = fc.constantFrom(null, 1, 2, 3, 4) as fc.Arbitrary<Reporting['quarter']>;
    const category = fc.constantFrom(null, 'large_accelerated', 'accelerated', 'other') as fc.Arbitrary<
      Reporting['filerCategory']
    >;
    const yearEnd = fc.constantFrom(null, '1231', '0630', '0228', '0229', '0927');
    fc.assert(
      fc.property(fc.constantFrom(...forms), day, quarter, category, yearEnd, (form, period, q, c, y) => {
        const found = due(form, period, { quarter: q, filerCategory: c, fiscalYearEnd: y });
        if (found === null) {
          expect([form, y]).toEqual(['6-K', null]);
          return;
        }
        const days = daysBetween(period, found);
        expect(days).toBeGreaterThan(isQuarterlyFiler({ form }) ? 89 + 40 - 1 : 100);
        expect(days).toBeLessThanOrEqual((isQuarterlyFiler({ form }) ? 98 + 90 : 371 + 123) + 4);
        expect([0, 6]).not.toContain(new Date(`${found}T00:00:00Z`).getUTCDay());
        // no category makes a report due later than that of the slowest
        expect(found <= (due(form, period, { quarter: q, fiscalYearEnd: y }) ?? '')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
