import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { divide, exactly, type Fraction, one, smaller, subtract, zero } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** What the ratio is made of: total financial debt D and holdings C, in USD. */
export type Exposure = { readonly debt: ExactDecimal; readonly crypto: ExactDecimal };

/**
 * Loan-to-value after holdings fall by `fall` (0.5 is 50 %): D / (C·(1 − fall)), exact (M3.1).
 *
 * No debt is 0; debt without holdings, and anything above it, is the cap (M3.3).
 */
export function stressRatio({ debt, crypto }: Exposure, fall: number, parameters: Parameters): Fraction {
  if (debt.sign === 0) return zero;
  const cap = exactly(parameters.stressCap);
  if (crypto.sign <= 0) return cap;
  return smaller(cap, divide(divide(exactly(debt), exactly(crypto)), subtract(one, exactly(fall))));
}

/** Relative headroom of a maximum-leverage covenant at the reference trigger: 1 − stress / L_ref (M3.5). */
export function covenantHeadroom(stress: Fraction, parameters: Parameters): Fraction {
  return subtract(one, divide(stress, exactly(parameters.referenceCovenantLtv)));
}
