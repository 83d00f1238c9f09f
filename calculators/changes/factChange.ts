import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** How a fact row differs from the baseline; a restated row is an added one (M6.2). */
export const changeKinds = ['added', 'removed', 'revised'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One changed fact row with its key K (M6.1); amounts hold every filed digit. */
export type FactChange = {
  readonly kind: ChangeKind;
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  /** null for an instant. */
  readonly start: string | null;
  readonly end: string;
  readonly accession: string;
  readonly form: string | null;
  readonly filed: string | null;
  /** null when added. */
  readonly before: ExactDecimal | null;
  /** null when removed. */
  readonly after: ExactDecimal | null;
  /** True for an added row whose series already held another value. */
  readonly restated: boolean;
  /** The newest earlier value of the series of an added row; null when there was none. */
  readonly prior: ExactDecimal | null;
};
