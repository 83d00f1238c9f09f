import { type BriefSources, scalesOf } from './briefEvidence.ts';
import {
  callEvidence,
  patternEvidence,
  readinessEvidence,
  sliceCaveats,
  stressRows,
} from './sliceEvidence.ts';

/** The compact evidence of a top-stressed brief with `limit` rows (I2.39, I4.R26.2). */
export function topStressedEvidence(sources: BriefSources, limit: number) {
  return {
    brief: 'top_stressed' as const,
    source_date: sources.sourceDate,
    limit,
    ...scalesOf(sources.parameters),
    readiness: readinessEvidence(sources),
    top_stressed: stressRows(sources, limit),
    excluded_unclassified: sources.excludedUnclassified,
    pattern: patternEvidence(sources.topStressed),
    margin_calls: callEvidence(sources.covenantRows),
    caveats: sliceCaveats(sources),
  };
}

export type TopStressedEvidence = ReturnType<typeof topStressedEvidence>;
