import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

// One XBRL filing as the parsers hand it to the resolver: typed, complete, with nothing decided yet.
// QNames are written with the filing's own prefix (`us-gaap:Assets`, `fld:DigitalAssetsCurrent`); standard
// namespaces get their customary prefix independent of what the document declares, dated versions alike.

/** An element of the filing's own schema (extension concepts; standard ones are not part of a filing). */
export type ConceptDeclaration = {
  readonly concept: string;
  /** Type as declared, `xbrli:monetaryItemType`, `dtr-types:perShareItemType`, … */
  readonly type: string;
  readonly isMonetary: boolean;
  readonly periodType: 'instant' | 'duration';
  readonly balance: 'debit' | 'credit' | null;
  readonly isAbstract: boolean;
  /** Standard label in English, null when the label linkbase has none. */
  readonly label: string | null;
};

/** An extended link role and its definition in the schema. */
export type LinkRole = {
  readonly uri: string;
  /** `roleType/definition`, for example `0000002 - Statement - Consolidated Balance Sheets`; null when absent. */
  readonly definition: string | null;
};

/**
 * One effective summation-item relationship (M1.11, M1.12): prohibition and priority are applied, each pair of
 * concepts occurs once per role unless the filing itself states it twice with different weights.
 */
export type CalculationArc = {
  readonly role: string;
  readonly from: string;
  readonly to: string;
  /** As filed; EDGAR allows +1 and −1 only (M1.13). */
  readonly weight: ExactDecimal;
  readonly order: number;
  /** Calculations 1.0 (`http://www.xbrl.org/2003/…`) or 1.1 (`https://xbrl.org/2023/…`). */
  readonly version: '1.0' | '1.1';
};

/** What one role of the presentation linkbase shows: each concept once, headings included, in its order. */
export type Presentation = {
  readonly role: string;
  readonly concepts: readonly string[];
};

/** What the dei cover facts say of the document; null when not stated. */
export type FilingCover = {
  readonly documentType: string | null;
  /** ISO date as filed; other forms of dates (`--12-31`) stay as they are */
  readonly documentPeriodEndDate: string | null;
  readonly amendmentFlag: boolean | null;
};

/** Kinds of filers with deadlines of their own (Rule 12b-2); `other` are the slowest. */
export type FilerCategory = 'large_accelerated' | 'accelerated' | 'other';

/** What a filing says of its filer's reporting; null where it does not. */
export type Reporting = {
  readonly filerCategory: FilerCategory | null;
  /** Last day of the fiscal year, `MMDD`. */
  readonly fiscalYearEnd: string | null;
  /** Which quarter of the fiscal year ends with the period. */
  readonly quarter: 1 | 2 | 3 | 4 | null;
};

export type Dimension = {
  readonly axis: string;
  /** Explicit member QName, or the text of a typed member. */
  readonly member: string;
  readonly typed: boolean;
};

/** One numeric fact of the instance. */
export type InstanceFact = {
  readonly concept: string;
  readonly contextId: string;
  /** `USD`, `shares`, `USD/shares`; measures with their local name, numerator and denominator sorted. */
  readonly unit: string;
  /** null when nil (M1.9). */
  readonly value: ExactDecimal | null;
  /** `INF`, or decimals as filed or inferred from precision; null when the fact states neither (nil). */
  readonly decimals: number | 'INF' | null;
  /** null for instants. */
  readonly start: string | null;
  readonly end: string;
  readonly dimensions: readonly Dimension[];
  /** Ordinal among the facts of the instance document; absent where their order is not known (M1.24c). */
  readonly position?: number;
};

/** A date, duration or short text that states a term: when a note is due, how shares are split (M18.11). */
export type TermFact = {
  readonly concept: string;
  readonly contextId: string;
  /** As filed, white space collapsed: `2030-03-15`, `2027-06`, `P5Y`, `Apr-25`, `1-for-20`. */
  readonly value: string;
  /** null for instants. */
  readonly start: string | null;
  readonly end: string;
  readonly dimensions: readonly Dimension[];
};

/** A concept whose balance stands inside other lines of the face, and these (`…StatementOfFinancialPositionExtensibleList`). */
export type NamedLines = {
  /** The concept that is shown nowhere itself: `us-gaap:FinanceLeaseLiabilityCurrent`. */
  readonly concept: string;
  readonly end: string;
  readonly lines: readonly string[];
};

/** What a filing's files say, or what is missing of them; never a guess. */
export type XbrlFiling = {
  readonly cik: string;
  readonly accession: string;
  readonly facts: readonly InstanceFact[];
  readonly arcs: readonly CalculationArc[];
  /** Present where the project wrote the arcs from the face statement: a test of the walk, no evidence (M1.46). */
  readonly arcsAuthored?: true;
  /** Lines of the face that hold what is stated in the notes alone; absent where the filing names none. */
  readonly namedLines?: readonly NamedLines[];
  /** Terms that are no numbers; absent where the filing states none. */
  readonly terms?: readonly TermFact[];
  /** By role; of a filing out of the warehouse only the roles that have calculation arcs too. */
  readonly presentations: readonly Presentation[];
  readonly roles: readonly LinkRole[];
  readonly concepts: readonly ConceptDeclaration[];
  /** Absent out of the warehouse. */
  readonly cover?: FilingCover;
  /** Absent where the cover says none of it. */
  readonly reporting?: Reporting;
  /** Parts that are absent or unusable, each with its reason; resolution degrades accordingly. */
  readonly defects: readonly FilingDefect[];
};

export const filingParts = ['instance', 'schema', 'calculation', 'label', 'presentation', 'archive'] as const;

export type FilingDefect = {
  readonly part: (typeof filingParts)[number];
  readonly reason: string;
  /**
   * `unusable`: a file is available and lacks its content; `incomplete`: the filing's other files name
   * one that is not available. Absent for what a filing may lack.
   */
  readonly state?: 'unusable' | 'incomplete';
};
