import type { CovenantStress } from '../contract/covenantStress.ts';
import type { ReadinessArtifact } from '../contract/readiness.ts';
import type { RiskDistribution } from '../contract/riskDistribution.ts';
import type { TopStressedRow } from '../contract/topStressed.ts';
import { compareText } from './compareText.ts';
import type { IssuerResult } from './computeIssuer.ts';
import { readinessOf } from './slice/readinessOf.ts';
import { riskDistributionOf } from './slice/riskDistributionOf.ts';
import type { SliceMembership } from './slice/timeWindows.ts';
import { topStressedRows } from './slice/topStressedRows.ts';
import type { SliceContext } from './sliceContext.ts';

/** The payloads of a whole slice. */
export type Slice = {
  readonly readiness: ReadinessArtifact;
  readonly riskDistribution: { readonly filing: RiskDistribution; readonly live: RiskDistribution };
  readonly topStressed: readonly TopStressedRow[];
  /** stress_50pct descending, then ticker ascending (I2.6). */
  readonly covenantRows: readonly CovenantStress[];
  /** Issuers left out of the top-stressed list because they have no tier (I2.48). */
  readonly excludedUnclassified: number;
};

/**
 * Puts the rows of a slice together: order, distribution, ranking, readiness (I2.6, I2.46–I2.49).
 *
 * @param o.history earlier slices, for the time windows; a row of the slice's own date is replaced
 */
export function composeSlice(
  results: readonly IssuerResult[],
  o: { context: SliceContext; history: readonly SliceMembership[] },
): Slice {
  const { context, history } = o;
  const covenantRows = results
    .map((result) => result.stress)
    .sort(
      (a, b) =>
        b.stress_50pct - a.stress_50pct || compareText(a.ticker, b.ticker) || compareText(a.cik, b.cik),
    );
  const topStressed = topStressedRows(covenantRows);
  return {
    readiness: readinessOf({
      rows: covenantRows,
      filings: results.map((result) => result.filing),
      history,
      context,
    }),
    riskDistribution: {
      filing: riskDistributionOf(covenantRows, 'filing', context),
      live: riskDistributionOf(covenantRows, 'live', context),
    },
    topStressed,
    covenantRows,
    excludedUnclassified: covenantRows.length - topStressed.length,
  };
}
