import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import {
  addWeighted,
  intersect,
  intervalOf,
  roundHalfEven,
  type ValueInterval,
} from './calculationVerdicts.ts';

const rounded = (value: string, digits: number): string =>
  roundHalfEven(ExactDecimal.parse(value), digits).toString();
const shown = (interval: ValueInterval | null) =>
  interval === null ? null : [interval.low.toString(), interval.high.toString()];

describe('rounding half to even (XBRL 2.1 §4.6.7.2)', () => {
  it.for([
    ['2.85', 1, '2.8'],
    ['2.75', 1, '2.8'],
    ['-26.5', 0, '-26'],
    ['-27.5', 0, '-28'],
    ['2.8500001', 1, '2.9'],
    ['1500', -3, '2000'],
    ['2500', -3, '2000'],
    ['499', -3, '0'],
    ['0.5', 0, '0'],
    ['12', 5, '12'],
  ] as const)('of %s to %s decimals is %s', ([value, digits, expected]) => {
    expect(rounded(value, digits)).toBe(expected);
  });

  it('never moves a value by more than half of the last digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.integer({ min: -6, max: 6 }),
        (units, digits) => {
          const value = new ExactDecimal(units, 4);
          const near = intervalOf(roundHalfEven(value, digits), digits);
          expect(near.low.compare(value)).not.toBe(1);
          expect(near.high.compare(value)).not.toBe(-1);
        },
      ),
    );
  });
});

describe('intervals (M1.18)', () => {
  it('are half a unit of the last stated digit wide on each side, none for INF', () => {
    expect(shown(intervalOf(ExactDecimal.parse('99369000'), -3))).toEqual(['99368500', '99369500']);
    expect(shown(intervalOf(ExactDecimal.parse('0.5'), 2))).toEqual(['0.495', '0.505']);
    expect(shown(intervalOf(ExactDecimal.parse('0.5'), 'INF'))).toEqual(['0.5', '0.5']);
  });

  it('meet in one point at the least and turn round under a negative weight', () => {
    const a = intervalOf(ExactDecimal.parse('1'), 0);
    const b = intervalOf(ExactDecimal.parse('2'), 0);
    expect(shown(intersect(a, b))).toEqual(['1.5', '1.5']);
    expect(shown(intersect(a, intervalOf(ExactDecimal.parse('3'), 0)))).toBeNull();
    const sum = addWeighted({ sum: b, weight: ExactDecimal.parse('-1'), item: a });
    expect(shown(sum)).toEqual(['0', '2']);
  });
});
