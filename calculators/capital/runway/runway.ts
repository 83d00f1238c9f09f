import type { Figure } from '../figure.ts';

/** How long the cash lasts (M18.60–M18.66), counted from the day asked. */
export type Runway = {
  readonly asOf: string;
  readonly periodEnd: string;
  readonly currency: string;
  /** At the period end. */
  readonly cash: Figure;
  /** On the day asked: cash less burn, dividends and dues since the period end. */
  readonly cashOnDay: Figure;
  readonly restrictedCash: Figure;
  /** A month; negative burns. */
  readonly monthlyOperatingCash: Figure;
  readonly monthlyOperatingCashWithoutCoins: Figure;
  /** Months that the operating cash flow covers. */
  readonly flowMonths: number | null;
  readonly coinSaleProceeds: Figure;
  readonly annualInterest: Figure;
  readonly interestPaid: Figure;
  readonly annualPreferredDividends: Figure;
  readonly dividendsDeclared: Figure;
  readonly due12m: Figure;
  readonly due24m: Figure;
  readonly due24mIfPut: Figure;
  readonly monthsOfCash: Figure<number>;
  readonly monthsAfterDividends: Figure<number>;
  /** A month `YYYY-MM`, or `none_in_60`. */
  readonly firstShortfallMonth: Figure<string>;
  readonly shortfall12m: Figure;
  readonly freeCoinValue: Figure;
  readonly shareOfFreeCoins: Figure<number>;
  readonly notes: readonly string[];
};
