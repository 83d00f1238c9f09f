import type { FiguresBasis } from '../../contract/values/enums.ts';
import { ExactDecimal } from '../../contract/values/exactDecimal.ts';
import { published, quotient } from '../exact/fraction.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { cashConcepts } from '../fundamentals/conceptPrecedence.ts';

/** What could repay debt without touching coins, USD as filed; restricted cash is not part of it. */
export type LiquidFunds = {
  /** null when no cash line is filed. */
  readonly cash: ExactDecimal | null;
  readonly shortTermInvestments: ExactDecimal;
};

const investmentConcepts = [
  'us-gaap:ShortTermInvestments',
  'us-gaap:MarketableSecuritiesCurrent',
  'us-gaap:AvailableForSaleSecuritiesDebtSecuritiesCurrent',
];

/** Cash and short-term investments, the first filed concept of each (M3.26). */
export function liquidFunds(sheet: FactSheet): LiquidFunds {
  const first = (concepts: readonly string[]) =>
    concepts.map((concept) => sheet.amount(concept)).find((amount) => amount !== null) ?? null;
  return { cash: first(cashConcepts), shortTermInvestments: first(investmentConcepts) ?? ExactDecimal.zero };
}

/** (Debt − cash − short-term investments) / coins, 6 decimals; negative is net cash, null without a part (M3.26). */
export function netDebtToCoins({
  debt,
  crypto,
  liquid,
  basis,
}: {
  readonly debt: ExactDecimal;
  readonly crypto: ExactDecimal;
  readonly liquid: LiquidFunds;
  readonly basis: FiguresBasis;
}): number | null {
  const { cash, shortTermInvestments } = liquid;
  if (basis !== 'resolved' || cash === null || crypto.sign <= 0) return null;
  return published(quotient(debt.minus(cash).minus(shortTermInvestments), crypto), 6);
}
