import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { Resonance, RiskTier } from '../../data/contract/values/enums.ts';

/** The live figure where there is one, else the filing's (M5.14 x; I2.49 sort value). */
export type StressBasis = {
  readonly basis: 'live' | 'filing';
  readonly stress50: number;
  readonly riskTier: RiskTier;
  readonly mpZ: number | null;
  readonly resonance: Resonance;
};

export function stressBasis(row: CovenantStress): StressBasis {
  const { live_stress_50pct: stress50, live_risk_tier: riskTier } = row;
  if (typeof stress50 === 'number' && riskTier) {
    const resonance = row.live_resonance_status ?? 'Neutral';
    return { basis: 'live', stress50, riskTier, mpZ: row.live_mp_z ?? null, resonance };
  }
  return {
    basis: 'filing',
    stress50: row.stress_50pct,
    riskTier: row.risk_tier,
    mpZ: row.mp_z ?? null,
    resonance: row.resonance_status ?? 'Neutral',
  };
}
