import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { priceCheck } from './priceCheck.ts';

const parameters = registryParameters;
const check = (fairValue: string, quantity: string, close: number) =>
  priceCheck({
    fairValue: ExactDecimal.parse(fairValue),
    quantity: ExactDecimal.parse(quantity),
    close,
    parameters,
  });

describe('price check (M2.9, M2.10)', () => {
  it.each([
    ['CLSK 2024-12-31', '929080000', '9952000', 93_391.98, 'scale', '9952'],
    ['DFDV', '244271000', '1157', 208.75, 'scale', '1157000'],
    ['KULR', '120523261', '1056.69', 114_078.18, 'accept', '1056.69'],
    ['NAKA', '615798837', '5398', 114_078.18, 'accept', '5398'],
    ['UPXI', '400825831', '2066827', 208.75, 'accept', '2066827'],
    ['BMNR ether', '10544339000', '3737140', 2_992.33, 'accept', '3737140'],
  ])('settles %s', (_, fairValue, quantity, close, verdict, coins) => {
    const result = check(fairValue, quantity, close);
    expect(result.verdict).toBe(verdict);
    expect(result.verdict === 'reject' ? null : result.quantity.toString()).toBe(coins);
  });

  it.each([
    ['BTBT', '423682364', '10221', 4_146.38],
    ['nothing held', '0', '5', 100],
    ['no quantity', '100', '0', 100],
  ])('rejects %s', (_, fairValue, quantity, close) => {
    expect(check(fairValue, quantity, close)).toEqual({ verdict: 'reject' });
  });

  it('passes its own corrections, and every accepted quantity reprices the value within 10 % (M15.14)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: 1, max: 200_000 }),
        (fairValue, quantity, close) => {
          const result = check(String(fairValue), String(quantity), close);
          if (result.verdict === 'reject') return;
          expect(check(String(fairValue), result.quantity.toString(), close).verdict).toBe('accept');
          const ratio = fairValue / (result.quantity.toNumber() * close);
          expect(Math.abs(Math.log(ratio))).toBeLessThanOrEqual(Math.log(1.1) + 1e-9);
        },
      ),
    );
  });
});
