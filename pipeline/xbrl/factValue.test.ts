import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { accuracyOf, endDay, factValue, startDay } from './instanceContext.ts';

const inferred = (value: string, precision: string) =>
  accuracyOf({ decimals: null, precision, value: ExactDecimal.parse(value) });

describe('decimals inferred from precision (XBRL 2.1 §4.6.6)', () => {
  it.for([
    ['123', '3', 0],
    ['123', '1', -2],
    ['12340', '4', -1],
    ['0.00123', '2', 4],
    ['-9.99', '3', 2],
    ['1000', '15', 11],
    ['0.5', '1', 1],
  ] as const)('of %s at precision %s are %s', ([value, precision, decimals]) => {
    expect(inferred(value, precision)).toEqual({ decimals });
  });

  it('are unknown at precision 0 and infinite for zero', () => {
    expect(inferred('5', '0')).toBe('unknown');
    expect(inferred('0', '3')).toEqual({ decimals: 'INF' });
    expect(inferred('5', '-1')).toBe('invalid');
    expect(inferred('5', '65')).toBe('invalid');
  });
});

describe('filed amounts', () => {
  it('are read exactly, beyond what a double holds', () => {
    expect(String(factValue('9007199254740993'))).toBe('9007199254740993');
    expect(String(factValue('\n 158080000.00 '))).toBe('158080000');
  });

  it.for(['', ' ', '1 2', '0x10', '1e', '1_000', '--1', '٣', 'Infinity'])('%j is none', (text) => {
    expect(factValue(text)).toBeNull();
  });
});

describe('days of a period', () => {
  it.for([
    ['2025-03-01T00:00:00', '2025-02-28'],
    ['2024-03-01T00:00:00.000', '2024-02-29'],
    ['2025-01-01T00:00:00', '2024-12-31'],
    ['2025-01-01T24:00:00', '2025-01-01'],
    [' 2025-01-01 ', '2025-01-01'],
    ['1900-02-29', null],
    ['2000-02-29', '2000-02-29'],
    ['2025-13-01', null],
    ['2025-00-10', null],
    ['2025-1-1', null],
    ['0000-01-01', null],
    ['2025-01-01Z', null],
    ['2025-01-01T23:59:59', null],
  ] as const)('%s ends on %s', ([text, day]) => {
    expect(endDay(text)).toBe(day);
  });

  it('start on the day itself, midnight or not', () => {
    expect([
      startDay('2025-01-01T00:00:00'),
      startDay('2025-01-01'),
      startDay('2025-01-01T24:00:00'),
    ]).toEqual(['2025-01-01', '2025-01-01', null]);
  });
});
