import type { FiguresBasis } from '../../data/contract/values/enums.ts';
import { published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { figuresBasis } from '../relevance/figuresBasis.ts';
import { netDebtToCoins } from '../relevance/netDebtToCoins.ts';
import { type Relevance, treasuryRelevance } from '../relevance/treasuryRelevance.ts';
import { type StressTier, stressBand } from '../stress/bands.ts';
import { stressRatio } from '../stress/stressRatio.ts';
import type { IssuerPosition } from './positionIssuer.ts';

/** What a position's figures support: a ratio, a tier, a place among others. */
export type Judgement = {
  /** Which of debt and coins are proven (M3.3c). */
  readonly figuresBasis: FiguresBasis;
  readonly relevance: Relevance;
  /** (D − cash − short-term investments) / C (M3.26). */
  readonly netDebtToCoins: number | null;
  /** Both figures are proven and there are coins to measure debt against (M3.3). */
  readonly isStressPresent: boolean;
  /** The band a stress on cost less impairment would have, where it is not LOW: it proves none (M3.10b). */
  readonly tierAtMost: StressTier | null;
  /** An override of M3.10 holds. */
  readonly isUnclassified: boolean;
  /** The row may be ranked, averaged and compared (M3.27). */
  readonly isJudged: boolean;
};

/**
 * Says whether a position may carry a tier and be compared with others (M3.3c, M3.10, M3.25–M3.27).
 *
 * @param position.isBarred its type, age or quality forbids a tier
 */
export function judgePosition(
  position: Pick<IssuerPosition, 'debt' | 'holdings' | 'balance' | 'liquid'> & {
    readonly isBarred: boolean;
  },
  parameters: Parameters,
): Judgement {
  const { debt, holdings, balance, liquid } = position;
  const basis = figuresBasis({ coverage: debt.coverage, isCryptoProven: holdings.isProven });
  const isStressPresent = basis === 'resolved' && holdings.amount.sign > 0;
  const assets = balance.assets?.plus(holdings.amount.minus(holdings.carried)) ?? null;
  const relevance = treasuryRelevance({ crypto: holdings.amount, assets, basis }, parameters);
  const isBelowNotice = relevance.word === 'incidental' || relevance.word === 'none';
  const exposure = { debt: debt.total, crypto: holdings.amount };
  const band = stressBand(published(stressRatio(exposure, 0.5, parameters), 6), parameters);
  const areCoinsAtCost = holdings.measurement === 'carrying_lower_bound';
  const isBound = isStressPresent && areCoinsAtCost;
  const tierAtMost = isBound && band !== 'LOW' ? band : null;
  const isUnclassified = !isStressPresent || isBelowNotice || tierAtMost !== null || position.isBarred;
  return {
    figuresBasis: basis,
    relevance,
    isStressPresent,
    tierAtMost,
    isUnclassified,
    netDebtToCoins: netDebtToCoins({ ...exposure, liquid, basis, areCoinsAtCost }),
    isJudged: !isUnclassified && relevance.word !== null,
  };
}
