import type { AlphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type {
  DominantAsset,
  NormQuality,
  ResearchPosture,
  RiskTier,
  UnrankedReason,
} from '../../data/contract/values/enums.ts';
import { roundHalfUp } from '../exact/decimals.ts';
import { compare, exactly } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import { type CoinMix, weightsOf } from '../prices/coinMix.ts';
import { isCryptoUnproven, isDebtUnproven } from '../relevance/treasuryRelevance.ts';
import type { AssessedIssuer, SliceContext } from '../slice/assessIssuers.ts';
import { stressBasis } from '../slice/stressBasis.ts';
import type { TowerState } from '../slice/towerState.ts';
import { type AlphaInputs, type AlphaScores, alphaScores, isNeutrallyUnranked } from './alphaScores.ts';

/** An issuer's row with the rank of its slice. */
export type AlphaSubject = {
  readonly assessed: AssessedIssuer;
  readonly stress: CovenantStress;
  /** null when unranked. */
  readonly percentile: number | null;
  /** null when ranked. */
  readonly unrankedReason: UnrankedReason | null;
};

/** Signals with the parts of every score: the interface lets an answer leave out what a calculation always has. */
export type ScoredSignals = AlphaSignals & {
  readonly [part in 'debt_cleanliness_breakdown' | 'treasury_strength_breakdown']: NonNullable<
    AlphaSignals[part]
  >;
};

/** Scores one issuer of a slice and says what the scores were made of (I2.17–I2.20, M5.1–M5.12). */
export function alphaSignalsOf(
  subject: AlphaSubject,
  { tower, context }: { readonly tower: TowerState; readonly context: SliceContext },
): ScoredSignals {
  const { assessed, stress } = subject;
  const { position } = assessed;
  const { parameters } = context;
  const inputs = alphaInputsOf(subject, tower);
  const scores = alphaScores(inputs, parameters);
  const dominant = dominantAsset(position.mix, parameters);
  const riskTier = stressBasis(stress).riskTier;
  const market = stress.market_regime ?? 'unavailable';
  const notes = [...(stress.data_quality_notes ?? []), ...fillNotes(inputs, stress), ...dominant.notes];
  return {
    source_date: stress.source_date,
    ticker: stress.ticker,
    cik: stress.cik,
    entity_name: stress.entity_name ?? null,
    accession_number: stress.accession_number,
    filing_url: stress.filing_url ?? null,
    period: stress.period ?? null,
    market_regime: market,
    tower_status: tower.status,
    tower_coherence: tower.coherence,
    ...scoreMembers(scores),
    dominant_treasury_asset: dominant.asset,
    alpha_interpretation: alphaInterpretation(scores.breakdown),
    research_posture: researchPosture({ alpha: scores.alpha, riskTier, position }, parameters),
    data_quality_notes: [...new Set(notes)].sort(compareText),
    score_inputs: {
      live_stress_50pct: inputs.stress50,
      stress_50pct: stress.stress_50pct,
      live_stress_delta_24h: inputs.delta24h ?? 0,
      live_stress_delta_7d: inputs.delta7d ?? 0,
      peer_percentile:
        inputs.percentile ?? (isNeutrallyUnranked(inputs) ? parameters.alpha.unrankedPeerScore : 0),
      treasury_asset_ratio_score: scores.treasury.parts.asset_ratio,
      stress_data_status: inputs.isStressPresent ? 'present' : 'missing',
      treasury_data_status: position.isAnomalous ? 'anomalous_assets' : 'normal',
      quality_flag_normalized: position.quality.toLowerCase() as NormQuality,
    },
    provenance: {
      source_date: stress.source_date,
      computed_at_utc: context.asOf,
      data_source: stress.data_source,
      is_linkbase_backed: stress.is_linkbase_backed,
      quality_flag: stress.quality_flag,
      root_resolution_method: stress.root_resolution_method,
      debt_coverage_status: stress.debt_coverage_status,
      crypto_units_basis: stress.crypto_units_basis ?? 'unavailable',
      market_regime: market,
      tower_status: tower.status,
    },
  };
}

/** Live values where there are some, else the filing's, with the rank of the same slice (M5.2). */
export function alphaInputsOf(subject: AlphaSubject, tower: TowerState): AlphaInputs {
  const { assessed, stress } = subject;
  const { position, motion } = assessed;
  const basis = assessed.live ?? assessed.base;
  const ecs = basis.standing?.raw.ecs ?? null;
  return {
    isStressPresent: position.isStressPresent,
    stress50: basis.figures.stress50,
    stress70: basis.figures.stress70,
    delta24h: motion.delta24h,
    delta7d: motion.delta7d,
    ecs: ecs === null ? null : roundHalfUp(ecs, 6),
    ownZ: basis.standing?.ownZ ?? null,
    mpZ: basis.standing?.mpZ ?? null,
    velocity: motion.velocity,
    debt: isDebtUnproven(position.figuresBasis) ? null : basis.debt,
    crypto: isCryptoUnproven(position.figuresBasis) ? null : basis.crypto,
    assets: basis.assets,
    regime: stress.market_regime ?? null,
    percentile: subject.percentile,
    unrankedReason: subject.unrankedReason,
    coverage: position.debt.coverage,
    dataSource: position.debt.dataSource,
    quality: position.quality,
    unitsBasis: position.units.basis,
    coreTier: position.coreTier,
    tower,
  };
}

function scoreMembers(scores: AlphaScores) {
  return {
    alpha_score: scores.alpha,
    alpha_score_breakdown: scores.breakdown,
    stress_resilience_score: scores.stressResilience.score,
    stress_resilience_breakdown: scores.stressResilience.parts,
    regime_fit_score: scores.regimeFit.score,
    regime_fit_breakdown: scores.regimeFit.parts,
    treasury_strength_score: scores.treasury.score,
    treasury_strength_breakdown: scores.treasury.parts,
    debt_cleanliness_breakdown: scores.debtCleanliness.parts,
    treasury_strength: scores.treasuryStrength,
  };
}

/** One note for every figure of `score_inputs` that a fill value stands for (M5.2). */
function fillNotes(inputs: AlphaInputs, stress: CovenantStress): string[] {
  const { crypto, assets, unrankedReason } = inputs;
  const hasRatio = crypto !== null && crypto.sign > 0 && assets !== null && assets.sign > 0;
  const when = (holds: boolean, ...notes: string[]) => (holds ? notes : []);
  return [
    ...when(stress.uses_live_prices !== true, 'live_equals_filing'),
    ...when(inputs.delta24h === null, 'live_stress_delta_24h_missing'),
    ...when(inputs.delta7d === null, 'live_stress_delta_7d_missing'),
    ...when(unrankedReason !== null, 'peer_percentile_missing', `unranked:${unrankedReason}`),
    ...when(!inputs.isStressPresent, 'stress_untrusted'),
    ...when(!hasRatio, 'treasury_asset_ratio_score_missing'),
    ...when(inputs.regime === null, 'regime_unavailable'),
  ];
}

/** The coin that stands for a treasury by fair value; a dominant coin outside the list is noted (M5.10). */
function dominantAsset(
  mix: CoinMix,
  { dominantAsset: from }: Parameters,
): { readonly asset: DominantAsset; readonly notes: readonly string[] } {
  const weights = weightsOf(mix);
  const atLeast = (share: number) =>
    weights.filter(({ weight }) => compare(weight, exactly(share)) >= 0).map(({ asset }) => asset);
  const [dominant] = atLeast(from.dominantShare);
  if (dominant === 'BTC') return { asset: 'bitcoin', notes: [] };
  if (dominant === 'ETH') return { asset: 'ethereum', notes: [] };
  if (dominant !== undefined) return { asset: 'unknown', notes: [`dominant_asset:${dominant}`] };
  return { asset: atLeast(from.mixedShare).length >= 2 ? 'mixed' : 'unknown', notes: [] };
}

const names = {
  debt_cleanliness: 'debt cleanliness',
  stress_resilience: 'stress resilience',
  regime_fit: 'regime fit',
  treasury_strength: 'treasury strength',
} as const satisfies Record<keyof AlphaScores['breakdown'], string>;
const order = Object.keys(names) as (keyof typeof names)[];

/** Names the two largest pillars, in their fixed order, and the smallest; of equal ones the earlier is larger (M5.12). */
function alphaInterpretation(breakdown: AlphaScores['breakdown']): string {
  const ranked = order.toSorted((a, b) => breakdown[b] - breakdown[a]);
  const weakest = ranked.at(-1);
  const [first = '', second = ''] = order
    .filter((name) => ranked.indexOf(name) < 2)
    .map((name) => names[name]);
  const weak = weakest === undefined ? '' : names[weakest];
  return `${first.charAt(0).toUpperCase()}${first.slice(1)} and ${second} carry the score; ${weak} is the weakest part.`;
}

/** What a reader should do with the row next, first match of M5.11; never an instruction to buy, sell or hold. */
export function researchPosture(
  {
    alpha,
    riskTier,
    position,
  }: {
    readonly alpha: number;
    /** Live where live. */
    readonly riskTier: RiskTier;
    readonly position: Pick<GradedPosition, 'isStressPresent' | 'quality' | 'isAnomalous' | 'relevance'>;
  },
  { alpha: { posture: from } }: Parameters,
): ResearchPosture {
  const { isStressPresent, quality, isAnomalous, relevance } = position;
  if (!isStressPresent || quality === 'Low' || isAnomalous) return 'data_review_required';
  // the data are fine; coins say little about this issuer (M3.25)
  if (relevance.word === 'incidental') return 'monitor';
  if (riskTier === 'UNCLASSIFIED') return 'data_review_required';
  if (riskTier === 'HIGH' || riskTier === 'CRITICAL') return 'stress_watch';
  if (alpha >= from.resilienceCandidate && riskTier === 'LOW') return 'resilience_candidate';
  return alpha >= from.regimeDependent ? 'regime_dependent' : 'monitor';
}
