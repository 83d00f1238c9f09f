import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crossSectionOf } from '../../standing/standings.ts';
import { slidingSection } from './windowScores.ts';

describe('a moving window', () => {
  it('has the statistics of its values to the last bit, whatever came and went', () => {
    const value = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((v) => v || 0),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (values, width) => {
        const window = slidingSection();
        values.forEach((v, i) => {
          window.add(v);
          const gone = values[i - width];
          if (gone !== undefined) window.remove(gone);
          const whole = crossSectionOf(values.slice(Math.max(0, i - width + 1), i + 1));
          expect(window.section()).toEqual({
            ...whole,
            meanDeviation: whole?.mad === 0 ? whole.meanDeviation : null,
          });
        });
      }),
      { numRuns: 200 },
    );
  });

  it('is null while it is empty and refuses to lose what it does not hold', () => {
    const window = slidingSection();
    expect(window.section()).toBeNull();
    window.add(2);
    expect(() => window.remove(1)).toThrow('1 is not in the window');
    window.remove(2);
    expect(window.section()).toBeNull();
  });
});
