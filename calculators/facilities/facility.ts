import type { QualityFlag } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Dimension } from '../filing/xbrlFiling.ts';
import type { DrawnBasis } from './facilityDrawn.ts';
import type { TriggerKind } from './facilityTerms.ts';

/** A filed fact behind a figure of a facility. */
export type FacilityFact = {
  readonly concept: string;
  readonly unit: string;
  readonly value: ExactDecimal;
  /** Its instant, or the end of its period. */
  readonly date: string;
  readonly dimensions: readonly Dimension[];
};

/** A figure and the facts that state it. */
type Evidence<T> = T & { readonly facts: readonly FacilityFact[] };

/**
 * Coins that secure a loan. Their value is filed, or follows from their number and a close; the number may be absent
 * beside a filed value, never both.
 */
export type FacilityCollateral = { readonly asset: string | null } & (
  | { readonly basis: 'tagged_value'; readonly value: ExactDecimal; readonly units: ExactDecimal | null }
  | { readonly basis: 'units_times_price'; readonly units: ExactDecimal }
);

/** One loan, credit line or note issue as a filing states it (M16.1); prices of a day come with the slice. */
export type Facility = {
  readonly id: string;
  /** The member or concept as filed. */
  readonly name: string;
  /** The period end, or the day of what happened after it. */
  readonly asOf: string;
  readonly isSubsequent: boolean;
  readonly drawn: Evidence<{ readonly amount: ExactDecimal; readonly basis: DrawnBasis }> | null;
  readonly limit: Evidence<{ readonly amount: ExactDecimal }> | null;
  readonly collateral: Evidence<FacilityCollateral> | null;
  readonly trigger: Evidence<{ readonly kind: TriggerKind; readonly ltv: ExactDecimal }> | null;
  readonly confidence: QualityFlag;
  /** `facility_*`, sorted (M16.10). */
  readonly notes: readonly string[];
};

/** A loan with a pledge or a ratio among its facts that is no facility, and why. */
export type LeftOutFacility = {
  readonly id: string;
  readonly name: string;
  readonly isSubsequent: boolean;
  readonly reason: string;
};

/** The facilities of one filing, and what was examined and excluded. */
export type Facilities = {
  readonly found: readonly Facility[];
  readonly leftOut: readonly LeftOutFacility[];
};

export const noFacilities: Facilities = { found: [], leftOut: [] };
