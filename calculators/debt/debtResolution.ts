import type { DataSource, DebtCoverage } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { FaceOrder } from '../faceOrder/faceOrder.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { FiledFact } from '../filing/rows.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import { type FilingNetworks, roleName } from '../network/filingNetworks.ts';
import type { SideRoot } from '../network/networkRoots.ts';
import type { DebtBucket } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TrailCheck, TrailFace, TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';

/** Total financial debt of one filing and how it was found (M1.1, M1.27, M1.28, M1.37). USD, exact. */
export type DebtResolution = {
  readonly current: ExactDecimal;
  readonly noncurrent: ExactDecimal;
  readonly total: ExactDecimal;
  readonly coverage: DebtCoverage;
  readonly method: DebtMethod | null;
  readonly dataSource: DataSource;
  /** Sorted; for a resolved total the weighted values add up to it. */
  readonly details: readonly string[];
  /** Accepted extension concepts among the roots, sorted (M1.22). */
  readonly extensionRoots: readonly string[];
  /** Roots of the network with debt above zero (M1.43). */
  readonly rootedConcepts: readonly string[];
  /** False when an identity that binds is broken (M1.40). */
  readonly identitiesConsistent: boolean;
  /** True when a second admissible total disagrees (M1.36): quality Low. */
  readonly disagreement: boolean;
  /** Those totals, smallest first; empty where the liabilities side adds up, which settles the question. */
  readonly rivals: readonly ExactDecimal[];
  /** Liabilities whose names do not say whether they are debt; they enter no total (M1.36c). */
  readonly unidentified: ExactDecimal;
  readonly notes: readonly string[];
  /** Every step of the ladder, in its order, with the reason it was taken or not. */
  readonly rungs: readonly TrailRung[];
  readonly checks: readonly TrailCheck[];
  readonly roots: readonly TrailRoot[];
  /** The liabilities side by document order, where debt or its absence was read there (M1.24c). */
  readonly face: TrailFace | null;
};

export type DebtMethod =
  | 'bs_liabilities_walk'
  | 'bs_liabilities_and_equity_walk'
  | 'extension_root_rollup'
  | 'face_order'
  | 'debt_note_network'
  | 'direct_precedence'
  | 'explicit_zero'
  | 'corroborated_zero';

export type DebtInputs = {
  readonly sheet: FactSheet;
  /** Debt-activity flows of other filings that end in the year before the period (M1.37). */
  readonly activity: readonly FiledFact[];
  readonly parameters: Parameters;
  readonly networks: FilingNetworks;
  /** Both sides of the balance sheet by document order (M1.24c). */
  readonly face: FaceOrder;
  /** The filing's own files; null when they are not available. */
  readonly filing: XbrlFiling | null;
};

/** What is published while nothing may be relied on: a zero that is no measurement (M1.38). */
export const unresolvedDebt: DebtResolution = {
  current: ExactDecimal.zero,
  noncurrent: ExactDecimal.zero,
  total: ExactDecimal.zero,
  coverage: 'low_confidence_missing_debt',
  method: null,
  dataSource: 'direct_facts_fallback',
  details: [],
  extensionRoots: [],
  rootedConcepts: [],
  identitiesConsistent: true,
  disagreement: false,
  rivals: [],
  unidentified: ExactDecimal.zero,
  notes: [],
  rungs: [],
  checks: [],
  roots: [],
  face: null,
};

/** A debt that is not proven: what was found stays as its proven part, without a method to stand on (M3.3c, M1.28). */
export function unprovenTotal(
  resolution: DebtResolution,
  { note, check }: { readonly note: string | null; readonly check: TrailCheck },
): DebtResolution {
  return {
    ...resolution,
    coverage: 'low_confidence_missing_debt',
    method: null,
    notes: [...resolution.notes, ...(note === null ? [] : [note])],
    checks: [...resolution.checks, check],
  };
}

/** A debt root of the liabilities side, valued (M1.25, M1.26). */
export type NetworkDebtRoot = SideRoot<DebtBucket> & {
  /** A finance lease taken off the root before it (M1.20b). */
  readonly isLeasePart: boolean;
};

/** `C us-gaap:LongTermDebtCurrent = 316000 via us-gaap:LiabilitiesCurrent w=+1 role=BalanceSheet` (M1.28). */
export function rootDetail({ bucket, concept, value, parent, weight, role }: NetworkDebtRoot): string {
  return `${bucket} ${concept} = ${value} via ${parent} w=${weight === 1 ? '+1' : '-1'} role=${roleName(role)}`;
}
