import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from './exactDecimal.ts';

const decimalText = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => new ExactDecimal(units, scale));

describe('ExactDecimal', () => {
  it('prints the forms EDGAR files in one shortest form', () => {
    const forms = ['6000000000.0', '7.00', '158080000.00', '0.50', '-0.0', '1e3', '.5', '+12', '00012.30'];
    expect(forms.map((t) => ExactDecimal.parse(t).toString())).toEqual([
      '6000000000',
      '7',
      '158080000',
      '0.5',
      '0',
      '1000',
      '0.5',
      '12',
      '12.3',
    ]);
  });

  it('keeps digits a double loses', () => {
    expect(ExactDecimal.parse('9007199254740993').toString()).toBe('9007199254740993');
    expect(ExactDecimal.parse('9007199254740993').plus(ExactDecimal.parse('0.01')).toString()).toBe(
      '9007199254740993.01',
    );
  });

  it.each(['', 'abc', '1,000', '1.2.3', 'NaN', '0x10', '--1', '1e99999'])('refuses %j', (text) => {
    expect(ExactDecimal.tryParse(text)).toBeNull();
  });

  it('rounds half up with ties away from zero (M0.4)', () => {
    const round = (t: string, d: number) => ExactDecimal.parse(t).rounded(d).toString();
    expect([
      round('2.5', 0),
      round('-2.5', 0),
      round('2.4999', 0),
      round('0.0000005', 6),
      round('-0.4', 0),
    ]).toEqual(['3', '-3', '2', '0.000001', '0']);
  });

  it('adds and subtracts exactly, in any order', () => {
    fc.assert(
      fc.property(decimalText, decimalText, (a, b) => {
        expect(a.plus(b).minus(b).equals(a)).toBe(true);
        expect(a.plus(b).equals(b.plus(a))).toBe(true);
        expect(ExactDecimal.parse(a.toString()).equals(a)).toBe(true);
        expect(a.compare(b)).toBe(a.minus(b).sign);
      }),
    );
  });
});
