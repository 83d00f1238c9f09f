import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CryptoInputs } from './cryptoInputs.ts';
import { adoptedFairValue } from './fiscalYearStart.ts';
import { statedFairValues } from './statedFairValues.ts';

/**
 * True when the filing measures its coins at fair value: its fiscal year begins after the adoption day, or it states
 * that very amount as a fair value of coins at the period end (M2.1, M2.1c). Early adopters are known by the latter; coins
 * at cost less impairment are stated with another fair value, or with none.
 */
export function measuredAtFairValue(
  { sheet, filing, parameters }: Pick<CryptoInputs, 'sheet' | 'filing' | 'parameters'>,
  amount: ExactDecimal,
): boolean {
  if (adoptedFairValue(sheet, parameters)) return true;
  return (
    amount.sign > 0 &&
    statedFairValues({ sheet, filing, concepts: parameters.concepts }).some((value) => value.equals(amount))
  );
}
