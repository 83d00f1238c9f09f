import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** Balance-sheet totals as filed at the period end, USD; null when no concept of the member is. Equity is never derived (M10.10). */
export type BalanceFigures = {
  readonly assets: ExactDecimal | null;
  readonly equity: ExactDecimal | null;
  readonly currentLiabilities: ExactDecimal | null;
  readonly cash: ExactDecimal | null;
};
