import type { DebtCoverage, FiguresBasis, TreasuryRelevance } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { published, quotient } from '../exact/fraction.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import { cashConcepts, restrictedCash } from '../fundamentals/conceptPrecedence.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Coins as a share of total assets, 6 decimals, with the word for it. */
export type Relevance = {
  /** null when assets are not filed or coins are not proven (M3.24). */
  readonly share: number | null;
  /** null with the share (M3.25). */
  readonly word: TreasuryRelevance | null;
};

/**
 * How much of an issuer its coins are: core, material, incidental or none (M3.24, M3.25).
 *
 * @param figures.assets moved with the coins where these differ from the filed line (M3.12)
 */
export function treasuryRelevance(
  figures: {
    readonly crypto: ExactDecimal;
    readonly assets: ExactDecimal | null;
    readonly basis: FiguresBasis;
  },
  { treasuryRelevance: from }: Pick<Parameters, 'treasuryRelevance'>,
): Relevance {
  const { crypto, assets, basis } = figures;
  if (isCryptoUnproven(basis)) return { share: null, word: null };
  if (assets === null || assets.sign <= 0) return { share: null, word: null };
  const share = published(quotient(crypto, assets), 6);
  if (crypto.sign <= 0) return { share, word: 'none' };
  if (share >= from.core) return { share, word: 'core' };
  return { share, word: share >= from.material ? 'material' : 'incidental' };
}

/** Which of the two amounts of a row are proven; an unproven one is a lower bound and supports no tier (M3.3c). */
export function figuresBasis(proof: {
  readonly coverage: DebtCoverage;
  readonly isCryptoProven: boolean;
}): FiguresBasis {
  const isDebtProven = proof.coverage !== 'low_confidence_missing_debt';
  if (isDebtProven) return proof.isCryptoProven ? 'resolved' : 'crypto_unproven';
  return proof.isCryptoProven ? 'debt_unproven' : 'both_unproven';
}

/** True where D is a lower bound. */
export function isDebtUnproven(basis: FiguresBasis): boolean {
  return basis === 'debt_unproven' || basis === 'both_unproven';
}

/** True where C is a lower bound. */
export function isCryptoUnproven(basis: FiguresBasis): boolean {
  return basis === 'crypto_unproven' || basis === 'both_unproven';
}

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
  return {
    cash: sheet.firstAmount(cashConcepts) ?? totalCash(sheet),
    shortTermInvestments: sheet.firstAmount(investmentConcepts) ?? ExactDecimal.zero,
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
