import type { ChargeLevel, DischargeRisk, RiskTier } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';

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
