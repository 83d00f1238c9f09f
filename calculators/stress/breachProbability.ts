import { compare, doubleOf, exactly, quotient } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { complementaryErrorFunction } from './complementaryErrorFunction.ts';
import type { Exposure } from './stressRatio.ts';

/**
 * One-year probability that loan-to-value touches the reference covenant: Black–Cox first passage with zero
 * log-drift, p = 2·Φ(−ln(L_ref/LTV₀)/(σ√T)) (M3.8). Unrounded; 2·Φ(−d) is erfc(d/√2).
 */
export function breachProbability(
  { debt, crypto }: Exposure,
  volatility: number,
  parameters: Parameters,
): number {
  if (debt.sign === 0) return 0;
  if (crypto.sign <= 0) return 1;
  const loanToValue = quotient(debt, crypto);
  if (compare(loanToValue, exactly(parameters.referenceCovenantLtv)) >= 0) return 1;
  const distance =
    Math.log(parameters.referenceCovenantLtv / doubleOf(loanToValue)) /
    (volatility * Math.sqrt(parameters.breachHorizonYears));
  return complementaryErrorFunction(distance / Math.SQRT2);
}
