import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { StatedFact } from '../crypto/statedFacts.ts';
import type { Dimension } from '../filing/xbrlFiling.ts';

/** How well filed facts prove a figure (M18.1): `proven` by an identity of its own facts, `stated` by one tag. */
export type FigureStatus = 'proven' | 'supported' | 'stated' | 'partial' | 'unproven';

/** Why a figure is null (M18.2). */
export const nullReasons = [
  'not_filed',
  'not_applicable',
  'conflict',
  'unconfirmed',
  'price_missing',
  'price_basis_unknown',
  'no_instance',
  'status_unproven',
  'cash_flow_positive',
  'lower_bound',
  'par_only',
  'missing',
] as const;

export type NullReason = (typeof nullReasons)[number];

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

/** A figure with its evidence, or why there is none: null never reads as zero (M18.2). */
export type Figure<T = ExactDecimal> =
  | {
      readonly value: T;
      readonly status: FigureStatus;
      /** How it was found, in the word of its rule: `named`, `gross`, `filed_date`. */
      readonly basis: string;
      readonly facts: readonly CapitalFact[];
    }
  | {
      readonly value: null;
      readonly reason: NullReason;
      /** Beside `missing`, `conflict` and `lower_bound`: which part. */
      readonly part?: string;
      readonly facts: readonly CapitalFact[];
    };

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
  return { value: null, reason, ...(part === undefined ? {} : { part }), facts: stated };
}
