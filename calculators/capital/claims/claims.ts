import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';

export const claimClasses = [
  'secured_by_coins',
  'secured_by_other_assets',
  'unsecured_convertible',
  'unsecured',
  'debt_not_itemised',
  'other_liabilities',
  'subordinated',
  'preferred',
  'common',
] as const;

export type ClaimClass = (typeof claimClasses)[number];

export type ClaimLens = 'coins_only' | 'all_assets';

/** What one instrument of a class gets; of secured loans each has coins of its own. */
export type InstrumentClaim = {
  readonly instrumentId: string;
  readonly claim: ExactDecimal;
  readonly paid: ExactDecimal | null;
  readonly recovery: number | null;
};

/** One class of claimants after one fall (M18.50–M18.53). */
export type ClaimLine = {
  readonly class: ClaimClass;
  /** 1 is paid first; the two unsecured classes share one. null outside the pool. */
  readonly rank: number | null;
  readonly claim: ExactDecimal;
  /** Cents where it is a share; of common what is left of the pool. */
  readonly paid: ExactDecimal | null;
  /** 0 to 1, six decimals; null outside the pool, without a claim, and of common. */
  readonly recovery: number | null;
  readonly instruments: readonly InstrumentClaim[];
};

export type Claims = {
  readonly lens: ClaimLens;
  /** 0.5 is a fall of 50 %. */
  readonly shock: number;
  readonly pool: ExactDecimal;
  readonly lines: readonly ClaimLine[];
  readonly commonResidual: ExactDecimal;
  readonly commonPerShare: ExactDecimal | null;
  /** The coins are a lower bound (cost less impairment), and so are the recoveries. */
  readonly isLowerBound: boolean;
  readonly notes: readonly string[];
};

/** Coins that stand behind one instrument before anyone else is paid (M18.51), at the basis of C and before any fall. */
export type OwnCollateral = {
  readonly instrumentId: string;
  readonly value: ExactDecimal;
  readonly basis: 'share_of_coins' | 'filed_value';
};

/** What claims are paid from and who has them, as one filing states it. */
export type ClaimBase = {
  /** C; null where the filing states no coins. */
  readonly coins: ExactDecimal | null;
  /** The coins inside the filed assets. */
  readonly carried: ExactDecimal;
  readonly isLowerBound: boolean;
  /** Pledged coins that stand as a receivable, outside C and inside assets (M2.1b). */
  readonly pledgedReceivable: ExactDecimal;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  readonly assets: ExactDecimal | null;
  readonly goodwill: ExactDecimal;
  /** Intangible assets that are no coins. */
  readonly intangibles: ExactDecimal;
  readonly liabilities: ExactDecimal | null;
  readonly deferredTax: ExactDecimal;
  /** Liabilities that are settled in shares: warrants, earn-outs, agreements for future equity. */
  readonly shareSettled: ExactDecimal;
  readonly collateral: readonly OwnCollateral[];
};
