import { describe, expect, it } from 'vitest';
import { cleanText, isRightToLeft, measureText, subsetsOf } from './measureText.ts';

const sans = { face: 'sans-400', size: 1_000 } as const;

describe('a measured text', () => {
  it('is the sum of its advances: ten digits at 10 px are 60 px (V7, V9)', () => {
    expect(measureText('0123456789', sans)).toBe(6_000);
    expect(measureText('', sans)).toBe(0);
  });

  it('is narrower by the kerning of neighbours in one subset, and by none across subsets', () => {
    const apart = measureText('A', sans) + measureText('V', sans);
    expect(measureText('AV', sans)).toBeLessThan(apart);
    // latin A, cyrillic У
    expect(measureText('AУ', sans)).toBeGreaterThanOrEqual(
      measureText('A', sans) + measureText('У', sans) - 1,
    );
  });

  it('counts what the faces lack by its East Asian Width (V12)', () => {
    expect(measureText('日本', sans)).toBe(2_000);
    expect(measureText('🚀', sans)).toBe(1_300);
    expect(measureText('ש', sans)).toBe(750);
    expect(measureText('日\u0302', sans)).toBe(1_000);
  });

  it('names the subset files it needs in the order of the face', () => {
    const { subsets, outside } = subsetsOf(['Żółć', 'отчёт', 'latin 日'], 'sans-400');
    expect(subsets.map(({ name }) => name)).toEqual(['latin', 'latin-ext', 'cyrillic']);
    expect(outside).toEqual(['日']);
  });
});

describe('a clean text', () => {
  it('has single spaces, no controls and nothing that turns its direction (V12)', () => {
    expect(cleanText('  a\t b\n\nc ')).toBe('a b c');
    expect(cleanText('a\u0000b\u202ec\u2066d\u200f')).toBe('a\ufffdb\ufffdc\ufffdd\ufffd');
    expect(cleanText('lone \ud800')).toBe('lone \ufffd');
    // a joined emoji and a combining mark stay whole
    expect(cleanText('👩\u200d🚀 e\u0301')).toBe('👩\u200d🚀 e\u0301');
  });

  it('reads from the side of its first strong letter', () => {
    expect(isRightToLeft('12 שלום abc')).toBe(true);
    expect(isRightToLeft('abc שלום')).toBe(false);
    expect(isRightToLeft('2026')).toBe(false);
  });
});
