import type { DebtCoverage, UnrankedReason } from '../../data/contract/values/enums.ts';
import { add, compare, divide, exactly, one, published, smaller, zero } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AlphaInputs } from './alphaInputs.ts';
import { pointsOf, remainder, weightedPoints } from './points.ts';

export type RegimeFit = {
  readonly score: number;
  readonly parts: {
    readonly stress_alignment: number;
    readonly peer_relative_strength: number;
    readonly treasury_regime_bonus: number;
    readonly tower_participation_modifier: number;
  };
};

/** How the issuer fits the market it is in (M5.5–M5.8). */
export function regimeFit(
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
