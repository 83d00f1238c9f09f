import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** The exact sum of amounts; zero for none (M10.9). */
export function sumOf(amounts: readonly ExactDecimal[]): ExactDecimal {
  return amounts.reduce((sum, amount) => sum.plus(amount), ExactDecimal.zero);
}
