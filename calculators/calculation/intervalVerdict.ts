import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type {
  CalculationBinding,
  CalculationFact,
  CalculationItem,
  CalculationVerdict,
  StopReason,
} from './calculationCheck.ts';
import { roundHalfEven } from './roundHalfEven.ts';
import { addWeighted, intersect, intervalOf, type ValueInterval } from './valueInterval.ts';

/**
 * Judges one total by Calculations 1.1, round to nearest (M1.18): the weighted sum of the items' intervals and the
 * total's interval must meet; consistent duplicates are intersected.
 *
 * Stops instead of guessing on inconsistent duplicates, nil beside a value, digits beyond the stated decimals,
 * precision 0 and an item stated twice under the total.
 */
export function intervalVerdict(binding: CalculationBinding): CalculationVerdict {
  const total = consolidated(binding.totals);
  if (total === null) return { outcome: 'unbound', reason: 'total_nil' };
  const reported = binding.items.filter((item) => item.facts.some((fact) => fact.value !== null));
  if (reported.length === 0) return { outcome: 'unbound', reason: 'no_item_reported' };
  if (binding.repeatedItem !== null) {
    return { outcome: 'stopped', reason: 'duplicate_relationship', culprit: binding.repeatedItem };
  }
  if (typeof total === 'string') return { outcome: 'stopped', reason: total, culprit: binding.concept };
  const items: CalculationItem[] = [];
  let sum: ValueInterval = { low: ExactDecimal.zero, high: ExactDecimal.zero };
  for (const { concept, weight, facts } of reported) {
    const value = consolidated(facts);
    if (value === null) continue;
    if (typeof value === 'string') return { outcome: 'stopped', reason: value, culprit: concept };
    items.push({ concept, weight, value });
    sum = addWeighted({ sum, weight, item: value });
  }
  const outcome = intersect(sum, total) === null ? 'fail' : 'pass';
  return { outcome, total, sum, items };
}

/** The interval all duplicates allow, null when all are nil, or the reason to stop. */
function consolidated(facts: readonly CalculationFact[]): ValueInterval | StopReason | null {
  if (facts.every((fact) => fact.value === null)) return null;
  const fault = faultOf(facts);
  if (fault !== null) return fault;
  let interval: ValueInterval | null = null;
  for (const { value, decimals } of facts) {
    if (value === null || decimals === null) continue;
    const own = intervalOf(value, decimals);
    const both: ValueInterval | null = interval === null ? own : intersect(interval, own);
    if (both === null) return 'inconsistent_duplicates';
    interval = both;
  }
  return interval;
}

/** What is wrong with any one figure; looked for before two are compared, so their order never decides the reason. */
function faultOf(facts: readonly CalculationFact[]): StopReason | null {
  if (facts.some(({ value }) => value === null)) return 'nil_and_value';
  if (facts.some(({ decimals }) => decimals === null)) return 'no_known_digit';
  return facts.some(hasExcessDigits) ? 'excess_digits' : null;
}

function hasExcessDigits({ value, decimals }: CalculationFact): boolean {
  if (value === null || decimals === null || decimals === 'INF') return false;
  return !roundHalfEven(value, decimals).equals(value);
}
