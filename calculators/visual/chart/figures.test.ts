import { describe, expect, it } from 'vitest';
import {
  countText,
  percentText,
  priceText,
  ratioPercentText,
  ratioText,
  signedText,
  stressText,
  usdText,
} from './figures.ts';

describe('numbers in charts (V40)', () => {
  it.each([
    [ratioText(0.36401), '0.36'],
    [ratioText(-0.001), '0.00'],
    [ratioText(-1.5), '\u22121.50'],
    [stressText(1_000), '≥\u00a01000'],
    [stressText(999.994), '999.99'],
    [stressText(0), '0.00'],
    [stressText(0.005), '0.01'],
    [stressText(0.0049), '<\u00a00.01'],
    [percentText(26.32), '26.3\u00a0%'],
    // 3 of 17 is published as 17.65, whose binary form lies below the tie
    [percentText(17.65), '17.7\u00a0%'],
    [ratioPercentText(0.1765), '17.7\u00a0%'],
    [ratioText(1.005), '1.01'],
    [usdText(1_150_000), '1.2\u00a0M'],
    [ratioPercentText(-0.11), '\u221211.0\u00a0%'],
    [signedText(1.2), '+1.20'],
    [signedText(-0.75), '\u22120.75'],
    [signedText(0.004), '0.00'],
    [usdText(0), '0.0\u00a0M'],
    [usdText(49_999), '<\u00a00.1\u00a0M'],
    [usdText(50_000), '0.1\u00a0M'],
    [usdText(202_000_000), '202.0\u00a0M'],
    [usdText(999_949_999), '999.9\u00a0M'],
    [usdText(999_960_000), '1.0\u00a0B'],
    [usdText(8_173_903_000), '8.2\u00a0B'],
    [usdText(1_234_567_000_000), '1,234.6\u00a0B'],
    [priceText(69_985.4), '69,985'],
    [priceText(86.43), '86.43'],
    [priceText(999.996), '1,000'],
    [countText(1_234_567), '1,234,567'],
  ])('%s is %s', (written, expected) => {
    expect(written).toBe(expected);
  });
});
