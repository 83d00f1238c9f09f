import type { DebtResolution } from '../debt/result/debtResolution.ts';
import { published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { stressBand } from '../stress/bands.ts';
import { stressRatio } from '../stress/stressRatio.ts';
import { adjustedCoins, type EdgeCoins, edgeNotes } from './coinsAtTheEdge.ts';
import type { CryptoHoldings } from './cryptoHoldings.ts';

/**
 * Coins with what stands at their edge named. Where the tier would be another one with the edge counted, or with assets
 * that no line explains, the coins are not proven and the smaller amount is published (M2.1b, M2.4c).
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
  const most = holdings.amount.plus(holdings.unexplained);
  if (!isTested) return noted;
  const bandOf = (crypto: CryptoHoldings['amount']) =>
    stressBand(published(stressRatio({ debt: debt.total, crypto }, 0.5, parameters), 6), parameters);
  const filed = bandOf(holdings.amount);
  const other = [adjusted, most].find((amount) => bandOf(amount) !== filed);
  if (other === undefined) return noted;
  const read = bandOf(other);
  const smaller = other.compare(holdings.amount) < 0 ? other : holdings.amount;
  return {
    ...noted,
    isProven: false,
    // a side that does not add up is damage, an edge is a choice
    disagreement: noted.disagreement || other === most,
    amount: smaller,
    carried: smaller,
    notes: [...noted.notes, `tier_depends_on_candidate:${filed}/${read}`],
    rungs: [
      ...holdings.rungs,
      { rung: 'edge', taken: true, reason: `${filed} with ${holdings.amount}, ${read} with ${other}` },
    ],
  };
}
