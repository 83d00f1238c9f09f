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

/** One class of claimants after one fall (M18.50–M18.52). */
export type ClaimLine = {
  readonly class: ClaimClass;
  /** 1 is paid first; the two unsecured classes share one. null outside the pool. */
  readonly rank: number | null;
  readonly claim: ExactDecimal;
  readonly paid: ExactDecimal | null;
  /** 0 to 1, six decimals. */
  readonly recovery: number | null;
};

export type Claims = {
  readonly lens: 'coins_only' | 'all_assets';
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
