import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Dimension } from '../filing/xbrlFiling.ts';
import type { TrailUnits } from './statementTrail.ts';

// The way from a published ratio back to filed facts, as a tree of plain members that canon-1 can print.
// Amounts are exact; concepts are QNames; roles are the URIs of extended links.

/** How the figures of one row follow from the filing in force (M1.28, M2.3). */
export type ResolutionTrail = {
  readonly cik: string;
  readonly accession: string;
  readonly form: string;
  readonly period: string;
  readonly ratio: TrailRatio;
  /** Loans with a pledge or a ratio among their facts that are no facility, and why (M16.1). */
  readonly facilitiesLeftOut?: readonly TrailLeftOut[];
  /** Statements the live figures rest on; absent where they rest on filed units (M17.32). */
  readonly statedUnits?: TrailUnits;
};

export type TrailLeftOut = { readonly name: string; readonly reason: string };

/** The published ratio; its children are the two totals, debt first (M3.1). */
export type TrailRatio = {
  readonly kind: 'ratio';
  readonly name: 'stress_50pct';
  readonly value: number;
  readonly formula: string;
  readonly children: readonly [TrailTotal, TrailTotal];
};

/** One resolved total. For a network or precedence total, the weighted values of the roots add up to it. */
export type TrailTotal = {
  readonly kind: 'total';
  readonly side: 'debt' | 'crypto';
  readonly value: ExactDecimal;
  /** Debt: `debt_coverage_status`; crypto: `crypto_units_basis` or `unavailable`. */
  readonly status: string;
  /** `root_resolution_method` of the side, null when unresolved. */
  readonly method: string | null;
  /** `data_source` (M1.27). */
  readonly dataSource: string;
  /** Split of the total: `current`, `noncurrent`; empty where the side has none. */
  readonly parts: Readonly<Record<string, ExactDecimal>>;
  /** Every step of the ladder that was tried, in its order, with the reason it was taken or not (M1.24–M1.29, M2.3–M2.6). */
  readonly rungs: readonly TrailRung[];
  /** Identities and calculation checks that were evaluated (M1.17–M1.19, M1.31–M1.36). */
  readonly checks: readonly TrailCheck[];
  readonly children: readonly TrailRoot[];
  /** The side as document order gives it, where the total was taken from there (M1.24c). */
  readonly face?: TrailFace;
};

/** A side of the balance sheet without a linkbase: its lines in document order and what they add up to. */
export type TrailFace = {
  readonly anchor: string;
  /** The total of the anchor; where liabilities are not filed, the total with equity less equity and mezzanine. */
  readonly target: ExactDecimal;
  readonly isByEquity: boolean;
  /** Sum of the lines; differs from the target by the rounding of the filing at most. */
  readonly sum: ExactDecimal;
  readonly lines: readonly { readonly concept: string; readonly value: ExactDecimal }[];
};

/** One step of a resolution ladder. */
export type TrailRung = {
  /** `liabilities_walk`, `precedence_2`, `assets_walk`, … */
  readonly rung: string;
  readonly taken: boolean;
  readonly reason: string;
};

/** One identity or calculation check. */
export type TrailCheck = {
  /** Rule or total concept it is about: `M1.31`, `us-gaap:Liabilities`. */
  readonly check: string;
  readonly result: 'pass' | 'fail' | 'unbound' | 'stopped';
  readonly detail: string;
};

/** A concept that enters a total once (M1.25). */
export type TrailRoot = {
  readonly kind: 'root';
  /** C current, N noncurrent, T undivided (M1.26); crypto uses the same letters where the face divides it. */
  readonly bucket: 'C' | 'N' | 'T';
  readonly concept: string;
  /** Its value before the weight; of an unreported concept the weighted sum of its children. */
  readonly value: ExactDecimal;
  readonly weight: 1 | -1;
  /** Parent in the network; null outside one. */
  readonly parent: string | null;
  readonly role: string | null;
  /** The rung that found it. */
  readonly rung: string;
  /** Why it counts: dictionary level, accepted extension, all descendants are debt, … */
  readonly reason: string;
  readonly children: readonly TrailSource[];
};

export type TrailSource = TrailFact | TrailSum | TrailPrice;

/** A concept without a fact of its own, valued by its arcs (M1.26). */
export type TrailSum = {
  readonly kind: 'sum';
  readonly concept: string;
  readonly value: ExactDecimal;
  readonly weight: 1 | -1;
  readonly role: string;
  readonly children: readonly TrailSource[];
};

/** A filed fact, where it was filed and in which context. */
export type TrailFact = {
  readonly kind: 'fact';
  readonly concept: string;
  /** null when nil (M1.9). */
  readonly value: ExactDecimal | null;
  /** Weight of the arc from its parent; 1 where there is none. */
  readonly weight: 1 | -1;
  readonly unit: string;
  /** null for instants. */
  readonly start: string | null;
  readonly end: string;
  /** Context id in the instance; null for a companyfacts row. */
  readonly context: string | null;
  readonly dimensions: readonly Dimension[];
  readonly decimals: number | 'INF' | null;
  readonly accession: string;
  readonly origin: 'instance' | 'companyfacts';
};

/** A close that values a quantity (M2.6b). */
export type TrailPrice = {
  readonly kind: 'price';
  readonly asset: string;
  readonly date: string;
  readonly close: number;
  readonly source: string;
};
