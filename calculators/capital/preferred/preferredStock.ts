import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { Figure } from '../figure.ts';

/** One class of preferred stock or redeemable shares between debt and equity (M18.40). */
export type PreferredClass = {
  readonly id: string;
  readonly name: string;
  readonly kind: 'preferred' | 'redeemable_common';
  readonly shares: Figure;
  readonly carryingAmount: Figure;
  readonly claim: Figure;
  readonly dividendRate: Figure;
  readonly annualDividend: Figure;
  /** Of the year to date, with its months. */
  readonly dividendsDeclared: (Figure & { readonly months?: number }) | null;
  readonly arrears: Figure;
  readonly notes: readonly string[];
};

export type PreferredStock = {
  readonly classes: readonly PreferredClass[];
  /** Sum of the claims; null where one of them is, but for stock that only votes. */
  readonly claim: ExactDecimal | null;
  readonly annualDividends: ExactDecimal | null;
};
