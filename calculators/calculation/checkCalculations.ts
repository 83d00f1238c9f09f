import { compareText } from '../../data/contract/values/compareText.ts';
import type { CalculationArc } from '../filing/xbrlFiling.ts';
import { bindCalculations } from './bindCalculations.ts';
import type { CalculationCheck, CalculationFact, CalculationMode } from './calculationCheck.ts';
import { intervalVerdict } from './intervalVerdict.ts';
import { roundedVerdict } from './roundedVerdict.ts';

/** Far above the pairs of the largest filings (tens of thousands). */
const maxPairs = 2_000_000;

/**
 * Checks every reported total of every role against its items, one result per (role, total, context, unit), sorted by
 * role, total, end, start, context and unit; the order of facts and arcs does not matter.
 *
 * Mode `1.0` is XBRL 2.1 §5.2.5.2, `1.1-round` Calculations 1.1 with rounding to nearest (M1.17–M1.19). Work is bounded:
 * from the limit on, one result `stopped` by `work_limit` stands for the totals that were not looked at.
 */
export function checkCalculations({
  facts,
  arcs,
  mode,
  workLimit,
}: {
  facts: readonly CalculationFact[];
  arcs: readonly CalculationArc[];
  mode: CalculationMode;
  workLimit?: number;
}): readonly CalculationCheck[] {
  const verdict = mode === '1.0' ? roundedVerdict : intervalVerdict;
  const checks = bindCalculations({
    facts,
    arcs,
    workLimit: workLimit ?? maxPairs,
  }).map(
    ({ place, binding }): CalculationCheck =>
      binding === null
        ? { ...place, outcome: 'stopped', reason: 'work_limit', culprit: place.concept }
        : { ...place, ...verdict(binding) },
  );
  return checks.sort(
    (a, b) =>
      compareText(a.role, b.role) ||
      compareText(a.concept, b.concept) ||
      compareText(a.end, b.end) ||
      compareText(a.start ?? '', b.start ?? '') ||
      compareText(a.contextId, b.contextId) ||
      compareText(a.unit, b.unit),
  );
}
