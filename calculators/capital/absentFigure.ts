import type { StatedFact } from '../crypto/statedFacts.ts';
import { type CapitalFact, type Figure, type NullReason, noFigure } from './figure.ts';

/** A filed fact as the evidence of a figure. */
export function capitalFact({ concept, value, unit, start, end, dimensions }: StatedFact): CapitalFact {
  return { concept, value, unit, start, end, dimensions };
}

/** A figure without a value, why, and the facts that were considered. */
export function absentFigure(
  reason: NullReason,
  {
    part,
    facts = [],
  }: { readonly part?: string; readonly facts?: readonly (StatedFact | CapitalFact)[] } = {},
): Figure<never> {
  const stated = facts.map((fact) => ('identity' in fact ? capitalFact(fact) : fact));
  return { ...noFigure(reason, part), facts: stated };
}
