import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CalculationBinding, CalculationItem, CalculationVerdict } from './calculationCheck.ts';
import { roundHalfEven } from './roundHalfEven.ts';

/**
 * Judges one total by XBRL 2.1 §5.2.5.2: items are rounded to their own decimals and weighted, their sum is rounded to
 * the total's decimals and must equal the total so rounded.
 *
 * Nil facts do not take part; a duplicated total or item means the calculation does not bind; a figure of precision 0
 * is never consistent and stops.
 */
export function roundedVerdict(binding: CalculationBinding): CalculationVerdict {
  const totals = binding.totals.filter((fact) => fact.value !== null);
  const reported = binding.items
    .map((item) => ({ ...item, facts: item.facts.filter((fact) => fact.value !== null) }))
    .filter((item) => item.facts.length > 0);
  const [total] = totals;
  if (total === undefined || total.value === null) return { outcome: 'unbound', reason: 'total_nil' };
  if (reported.length === 0) return { outcome: 'unbound', reason: 'no_item_reported' };
  if (totals.length > 1 || reported.some((item) => item.facts.length > 1)) {
    return { outcome: 'unbound', reason: 'duplicate_facts' };
  }
  if (total.decimals === null) return stopped(binding.concept);
  const items: CalculationItem[] = [];
  let sum = ExactDecimal.zero;
  for (const { concept, weight, facts } of reported) {
    const rounded = roundedTo(facts[0]?.value ?? null, facts[0]?.decimals ?? null);
    if (rounded === null) return stopped(concept);
    items.push({ concept, weight, value: { low: rounded, high: rounded } });
    sum = sum.plus(rounded.times(weight));
  }
  const expected = roundedTo(total.value, total.decimals) ?? total.value;
  const actual = roundedTo(sum, total.decimals) ?? sum;
  return {
    outcome: expected.equals(actual) ? 'pass' : 'fail',
    total: { low: expected, high: expected },
    sum: { low: actual, high: actual },
    items,
  };
}

function roundedTo(value: ExactDecimal | null, decimals: number | 'INF' | null): ExactDecimal | null {
  if (value === null || decimals === null) return null;
  return decimals === 'INF' ? value : roundHalfEven(value, decimals);
}

function stopped(culprit: string): CalculationVerdict {
  return { outcome: 'stopped', reason: 'no_known_digit', culprit };
}
