import type { IssuerResult, Slice } from '../../calculators/composeSlice.ts';
import type { Parameters } from '../../calculators/parameters.ts';
import { canonicalJson } from '../../contract/canonicalJson.ts';
import { IssuerError } from '../../contract/issuerError.ts';
import { alphaViolations, boardViolations } from './alphaInvariants.ts';
import {
  countViolations,
  covenantViolations,
  rankingViolations,
  screenViolations,
} from './sliceInvariants.ts';
import { peerRankingViolations, standingViolations, towerViolations } from './standingInvariants.ts';

/**
 * The release gate on the published values: the invariants of METHODOLOGY 15 that apply to the slice (M6.6).
 * Schemas are checked as artifacts are made, hashes when the staged build is read back.
 *
 * @throws IssuerError `validation_failed` naming the first violation and listing them all.
 */
export function releaseGate(o: {
  slice: Slice;
  results: readonly IssuerResult[];
  parameters: Parameters;
}): void {
  const { slice, parameters } = o;
  const screened = new Map(slice.covenantRows.map((row) => [row.cik, canonicalJson(row)]));
  const violations = [
    ...slice.covenantRows.flatMap(covenantViolations),
    ...slice.covenantRows.flatMap(standingViolations),
    ...screenViolations(slice.covenantRows),
    ...rankingViolations(slice.topStressed),
    ...peerRankingViolations(slice.peerRankings),
    ...towerViolations(slice.readiness),
    ...slice.board.flatMap(({ signals, stress }) => alphaViolations(signals, { row: stress, parameters })),
    ...boardViolations(slice.board),
    ...countViolations({
      rows: slice.covenantRows,
      readiness: slice.readiness,
      distributions: [slice.riskDistribution.filing, slice.riskDistribution.live],
      ranked: slice.topStressed.length,
      excludedUnclassified: slice.excludedUnclassified,
    }),
    // one number, one source: the issuer's own artifact and its row of the screen are the same
    ...o.results
      .filter((result) => screened.get(result.issuer.cik) !== canonicalJson(result.stress))
      .map((result) => `${result.stress.ticker}: the screen and the issuer's artifact differ`),
  ];
  if (violations.length === 0) return;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  throw new IssuerError({
    code: 'validation_failed',
    message: `The release gate refused the slice: ${violations[0]}${more}.`,
    hint: 'Nothing was published and the promoted release is untouched; look at the issuers named with `issuer query`.',
    details: { violations: violations.slice(0, 100) },
  });
}
