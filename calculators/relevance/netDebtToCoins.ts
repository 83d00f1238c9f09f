import type { FiguresBasis } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { published, quotient } from '../exact/fraction.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { cashConcepts, restrictedCash } from '../fundamentals/conceptPrecedence.ts';

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
  return {
    cash: first(cashConcepts) ?? totalCash(sheet),
    shortTermInvestments: first(investmentConcepts) ?? ExactDecimal.zero,
  };
}

/**
 * Cash with restricted cash, where the instance states no restricted cash: all of it is free. Companyfacts alone lacks
 * the filer's own concepts and proves nothing.
 */
function totalCash(sheet: FactSheet): ExactDecimal | null {
  if (sheet.chosen(restrictedCash)?.origin !== 'instance') return null;
  const isRestricted = sheet.facts
    .filter(
      ({ unit, start, end, value }) =>
        unit === 'USD' && start === null && end === sheet.period && value.sign !== 0,
    )
    .map(qualifiedName)
    .some((concept) => concept !== restrictedCash && /restricted\w*cash|cash\w*restricted/i.test(concept));
  return isRestricted ? null : sheet.amount(restrictedCash);
}

/**
 * (Debt − cash − short-term investments) / coins, 6 decimals; negative is net cash. null without a part, and over coins
 * at cost, which are only known to be worth more (M3.26, M3.10b).
 */
export function netDebtToCoins({
  debt,
  crypto,
  liquid,
  basis,
  areCoinsAtCost,
}: {
  readonly debt: ExactDecimal;
  readonly crypto: ExactDecimal;
  readonly liquid: LiquidFunds;
  readonly basis: FiguresBasis;
  readonly areCoinsAtCost: boolean;
}): number | null {
  const { cash, shortTermInvestments } = liquid;
  if (basis !== 'resolved' || areCoinsAtCost || cash === null || crypto.sign <= 0) return null;
  return published(quotient(debt.minus(cash).minus(shortTermInvestments), crypto), 6);
}
