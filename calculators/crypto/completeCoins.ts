import { exceeds } from '../exact/closeTo.ts';
import type { CryptoHoldings } from './cryptoHoldings.ts';
import type { CryptoInputs } from './cryptoInputs.ts';
import { statedFairValues } from './statedFairValues.ts';

/**
 * Coins that a walk found, held against the fair values the filing states elsewhere (M2.4c). A larger one that the assets
 * could hold says that lines of the walk lack a name: the coins are not proven and the walk's amount is their proven
 * part. A smaller one is a part or a footnote (T10); coins at cost have a larger fair value by nature.
 */
export function completeCoins(
  holdings: CryptoHoldings,
  { sheet, filing, parameters }: Pick<CryptoInputs, 'sheet' | 'filing' | 'parameters'>,
): CryptoHoldings {
  if (holdings.measurement !== 'fair_value') return holdings;
  const { amount } = holdings;
  const assets = sheet.amount('us-gaap:Assets');
  const [largest] = statedFairValues(sheet, filing)
    .filter((value) => exceeds(value, amount, parameters.cryptoDisagreement))
    .filter((value) => assets === null || value.compare(assets) <= 0)
    .toSorted((a, b) => b.compare(a));
  if (largest === undefined) return holdings;
  return {
    ...holdings,
    isProven: false,
    disagreement: true,
    notes: [...holdings.notes, `crypto_candidates_disagree:${amount}/${largest}`],
    rungs: [
      ...holdings.rungs,
      {
        rung: 'stated_fair_values',
        taken: true,
        reason: `the lines add up to ${amount}, the filing states ${largest}`,
      },
    ],
  };
}
