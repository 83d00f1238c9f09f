import { compare, doubleOf, exactly, quotient } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
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

const twoOverRootPi = 1.1283791670955126;
const rootPi = 1.772453850905516;
/** Below it the series of erf loses less than 1e-13 to cancellation; above it the fraction converges fast. */
const switchover = 2;

/** erfc(x) for x ≥ 0 with a relative error below 1e-12. */
export function complementaryErrorFunction(x: number): number {
  if (x < switchover) return 1 - errorSeries(x);
  // exp(-x²) is 0 in doubles from here on
  return x > 27 ? 0 : (Math.exp(-x * x) / rootPi) * tailFraction(x);
}

/** erf as (2/√π)·e^(−x²)·Σ 2ⁿx²ⁿ⁺¹/(2n+1)!! (DLMF 7.6.2): all terms positive. */
function errorSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return twoOverRootPi * Math.exp(-x * x) * sum;
}

/** The continued fraction 1/(x+ (1/2)/(x+ 1/(x+ (3/2)/(x+ …)))) (DLMF 7.9.1), from its tail. */
function tailFraction(x: number): number {
  let value = x;
  for (let k = 120; k >= 1; k -= 1) value = x + k / 2 / value;
  return 1 / value;
}
