import type { ChargeLevel, DischargeRisk, RiskTier } from '../../data/contract/values/enums.ts';
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

/** The tiers a ratio can earn, mildest first; a notch is one step along it. */
export const stressTiers = ['LOW', 'MODERATE', 'HIGH', 'CRITICAL'] as const satisfies readonly RiskTier[];
export type StressTier = (typeof stressTiers)[number];

/** Band of the published stress_50 (M3.6). */
export function stressBand(stress50: number, { stressBands }: Parameters): StressTier {
  if (stress50 >= stressBands.critical) return 'CRITICAL';
  if (stress50 >= stressBands.high) return 'HIGH';
  return stress50 >= stressBands.moderate ? 'MODERATE' : 'LOW';
}

/** Charge level of the published stress_50 (M3.7). */
export function chargeLevel(stress50: number, { chargeBands }: Parameters): ChargeLevel {
  if (stress50 >= chargeBands.critical) return 'Critical';
  return stress50 >= chargeBands.elevated ? 'Elevated' : 'Low';
}

/** Band of the published breach probability (M3.8). */
export function dischargeRisk(probability: number, { breachBands }: Parameters): DischargeRisk {
  if (probability >= breachBands.high) return 'High';
  return probability >= breachBands.medium ? 'Medium' : 'Low';
}
