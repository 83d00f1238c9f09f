import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { easternOfUtc, utcOfEastern } from './easternTime.ts';

describe('Eastern time', () => {
  it.each([
    // Strategy's 8-K 0001193125-26-016002 of 2026-01-20, "08:00:28Z" in one copy of the list and "13:00:28Z" in another
    ['2026-01-20 08:00:28', '2026-01-20 13:00:28'],
    ['2025-07-07 08:00:28', '2025-07-07 12:00:28'],
    // the evening of one day is the next in UTC
    ['2025-11-03 20:30:00', '2025-11-04 01:30:00'],
    // the rule of before 2007, and a leap day
    ['2006-04-03 09:00:00', '2006-04-03 13:00:00'],
    ['2006-03-31 09:00:00', '2006-03-31 14:00:00'],
    ['2006-10-30 09:00:00', '2006-10-30 14:00:00'],
    ['2007-03-12 09:00:00', '2007-03-12 13:00:00'],
    ['2024-02-29 22:00:00', '2024-03-01 03:00:00'],
  ])('%s is %s in UTC, and back', (eastern, utc) => {
    expect(utcOfEastern(eastern)).toBe(utc);
    expect(easternOfUtc(utc)).toBe(eastern);
  });

  it('takes the later instant of an hour that the clock shows twice or never', () => {
    expect(utcOfEastern('2025-11-02 00:59:59')).toBe('2025-11-02 04:59:59');
    expect(utcOfEastern('2025-11-02 01:30:00')).toBe('2025-11-02 06:30:00');
    expect(utcOfEastern('2025-11-02 02:00:00')).toBe('2025-11-02 07:00:00');
    expect(utcOfEastern('2025-03-09 01:59:59')).toBe('2025-03-09 06:59:59');
    expect(utcOfEastern('2025-03-09 02:30:00')).toBe('2025-03-09 07:30:00');
    expect(utcOfEastern('2025-03-09 03:00:00')).toBe('2025-03-09 07:00:00');
  });

  it('reads any instant since 1993 as the time zone database does, and never as an earlier one', () => {
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const instants = fc.integer({ min: Date.UTC(1993, 0, 2) / 1000, max: Date.UTC(2037, 11, 30) / 1000 });
    fc.assert(
      fc.property(instants, (seconds) => {
        const utc = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
        const eastern = easternOfUtc(utc);
        expect(eastern).toBe(clock.format(new Date(seconds * 1000)));
        const back = utcOfEastern(eastern);
        expect([utc, easternShift(utc)]).toContain(back);
      }),
      { numRuns: 2000 },
    );
    // an hour later where a reading of the last night of summer stands for two instants
    function easternShift(utc: string): string {
      const later = new Date(Date.parse(`${utc.replace(' ', 'T')}Z`) + 3_600_000);
      return later.toISOString().slice(0, 19).replace('T', ' ');
    }
  });
});
