import type { ResearchPosture, RiskTier } from '../../contract/enums.ts';
import type { Parameters } from '../parameters.ts';
import type { GradedPosition } from '../position/gradePosition.ts';

/** What a reader should do with the row next, first match of M5.11; never an instruction to buy, sell or hold. */
export function researchPosture(
  o: {
    readonly alpha: number;
    /** Live where live. */
    readonly riskTier: RiskTier;
    readonly position: Pick<GradedPosition, 'isStressPresent' | 'quality' | 'isAnomalous'>;
  },
  { alpha: { posture: from } }: Parameters,
): ResearchPosture {
  const { isStressPresent, quality, isAnomalous } = o.position;
  if (!isStressPresent || quality === 'Low' || isAnomalous || o.riskTier === 'UNCLASSIFIED') {
    return 'data_review_required';
  }
  if (o.riskTier === 'HIGH' || o.riskTier === 'CRITICAL') return 'stress_watch';
  if (o.alpha >= from.resilienceCandidate && o.riskTier === 'LOW') return 'resilience_candidate';
  return o.alpha >= from.regimeDependent ? 'regime_dependent' : 'monitor';
}
