import type { FigureDoubt } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import type { FiguresBasis, RiskTier } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { ResolutionTrail } from '../trail/resolutionTrail.ts';

/** A published row as far as its figures are looked over. */
export type ReviewedRow = {
  readonly sourceDate: string;
  readonly cik: string;
  /** The CIK for an issuer without a ticker (I1.18). */
  readonly ticker: string;
  readonly accession: string;
  readonly period: string;
  /** Versions the row was computed by. */
  readonly method: string;
  readonly debt: ExactDecimal;
  readonly crypto: ExactDecimal;
  readonly stress50: number;
  readonly riskTier: RiskTier;
  readonly basis: FiguresBasis;
  readonly share: number | null;
  readonly notes: readonly string[];
  /** null for a row that kept none. */
  readonly trail: ResolutionTrail | null;
};

/** A row with what came before it; null where that is not available. */
export type ReviewedIssuer = {
  readonly now: ReviewedRow;
  /** The newest row of an older balance sheet. */
  readonly earlierFiling: ReviewedRow | null;
  /** The row of the slice before, from any filing. */
  readonly nightBefore: ReviewedRow | null;
  /** Figures of older balance sheets that a later filing contradicts (M12.18). */
  readonly contradicted: readonly ContradictedFigure[];
};

/** A figure that was published as proven and that the comparatives of a later filing give another amount. */
export type ContradictedFigure = {
  readonly figure: 'debt' | 'coins';
  readonly period: string;
  readonly finding: string;
};

/** A doubt before it is weighed by ratio and tier. */
export type RaisedDoubt = Pick<FigureDoubt, 'figure' | 'kind' | 'finding'> & {
  /** The other amount, or the ratio of an earlier row; none where no number is known. */
  readonly other?:
    | { readonly debt: ExactDecimal }
    | { readonly crypto: ExactDecimal }
    | { readonly stress50: number };
  /** True where this may be why a figure is not proven, or the tier not given. */
  readonly isProof?: boolean;
  /** True for a doubt that says nothing where another one explains the same. */
  readonly isRest?: boolean;
};
