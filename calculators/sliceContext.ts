import type { CompanyFundamentals } from '../contract/companyFundamentals.ts';
import type { CovenantStress } from '../contract/covenantStress.ts';
import type { ReadinessArtifact } from '../contract/readiness.ts';
import type { RiskDistribution } from '../contract/riskDistribution.ts';
import type { TopStressedRow } from '../contract/topStressed.ts';
import type { Parameters } from './parameters.ts';
import type { PriceBook } from './priceBook.ts';
import type { Filing, Issuer } from './rows.ts';

/** What every row of a slice shares: its date, the plan's instant, closes and thresholds (M0.13). */
export type SliceContext = {
  readonly sourceDate: string;
  /** The plan's `as_of`, published as `computed_at_utc`. */
  readonly asOf: string;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
  /** True when a past date is built later (`selection_strategy` as_of_source_date). */
  readonly backfilled: boolean;
};

/** The payloads of one issuer. */
export type IssuerResult = {
  readonly issuer: Issuer;
  readonly filing: Filing;
  readonly stress: CovenantStress;
  readonly fundamentals: CompanyFundamentals;
};

/** A past slice: its date and the issuers that have a row in it. */
export type SliceMembership = { readonly sourceDate: string; readonly ciks: readonly string[] };

/** The payloads of a whole slice. */
export type Slice = {
  readonly readiness: ReadinessArtifact;
  readonly riskDistribution: { readonly filing: RiskDistribution; readonly live: RiskDistribution };
  readonly topStressed: readonly TopStressedRow[];
  /** In the order of I2.6. */
  readonly covenantRows: readonly CovenantStress[];
  readonly excludedUnclassified: number;
};
