import type { TrailCheck } from '../../trail/resolutionTrail.ts';
import type { DebtResolution } from './debtResolution.ts';

/** A debt that is not proven: what was found stays as its proven part, without a method to stand on (M3.3c, M1.28). */
export function unprovenTotal(
  resolution: DebtResolution,
  { note, check }: { readonly note: string | null; readonly check: TrailCheck },
): DebtResolution {
  return {
    ...resolution,
    coverage: 'low_confidence_missing_debt',
    method: null,
    notes: [...resolution.notes, ...(note === null ? [] : [note])],
    checks: [...resolution.checks, check],
  };
}
