import type { PeriodAmounts } from '../../calculators/visual/chart/debtAndCoins.ts';

/**
 * The periods with a place for each that the issuer's rhythm would have had and no slice holds: its month without amounts
 * (V51). The rhythm is a quarter, half a year or a year, by the shortest step. Ascending by date.
 */
export function withMissingPeriods(periods: readonly PeriodAmounts[]): PeriodAmounts[] {
  const steps = periods
    .slice(1)
    .map(({ period }, i) => months(period) - months(periods[i]?.period ?? period));
  const shortest = Math.min(...steps.filter((step) => step > 1));
  // quarters of 52 weeks may end in the first days of the next month
  const rhythm = shortest <= 4 ? 3 : shortest <= 8 ? 6 : 12;
  return periods.flatMap((one, i) => {
    const step = steps[i - 1] ?? 0;
    const missing = i === 0 ? 0 : Math.max(0, Math.round(step / rhythm) - 1);
    const places = Array.from({ length: missing }, (_, k) => ({
      period: monthText(months(one.period) - (missing - k) * rhythm),
      debt: null,
      coins: null,
    }));
    return [...places, one];
  });
}

const months = (period: string): number => Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1;
const monthText = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
