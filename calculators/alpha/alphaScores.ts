import type {
  CoreTier,
  CryptoUnitsBasis,
  DataSource,
  DebtCoverage,
  MarketRegime,
  QualityFlag,
  TreasuryStrength,
  UnrankedReason,
  Velocity,
} from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import {
  add,
  compare,
  divide,
  exactly,
  type Fraction,
  multiply,
  one,
  published,
  quotient,
  smaller,
  subtract,
  zero,
} from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TowerState } from '../slice/towerState.ts';

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

// Scores are integers 0 to 100 and every step is exact, so that half up is decided by the value itself (M5.1).

/** A share between 0 and 1, clamped, as points of 100, half up. */
export function pointsOf(share: Fraction): number {
  return published(multiply(exactly(100), clamped(share)), 0);
}

/** The weighted mean of integer points with weights in percent, half up: ⌊(Σ wᵢ·vᵢ + 50)/100⌋ (M5.1). */
export function weightedPoints<K extends string>(
  weights: Readonly<Record<K, number>>,
  points: Readonly<Record<K, number>>,
): number {
  const sum = (Object.keys(weights) as K[]).reduce((total, key) => total + weights[key] * points[key], 0);
  return Math.floor((sum + 50) / 100);
}

/** 1 − share, for a share that counts against an issuer. */
export function remainder(share: Fraction): Fraction {
  return subtract(one, share);
}

function clamped(share: Fraction): Fraction {
  return compare(share, zero) < 0 ? zero : smaller(share, one);
}

type RegimeFit = {
  readonly score: number;
  readonly parts: {
    readonly stress_alignment: number;
    readonly peer_relative_strength: number;
    readonly treasury_regime_bonus: number;
    readonly tower_participation_modifier: number;
  };
};

/** How the issuer fits the market it is in (M5.5–M5.8). */
function regimeFit(
  inputs: AlphaInputs,
  { treasuryStrength, parameters }: { readonly treasuryStrength: number; readonly parameters: Parameters },
): RegimeFit {
  const { alpha } = parameters;
  const { regime } = inputs;
  const bonus = regime === null ? 0 : alpha.regimeBonus[regime];
  const parts = {
    stress_alignment: stressAlignment(inputs, parameters),
    peer_relative_strength: peerRelativeStrength(inputs, parameters),
    treasury_regime_bonus: pointsOf(divide(exactly(bonus * treasuryStrength), exactly(10_000))),
    tower_participation_modifier: towerModifier(inputs, parameters),
  };
  return { score: weightedPoints(alpha.weights.regimeFit, parts), parts };
}

/** Stress against what the regime tolerates, with own and market stress adverse or benign to each other (M5.5). */
function stressAlignment(inputs: AlphaInputs, { alpha }: Parameters): number {
  const { regime, ownZ, mpZ } = inputs;
  if (!inputs.isStressPresent || regime === null) return 0;
  const tolerated = divide(exactly(inputs.stress50), exactly(alpha.toleratedStress[regime]));
  const room = compare(tolerated, one) >= 0 ? zero : remainder(tolerated);
  const { points, absM } = alpha.resonance;
  const isAdverse = ownZ === null || mpZ === null || (mpZ >= absM && ownZ > 0);
  const isBenign = ownZ !== null && mpZ !== null && mpZ <= -absM && ownZ < 0;
  const sign = isAdverse ? -1 : isBenign ? 1 : 0;
  return pointsOf(add(smaller(room, one), divide(exactly(sign * points), exactly(100))));
}

/** The percentile of a ranked issuer; an unranked one has none, unless it is unranked by design (M5.6). */
function peerRelativeStrength(inputs: AlphaInputs, parameters: Parameters): number {
  const { percentile, unrankedReason, coverage } = inputs;
  if (percentile !== null) return published(exactly(percentile), 0);
  return isNeutrallyUnranked({ unrankedReason, coverage }) ? parameters.alpha.unrankedPeerScore : 0;
}

/** True when an issuer without debt is unranked for no lack of data, so that it scores the midpoint (M5.6). */
export function isNeutrallyUnranked({
  unrankedReason,
  coverage,
}: {
  readonly unrankedReason: UnrankedReason | null;
  readonly coverage: DebtCoverage;
}): boolean {
  const isByDesign = unrankedReason === 'issuer_type' || unrankedReason === 'universe_small';
  return isByDesign && (coverage === 'legitimate_zero_debt' || coverage === 'resolved_zero');
}

/** Evidence and own direction against the cluster's, first match of M5.8. */
export function towerModifier(
  { coreTier, velocity, tower }: Pick<AlphaInputs, 'coreTier' | 'velocity' | 'tower'>,
  { alpha: { towerModifier: points } }: Parameters,
): number {
  if (tower.status === 'insufficient_data' || coreTier === null || coreTier === 'Coil') return 0;
  if (coreTier === 'Oscillator') return points.oscillator;
  if (velocity === null) return points.unknown;
  const isClustered = tower.status !== 'isolated' && tower.modal === 'rising';
  return velocity === 'rising' && isClustered ? points.risingWithCluster : points[velocity];
}

/**
 * What an alpha score is computed from: live values where there are some, else the filing's (M5.2), as published
 * (M0.5). null is missing; no fill value of the answer enters a score.
 */
export type AlphaInputs = {
  readonly isStressPresent: boolean;
  /** x and x70. */
  readonly stress50: number;
  readonly stress70: number;
  readonly delta24h: number | null;
  readonly delta7d: number | null;
  /** Equity cushion at 6 decimals. */
  readonly ecs: number | null;
  readonly ownZ: number | null;
  /** m. */
  readonly mpZ: number | null;
  readonly velocity: Velocity | null;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  /** C; null where it is not proven, zero when the filing states none. */
  readonly crypto: ExactDecimal | null;
  /** A\* (M3.12). */
  readonly assets: ExactDecimal | null;
  readonly regime: MarketRegime | null;
  readonly percentile: number | null;
  /** null when ranked. */
  readonly unrankedReason: UnrankedReason | null;
  readonly coverage: DebtCoverage;
  readonly dataSource: DataSource | null;
  readonly quality: QualityFlag | null;
  readonly unitsBasis: CryptoUnitsBasis;
  readonly coreTier: CoreTier | null;
  readonly tower: TowerState;
};
