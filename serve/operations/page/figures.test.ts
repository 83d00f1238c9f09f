import { describe, expect, it } from 'vitest';
import { shownBytes, shownCount, shownDuration, shownUsd } from './figures.ts';

describe('figures of the operations page', () => {
  it.each([
    [0, '$0.00'],
    [100_000, '$0.10'],
    [1, '$0.000001'],
    [1_234_567_890, '$1,234.56789'],
    [-40_000, '-$0.04'],
    [-1_500_000, '-$1.50'],
  ])('%i micro-USD is %s', (micro, shown) => {
    expect(shownUsd(micro)).toBe(shown);
  });

  it.each([
    [999, '0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
    [-5, '0 s'],
  ])('%i ms is %s', (ms, shown) => {
    expect(shownDuration(ms)).toBe(shown);
  });

  it('counts have groups and bytes have units', () => {
    expect(shownCount(1_234_567)).toBe('1,234,567');
    expect(shownBytes(512)).toBe('512 B');
    expect(shownBytes(3 * 1024 ** 3 + 512 * 1024 ** 2)).toBe('3.5 GiB');
  });
});
