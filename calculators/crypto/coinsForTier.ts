import type { DebtResolution } from '../debt/debtResolution.ts';
import { published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { stressBand } from '../stress/bands.ts';
import { stressRatio } from '../stress/stressRatio.ts';
import { adjustedCoins, type EdgeCoins, edgeNotes } from './coinsAtTheEdge.ts';
import type { CryptoHoldings } from './cryptoHoldings.ts';

/**
 * Coins with what stands at their edge named. Where the tier would be another one with the edge counted, the coins are
 * not proven and the smaller amount is published (M2.1b).
 */
export function coinsForTier({
  holdings,
  edge,
  debt,
  parameters,
}: {
  readonly holdings: CryptoHoldings;
  readonly edge: EdgeCoins;
  readonly debt: DebtResolution;
  readonly parameters: Parameters;
}): CryptoHoldings {
  const noted = { ...holdings, notes: [...holdings.notes, ...edgeNotes(edge)] };
  const adjusted = adjustedCoins(holdings, edge, debt.total);
  const isTested = holdings.isProven && holdings.amount.sign > 0 && holdings.measurement === 'fair_value';
  if (!isTested || adjusted.equals(holdings.amount)) return noted;
  const bandOf = (crypto: CryptoHoldings['amount']) =>
    stressBand(published(stressRatio({ debt: debt.total, crypto }, 0.5, parameters), 6), parameters);
  const [filed, read] = [bandOf(holdings.amount), bandOf(adjusted)];
  if (filed === read) return noted;
  const smaller = adjusted.compare(holdings.amount) < 0 ? adjusted : holdings.amount;
  return {
    ...noted,
    isProven: false,
    amount: smaller,
    carried: smaller,
    notes: [...noted.notes, `tier_depends_on_candidate:${filed}/${read}`],
    rungs: [
      ...holdings.rungs,
      { rung: 'edge', taken: true, reason: `${filed} with ${holdings.amount}, ${read} with ${adjusted}` },
    ],
  };
}
