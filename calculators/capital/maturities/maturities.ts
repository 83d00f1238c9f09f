import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CapitalFact, FigureStatus, NullReason } from '../figure.ts';

/** What is due in one interval; both ends inclusive, `end` null for what falls due after the last. */
export type MaturityBucket = {
  /** `remainder`, `year_1` … `year_5`, `after`; `fy_2027` of a year axis. */
  readonly id: string;
  readonly start: string;
  readonly end: string | null;
  readonly amount: ExactDecimal;
  /** The instrument it belongs to; null for the entity's. */
  readonly instrumentId: string | null;
  readonly facts: readonly CapitalFact[];
};

/** One bar of the wall: a bucket, or an instrument at its own date. Puts and springing dates are second marks. */
export type WallMark = {
  readonly kind: 'bucket' | 'maturity' | 'put' | 'springing';
  readonly date: string;
  readonly amount: ExactDecimal;
  readonly instrumentId: string | null;
};

export type Maturities = {
  readonly basis: 'fiscal_years' | 'rolling_years' | null;
  readonly buckets: readonly MaturityBucket[];
  readonly total: ExactDecimal | null;
  /** Of D; 1 where the wall holds all of it. */
  readonly coverageOfDebt: number | null;
  readonly status: FigureStatus | 'includes_interest' | null;
  readonly reason: NullReason | null;
  readonly wall: readonly WallMark[];
  readonly notes: readonly string[];
};
