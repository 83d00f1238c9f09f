import type { CapitalReason, FigureStatus } from '../../data/contract/payloads/issuer/capitalParts.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Dimension } from '../filing/xbrlFiling.ts';

/** A filed fact behind a figure; the text of a date or a description where it is no number. */
export type CapitalFact = {
  readonly concept: string;
  readonly value: ExactDecimal | string;
  readonly unit: string | null;
  /** null for instants. */
  readonly start: string | null;
  readonly end: string;
  readonly dimensions: readonly Dimension[];
};

/** A figure with its evidence. */
type FoundFigure<T = ExactDecimal> = {
  readonly value: T;
  readonly status: FigureStatus;
  /** How it was found, in the word of its rule: `named`, `gross`, `filed_date`. */
  readonly basis: string;
  readonly facts: readonly CapitalFact[];
};

/** A figure with its evidence, or why there is none: null never reads as zero (M18.2). */
export type Figure<T = ExactDecimal> =
  | FoundFigure<T>
  | {
      readonly value: null;
      readonly reason: CapitalReason;
      /** Beside `missing`, `conflict` and `lower_bound`: which part. */
      readonly part?: string;
      readonly facts: readonly CapitalFact[];
    };

/** A filed fact as the evidence of a figure. */
export function capitalFact({ concept, value, unit, start, end, dimensions }: CapitalFact): CapitalFact {
  return { concept, value, unit, start, end, dimensions };
}

/** A figure with a value, `stated` where nothing else is said, and the facts it was read from. */
export function figureOf<T = ExactDecimal>(
  value: T,
  {
    basis,
    facts,
    status = 'stated',
  }: { readonly basis: string; readonly facts: readonly CapitalFact[]; readonly status?: FigureStatus },
): FoundFigure<T> {
  return { value, status, basis, facts: facts.map(capitalFact) };
}

/** A figure without a value, why, and the facts that were considered. */
export function absentFigure(
  reason: CapitalReason,
  { part, facts = [] }: { readonly part?: string; readonly facts?: readonly CapitalFact[] } = {},
): Figure<never> {
  return { value: null, reason, ...(part === undefined ? {} : { part }), facts: facts.map(capitalFact) };
}
