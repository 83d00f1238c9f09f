import type { TreasuryStrength } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AlphaInputs } from './alphaInputs.ts';
import { type DebtCleanliness, debtCleanliness } from './debtCleanliness.ts';
import { type RegimeFit, regimeFit } from './regimeFit.ts';
import { type StressResilience, stressResilience } from './stressResilience.ts';
import { type TreasuryPoints, treasuryPoints } from './treasuryPoints.ts';

/** The four pillars and the total; every figure an integer 0 to 100 (M5.1). */
export type AlphaScores = {
  readonly alpha: number;
  readonly breakdown: {
    readonly debt_cleanliness: number;
    readonly stress_resilience: number;
    readonly regime_fit: number;
    readonly treasury_strength: number;
  };
  readonly debtCleanliness: DebtCleanliness;
  readonly stressResilience: StressResilience;
  readonly regimeFit: RegimeFit;
  readonly treasury: TreasuryPoints;
  readonly treasuryStrength: TreasuryStrength;
};

/** Scores one issuer: four equal pillars, ⌊sum/4⌋ (M5.1–M5.9). */
export function alphaScores(inputs: AlphaInputs, parameters: Parameters): AlphaScores {
  const clean = debtCleanliness(inputs, parameters);
  const resilience = stressResilience(inputs, parameters);
  const treasury = treasuryPoints(inputs, parameters);
  const fit = regimeFit(inputs, { treasuryStrength: treasury.score, parameters });
  const pillars = [clean.score, resilience.score, fit.score, treasury.score];
  return {
    alpha: Math.floor(pillars.reduce((sum, score) => sum + score, 0) / pillars.length),
    breakdown: {
      debt_cleanliness: clean.score,
      stress_resilience: resilience.score,
      regime_fit: fit.score,
      treasury_strength: treasury.score,
    },
    debtCleanliness: clean,
    stressResilience: resilience,
    regimeFit: fit,
    treasury,
    treasuryStrength: treasuryClass(treasury.score, parameters),
  };
}

function treasuryClass(score: number, { alpha: { treasuryClass: from } }: Parameters): TreasuryStrength {
  if (score >= from.strong) return 'strong';
  return score >= from.moderate ? 'moderate' : 'weak';
}
