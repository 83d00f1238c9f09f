import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { filingAtHand } from './filingSource.ts';
import type { FiledFact, IssuerInputs } from './rows.ts';
import type { InstanceFact } from './xbrlFiling.ts';

/**
 * Facts of companyfacts that the filing's own instance contradicts beyond rounding, or that are a total or a line the
 * figures rest on and are missing there (M1.10b). SEC derives companyfacts from the instance, so either may be damaged.
 *
 * @param isFigure whether a concept is one the figures rest on
 */
export function contradictions(
  inputs: IssuerInputs,
  { sourceDate, isFigure }: { readonly sourceDate: string; isFigure(concept: string): boolean },
): readonly FiledFact[] {
  const { filing } = inputs;
  const whole = (filingAtHand(inputs)?.facts ?? []).filter(({ dimensions }) => dimensions.length === 0);
  if (whole.length === 0) return [];
  const stated = Map.groupBy(whole, ({ concept, unit, start, end }) => `${concept} ${unit} ${start} ${end}`);
  return inputs.facts.filter((row) => {
    if (row.accession !== filing.accession || row.filed > sourceDate) return false;
    const concept = `${row.taxonomy}:${row.concept}`;
    const own = stated.get(`${concept} ${row.unit} ${row.start} ${row.end}`);
    if (own !== undefined) return !own.some((fact) => agrees(fact, row.value));
    return row.unit === 'USD' && row.start === null && row.end === filing.period && isFigure(concept);
  });
}

/** True when a row can be the fact, rounded as it says it is. */
function agrees({ value, decimals }: InstanceFact, row: ExactDecimal): boolean {
  if (value === null) return false;
  if (value.equals(row)) return true;
  if (typeof decimals !== 'number') return false;
  const half = ExactDecimal.parse(`5e${-decimals - 1}`);
  const distance = value.minus(row);
  return (distance.sign < 0 ? row.minus(value) : distance).compare(half) <= 0;
}
