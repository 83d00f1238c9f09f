import type { IssuerType } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { InstanceFact, TermFact, XbrlFiling } from './xbrlFiling.ts';

// The typed rows the warehouse hands to the calculators. Dates are ISO civil dates, instants UTC timestamps.

/** One registrant of the universe. The stable identity is the CIK (I1.14). */
export type Issuer = {
  readonly cik: string;
  /** null for a CIK-only issuer (I1.18). */
  readonly ticker: string | null;
  readonly entityName: string;
  readonly aliases: readonly string[];
  readonly exchange: string | null;
  readonly issuerType: IssuerType;
  readonly issuerClass: string | null;
  /** Symbol of the curated treasury asset (`BTC`), used as mix when no split is available (M2.7). */
  readonly primaryAsset: string | null;
  /** How the registrant ended; absent while it files. */
  readonly ended?: EndedRegistrant;
  /** Standard industrial classification of the registrant; absent where its submissions are not available. */
  readonly sic?: string | null;
  /** Last day of the fiscal year by the universe, `MMDD`; absent where it does not say. */
  readonly fiscalYearEnd?: string | null;
};

export const endedStatuses = ['merged', 'liquidated'] as const;

export type EndedRegistrant = {
  readonly status: (typeof endedStatuses)[number];
  /** Day of the merger or of the last payment: from then on it is in no slice (M1.39c). */
  readonly on: string;
  /** CIK of the registrant that goes on with its coins; null where none does. */
  readonly successor: string | null;
};

/** True from the day a registrant ended on: its successor holds what it held. */
export function hasEnded({ ended }: Issuer, day: string): boolean {
  return ended !== undefined && ended.on <= day;
}

/** A periodic filing; unique only by (cik, accession) (M1.45). */
export type Filing = {
  readonly cik: string;
  readonly accession: string;
  readonly accessionStatus: 'filed' | 'placeholder';
  readonly form: string;
  readonly filed: string;
  readonly acceptedAt: string;
  /** True when no submissions row gave the acceptance instant (M1.44). */
  readonly acceptanceEstimated: boolean;
  /** True when `filed` is the statutory deadline, because the source has no date of its own (M1.44b). */
  readonly filingDateStatutory?: boolean;
  /** Balance-sheet date. */
  readonly period: string;
  /** Accession of a filing of a newer period that is known and whose files are unusable (M1.44c). */
  readonly passedOver?: string;
  /** True when none of its files is unusable: only the list of submissions tells of it so far. */
  readonly isPending?: boolean;
};

/** One whole-entity fact as filed; `value` has every filed digit. */
export type FiledFact = {
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  readonly value: ExactDecimal;
  /** null for instants. */
  readonly start: string | null;
  readonly end: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** As the instance states; absent where only companyfacts has the fact, which carries none (M1.8). */
  readonly decimals?: number | 'INF' | null;
};

/** Daily close in USD at the end of that UTC day. */
export type PriceRow = {
  readonly date: string;
  readonly asset: string;
  readonly close: number;
  readonly source: string;
  /** The close is not plausible and stands for nothing (M2.13b). */
  readonly refused?: true;
};

/** All that is known of one issuer on the slice's date: the filing in force and its facts. */
export type IssuerInputs = {
  readonly issuer: Issuer;
  readonly filing: Filing;
  /** Every fact filed under the filing's accession, comparatives included. */
  readonly facts: readonly FiledFact[];
  /**
   * Facts of other filings known on the slice's date that the rules read: crypto facts dated
   * period + 1 day (M2.6a) and debt-activity flows ending in the year before the period (M1.37).
   */
  readonly supporting: readonly FiledFact[];
  /**
   * The filing's own files: whole-entity facts, dimensional ones at the period end and the day after it, every arc,
   * role and extension concept. null when they are not available; facts there precede companyfacts rows (M1.10).
   */
  readonly xbrl: XbrlFiling | null;
  /** Earlier filings known with it, newest first: their notes' terms where it does not state them again (M18.90). */
  readonly earlier?: readonly EarlierFiling[];
};

/** What an earlier filing of an issuer states on the axes of its notes, loans and lines. */
export type EarlierFiling = {
  readonly accession: string;
  readonly period: string;
  readonly facts: readonly InstanceFact[];
  readonly terms: readonly TermFact[];
};
