import { sideResiduals, unexplained } from '../debt/sideResiduals.ts';
import { exceeds } from '../exact/closeTo.ts';
import type { AssetsSide } from './assetsSide.ts';
import type { CryptoHoldings } from './cryptoHoldings.ts';
import type { CryptoInputs } from './cryptoInputs.ts';
import { statedFairValues } from './statedFairValues.ts';

/** Totals of the assets side that have to add up, and where the coin lines hang. */
const assetTotals = /:(Assets(Current|Noncurrent)?|(Current|Noncurrent)Assets)$/;

/**
 * Coins that a walk found, held against the fair values the filing states elsewhere, and what the totals of the side leave
 * unexplained (M2.4c). A larger value that the assets could hold says that lines of the walk lack a name: the coins are
 * not proven and the walk's amount is their proven part. A smaller one is a part or a footnote (T10); coins at cost have
 * a larger fair value by nature.
 */
export function completeCoins(
  holdings: CryptoHoldings,
  side: AssetsSide,
  { filing, parameters }: Pick<CryptoInputs, 'filing' | 'parameters'>,
): CryptoHoldings {
  if (holdings.measurement !== 'fair_value') return holdings;
  const { amount } = holdings;
  const { sheet, network, start } = side;
  const assets = sheet.amount('us-gaap:Assets');
  const parents = [...network.concepts, start].filter((concept) => assetTotals.test(concept));
  const residuals = sideResiduals({ network, sheet }, { start, parents, parameters });
  const open = unexplained(residuals.filter(({ concept }) => parents.includes(concept)));
  const [largest] = statedFairValues({ sheet, filing, concepts: parameters.concepts })
    .filter((value) => exceeds(value, amount, parameters.cryptoDisagreement))
    .filter((value) => assets === null || value.compare(assets) <= 0)
    .toSorted((a, b) => b.compare(a));
  if (largest === undefined) return { ...holdings, unexplained: open };
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
