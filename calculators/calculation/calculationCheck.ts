import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Dimension, InstanceFact } from '../filing/xbrlFiling.ts';
import type { ValueInterval } from './valueInterval.ts';

/**
 * A fact and the tuples around it as a path of ordinals (`1/3`); a filing has none. A value beside null decimals
 * states precision 0: no digit of it is known.
 */
export type CalculationFact = InstanceFact & { readonly scope?: string };

/** `1.0` is XBRL 2.1 §5.2.5.2; `1.1-round` is Calculations 1.1, round to nearest (M1.18). */
export type CalculationMode = '1.0' | '1.1-round';

/** What an item contributes: one figure in mode 1.0 (low = high), an interval in mode 1.1. */
export type CalculationItem = {
  readonly concept: string;
  readonly weight: ExactDecimal;
  readonly value: ValueInterval;
};

/** Where a total is checked. */
export type CalculationPlace = {
  readonly role: string;
  /** the total */
  readonly concept: string;
  /** of the total's first fact; facts of another id with equal period and dimensions take part */
  readonly contextId: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly dimensions: readonly Dimension[];
};

export type StopReason =
  | 'inconsistent_duplicates'
  | 'nil_and_value'
  | 'excess_digits'
  | 'no_known_digit'
  | 'duplicate_relationship'
  | 'work_limit';

/** The outcome of one total in one role, context and unit. */
export type CalculationCheck = CalculationPlace &
  (
    | {
        readonly outcome: 'pass' | 'fail';
        readonly total: ValueInterval;
        readonly sum: ValueInterval;
        /** sorted by concept */
        readonly items: readonly CalculationItem[];
      }
    | { readonly outcome: 'unbound'; readonly reason: 'no_item_reported' | 'total_nil' | 'duplicate_facts' }
    /** The figures do not allow a verdict; `culprit` is the concept that says why. */
    | { readonly outcome: 'stopped'; readonly reason: StopReason; readonly culprit: string }
  );

/** The verdict alone, for those who judge one binding. */
export type CalculationVerdict = CalculationCheck extends infer C
  ? C extends CalculationCheck
    ? Omit<C, keyof CalculationPlace>
    : never
  : never;

/** One bound total: its facts and, per arc, the facts of the item; every list holds one entry per duplicate. */
export type CalculationBinding = {
  readonly concept: string;
  readonly totals: readonly CalculationFact[];
  readonly items: readonly {
    readonly concept: string;
    readonly weight: ExactDecimal;
    readonly facts: readonly CalculationFact[];
  }[];
  /** an item stated twice under this total in the role */
  readonly repeatedItem: string | null;
};
