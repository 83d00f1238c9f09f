import type { TreasuryStrength } from '../../data/contract/values/enums.ts';
import { divide, exactly, quotient, subtract } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AlphaInputs } from './alphaInputs.ts';
import { pointsOf, remainder, weightedPoints } from './points.ts';
import { type RegimeFit, regimeFit } from './regimeFit.ts';

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

type DebtCleanliness = {
  readonly score: number;
  readonly parts: { readonly coverage: number; readonly source: number; readonly quality: number };
};

/** How cleanly debt is resolved, not how small it is: the sum of its parts, all 0 for debt that is not trusted (M5.3). */
function debtCleanliness(inputs: AlphaInputs, { alpha }: Parameters): DebtCleanliness {
  const { coverage, dataSource, quality } = inputs;
  if (coverage === 'low_confidence_missing_debt') {
    return { score: 0, parts: { coverage: 0, source: 0, quality: 0 } };
  }
  const parts = {
    coverage: alpha.coverage[coverage],
    source: dataSource === null ? 0 : alpha.source[dataSource],
    quality: quality === null ? 0 : alpha.quality[quality],
  };
  return { score: parts.coverage + parts.source + parts.quality, parts };
}

type TreasuryPoints = {
  readonly score: number;
  readonly parts: {
    readonly asset_ratio: number;
    readonly net_coverage: number;
    readonly disclosure: number;
  };
};

/** How much of the assets are coins, how much of them is free of debt, how well they are disclosed (M5.9). */
function treasuryPoints(inputs: AlphaInputs, { alpha }: Parameters): TreasuryPoints {
  const { crypto, assets, debt } = inputs;
  if (crypto === null || crypto.sign <= 0) {
    return { score: 0, parts: { asset_ratio: 0, net_coverage: 0, disclosure: 0 } };
  }
  const parts = {
    asset_ratio: assets === null || assets.sign <= 0 ? 0 : pointsOf(quotient(crypto, assets)),
    net_coverage: debt === null ? 0 : pointsOf(quotient(crypto.minus(debt), crypto)),
    disclosure: alpha.disclosure[inputs.unitsBasis],
  };
  return { score: weightedPoints(alpha.weights.treasuryStrength, parts), parts };
}

type StressResilience = {
  readonly score: number;
  readonly parts: {
    readonly inverse_live_stress: number;
    readonly delta_stability_proxy: number;
    readonly debt_buffer_strength: number;
    readonly treasury_cushion: number;
  };
};

/** How much stress there is, how it moved, and what would absorb more; all 0 where stress is not present (M5.4). */
function stressResilience(inputs: AlphaInputs, { alpha }: Parameters): StressResilience {
  const { delta24h, delta7d, ecs } = inputs;
  const { empty, full } = alpha.debtBuffer;
  const isPresent = inputs.isStressPresent;
  const parts = {
    inverse_live_stress: isPresent ? pointsOf(remainder(exactly(inputs.stress50))) : 0,
    delta_stability_proxy:
      isPresent && delta24h !== null && delta7d !== null
        ? pointsOf(remainder(divide(exactly(Math.max(delta24h, delta7d, 0)), exactly(alpha.deltaScale))))
        : 0,
    debt_buffer_strength: isPresent
      ? pointsOf(
          divide(subtract(exactly(empty), exactly(inputs.stress70)), subtract(exactly(empty), exactly(full))),
        )
      : 0,
    treasury_cushion: isPresent && ecs !== null ? pointsOf(exactly(ecs)) : 0,
  };
  return { score: weightedPoints(alpha.weights.stressResilience, parts), parts };
}
