import { describe, expect, it } from 'vitest';
import {
  changeText,
  countText,
  moveText,
  percentChangeText,
  percentText,
  priceText,
  ratioText,
  shareText,
  usdText,
} from './figureText.ts';

describe('figures in prose (M11.1, M11.8)', () => {
  it('print ratios with 2 decimals, halves away from zero', () => {
    expect([0.223313, 1.005, -0.125, 11.264777, 0].map(ratioText)).toEqual([
      '0.22',
      '1.01',
      '-0.13',
      '11.26',
      '0.00',
    ]);
  });

  it('never round a figure away', () => {
    expect([0.0042, 0.000463, -0.0000004].map(ratioText)).toEqual(['0.004', '0.0005', '-0.0000004']);
    expect([0.0003, 0].map(shareText)).toEqual(['0.03 %', '0.0 %']);
  });

  it('print shares and percent with 1 decimal and a blank', () => {
    expect([shareText(-2.309278), shareText(1), percentText(-11.03)]).toEqual([
      '-230.9 %',
      '100.0 %',
      '-11.0 %',
    ]);
  });

  it('print USD in the unit that gives at least 1.0', () => {
    const amounts = ['8173903000', '999950000', '999949999', '999950', '316000', '999', '0', '-45612000'];
    expect(amounts.map(usdText)).toEqual([
      ...[
        'USD 8.2 B',
        'USD 1.0 B',
        'USD 999.9 M',
        'USD 1.0 M',
        'USD 316.0 K',
        'USD 999',
        'USD 0',
        'USD -45.6 M',
      ],
    ]);
  });

  it('keep digits that no double holds', () => {
    expect(usdText('9007199254740993')).toBe('USD 9,007,199.3 B');
    expect(countText('9007199254740993')).toBe('9,007,199,254,740,993');
  });

  it('print prices, quantities and signed changes', () => {
    expect([priceText(84821.43), countText(1056.69, 2), countText(641715, 2)]).toEqual([
      'USD 84,821.43',
      '1,056.69',
      '641,715',
    ]);
    expect([0.388315, -0.03, 0, -0.000004, 0.0049].map(changeText)).toEqual([
      ...['+0.39', '-0.03', '0.00', 'hardly', 'hardly'],
    ]);
    expect(
      [[0.39, -0.000004] as const, [-0.001, 0.002] as const, [null, -0.03] as const, [0.11, 0] as const].map(
        ([week, day]) => moveText({ week, day }),
      ),
    ).toEqual([
      'moved +0.39 over the week and hardly moved over the day',
      'hardly moved over the week and the day',
      'moved -0.03 over the day',
      'moved +0.11 over the week and 0.00 over the day',
    ]);
    expect(moveText({ week: null, day: null })).toBeNull();
    expect([1.84, -0.3, 0].map(percentChangeText)).toEqual(['+1.8 %', '-0.3 %', '0.0 %']);
  });
});
