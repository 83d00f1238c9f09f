import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { Figure } from '../figure.ts';

export type InstrumentState =
  | 'outstanding'
  | 'not_outstanding'
  | 'unconfirmed'
  | 'dated_only'
  | 'aggregate'
  | 'subsequent';

export type InstrumentRank = 'secured_by_coins' | 'secured_by_other_assets' | 'unsecured' | 'subordinated';

/** One note, loan or line of a filing (M18.10–M18.26). */
export type Instrument = {
  /** Members joined, or `line:<QName>` of a line of the face that no member explains. */
  readonly id: string;
  /** In the filer's words, taken apart from the member: `Convertible Senior Notes Due 2030`. */
  readonly name: string;
  readonly members: readonly string[];
  readonly kind: 'convertible_note' | 'note' | 'term_loan' | 'credit_line' | 'mortgage' | 'other';
  readonly state: InstrumentState;
  readonly asOf: string;
  readonly rank: InstrumentRank;
  readonly rankBasis: string;
  readonly securedBy: 'coins' | 'other_assets' | 'unknown' | null;
  readonly currency: string;
  readonly principal: Figure;
  /** Face as last filed, whether or not it is still owed; in no sum. */
  readonly faceAmount: Figure;
  readonly carryingAmount: Figure;
  readonly unamortizedCost: Figure;
  /** 0.0075 is 0.75 % a year. */
  readonly couponRate: Figure;
  readonly couponKind: 'fixed' | 'variable' | 'period_rate' | null;
  /** Over the rate it floats with; beside `variable`. */
  readonly spread: Figure;
  readonly effectiveRate: Figure;
  readonly maturityDate: Figure<string>;
  readonly issueDate: Figure<string>;
  readonly springingMaturityDate: Figure<string>;
  readonly putDate: Figure<string>;
  readonly callDate: Figure<string>;
  readonly conversionPrice: Figure;
  readonly conversionShares: Figure;
  readonly fairValue: Figure;
  /** Collateral of coins, where it is counted or valued (M18.20); units and value of the same pledge. */
  readonly pledgedUnits: Figure;
  readonly pledgedValue: Figure;
  /** The row of {@link Facilities} it is, null where it is none. */
  readonly facilityId: string | null;
  /** Filing its static terms come from where it is not the one in force (M18.90). */
  readonly termsAccession: string | null;
  /** Letters of the joins that made it one (M18.14). */
  readonly joins: readonly string[];
  readonly notes: readonly string[];
};

/** Instruments against the debt of the balance sheet (M18.22). */
export type Stack = {
  readonly status: 'ties' | 'debt_not_itemised' | 'exceeds' | 'unproven';
  /** D less the carrying amounts of outstanding instruments; null without a proven D. */
  readonly difference: ExactDecimal | null;
  /** null where the stack exceeds D. */
  readonly principal: ExactDecimal | null;
};

/** A group of facts that is no instrument, and why. */
export type RefusedGroup = { readonly members: readonly string[]; readonly reason: string };

export type Instruments = {
  /** Of all amounts; null without a fact that says it. */
  readonly currency: string | null;
  readonly found: readonly Instrument[];
  readonly refused: readonly RefusedGroup[];
  readonly stack: Stack;
  readonly notes: readonly string[];
};
