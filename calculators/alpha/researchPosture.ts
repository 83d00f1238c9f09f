import type { ResearchPosture, RiskTier } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { GradedPosition } from '../position/gradePosition.ts';

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
