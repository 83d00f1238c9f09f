import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { type FactorId, type Factors, factorIds } from './factorRow.ts';
import { factorDeltas, publishedFactor } from './publishedFactor.ts';

const none = Object.fromEntries(factorIds.map((id) => [id, null])) as Factors;
const value = fc.oneof(
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc.double({ min: -1e-6, max: 1e-6, noNaN: true }),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }),
);

describe('differences of published factors (M8.8)', () => {
  it('have no digit that a subtraction of doubles makes up', () => {
    // 0.3 - 0.1 is 0.19999999999999998 in doubles
    const deltas = factorDeltas(
      { ...none, basis_bps: 0.3, oi_usd: 5_500_963_609, amihud_30d: 0.000000000003 },
      { ...none, basis_bps: 0.1, oi_usd: 5_500_963_608, amihud_30d: 0.000000000001, hhi: 1 },
    );
    expect(deltas).toEqual({ ...none, basis_bps: 0.2, oi_usd: 1, amihud_30d: 0.000000000002 });
  });

  it('are those of the printed decimals, whatever their size', () => {
    fc.assert(
      fc.property(
        value,
        value,
        fc.constantFrom<FactorId>('basis_bps', 'oi_usd', 'amihud_30d'),
        (x, y, id) => {
          const [a, b] = [publishedFactor(id, x), publishedFactor(id, y)];
          const exact =
            a === null || b === null
              ? null
              : ExactDecimal.fromNumber(a).minus(ExactDecimal.fromNumber(b)).toNumber();
          expect(factorDeltas({ ...none, [id]: a }, { ...none, [id]: b })[id]).toBe(exact);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
