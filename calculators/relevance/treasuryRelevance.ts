import type { FiguresBasis, TreasuryRelevance } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { published, quotient } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { isCryptoUnproven } from './figuresBasis.ts';

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
