import type { CapitalReason, FigureStatus } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CapitalFact } from '../figure.ts';

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
  /** Of a bucket the first day of its interval. */
  readonly date: string;
  /** Last day of a bucket; null of an open one and of an instrument. */
  readonly end: string | null;
  readonly amount: ExactDecimal;
  readonly instrumentId: string | null;
};

export type MaturityStatus = FigureStatus | 'includes_interest';

export type Maturities = {
  readonly basis: 'fiscal_years' | 'rolling_years' | null;
  /** Those of the entity first, then those of its instruments. */
  readonly buckets: readonly MaturityBucket[];
  readonly total: ExactDecimal | null;
  readonly totalFacts: readonly CapitalFact[];
  /** Total less the buckets of the entity: zero but for rounding where they agree. */
  readonly bucketUnallocated: ExactDecimal | null;
  /** Total less D. */
  readonly gap: ExactDecimal | null;
  /** Of D; 1 where the wall holds all of it. */
  readonly coverageOfDebt: number | null;
  readonly status: MaturityStatus | null;
  /** Where the buckets are payments: what of the total is interest. */
  readonly interestInLadder: ExactDecimal | null;
  readonly reason: CapitalReason | null;
  readonly wall: readonly WallMark[];
  readonly notes: readonly string[];
};

export const noMaturities: Maturities = {
  basis: null,
  buckets: [],
  total: null,
  totalFacts: [],
  bucketUnallocated: null,
  gap: null,
  coverageOfDebt: null,
  status: null,
  interestInLadder: null,
  reason: 'not_filed',
  wall: [],
  notes: [],
};
