import type { DuckDBConnection } from '@duckdb/node-api';
import type { Slice } from '../../../calculators/composeSlice.ts';
import { roundHalfUp } from '../../../calculators/exact/decimals.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { insertRows, type Row } from '../build/insertRows.ts';
import { inTransaction } from '../build/readRows.ts';

type Night = { readonly sourceDate: string; readonly methodVersion: string };

/**
 * Writes the scores, ranks and cross-sections of one night behind views `alpha` and `cross_sections`, in place of
 * earlier rows of the same source_date and method version (M3.15, M10.4).
 *
 * @throws IssuerError `store_unwritable` when the disk does not take them.
 */
export async function writeAlphaRows(
  connection: DuckDBConnection,
  slice: Slice,
  night: Night,
): Promise<void> {
  await inTransaction(connection, () => putAlphaRows(connection, [{ ...night, slice }]));
}

/** As {@link writeAlphaRows}, for several nights inside the caller's transaction. */
export async function putAlphaRows(
  connection: DuckDBConnection,
  nights: readonly (Night & { readonly slice: Slice })[],
): Promise<void> {
  for (const { sourceDate: date, methodVersion: version } of nights) {
    for (const table of ['alpha_row', 'cross_section_row']) {
      await connection.run(
        `DELETE FROM ${table} WHERE source_date = $date::DATE AND method_version = $version`,
        { date, version },
      );
    }
  }
  const rows = nights.flatMap((night) => alphaRows(night.slice, night));
  await insertRows(connection, { table: 'alpha_row', rows });
  const sections = nights.flatMap((night) => sectionRows(night.slice, night));
  await insertRows(connection, { table: 'cross_section_row', rows: sections });
}

function alphaRows(slice: Slice, { sourceDate, methodVersion }: Night): Row[] {
  const ranks = new Map(slice.peerRankings.map((row) => [row.cik, row]));
  const assessed = new Map(slice.issuers.map((issuer) => [issuer.issuer.cik, issuer.assessed]));
  return slice.board.map(({ stress: { cik, ticker }, position, signals, ...entry }) => {
    const one = assessed.get(cik);
    const standing = (one?.live ?? one?.base)?.standing ?? null;
    const cushion = standing?.raw.ecs ?? null;
    const rank = ranks.get(cik);
    const { alpha_score_breakdown: pillars, debt_cleanliness_breakdown: cleanliness } = signals;
    return {
      // of the signals and their parts those a column is named for
      ...{ ...pillars, ...signals.stress_resilience_breakdown, ...signals.regime_fit_breakdown },
      ...{ ...signals.treasury_strength_breakdown, ...signals },
      ...{ coverage_points: cleanliness.coverage, source_points: cleanliness.source },
      ...{ quality_points: cleanliness.quality, treasury_strength_score: pillars.treasury_strength },
      ...{ cik, ticker, issuer_type: position.issuer.issuerType },
      equity_cushion: cushion === null ? null : roundHalfUp(cushion, 6),
      ...{ own_z: standing?.ownZ ?? null, market_z: standing?.mpZ ?? null },
      ...{ peer_rank: rank?.peer_rank ?? null, peer_percentile: rank?.percentile ?? null },
      ...{ unranked_reason: slice.unranked.get(cik) ?? null, failed_gate: entry.failedGate },
      ...{ raw_rank: entry.rawRank, board_rank: entry.boardRank, rank_delta: entry.rankDelta },
      ...{ source_date: sourceDate, method_version: methodVersion, payload: canonicalJson(signals) },
    };
  });
}

function sectionRows({ statistics }: Slice, { sourceDate, methodVersion }: Night): Row[] {
  const bases = { filing: statistics.base, live: statistics.live };
  return Object.entries(bases).flatMap(([basis, sections]) =>
    Object.entries(sections).flatMap(([indicator, section]) =>
      section === null
        ? []
        : [
            {
              ...{ basis, indicator, issuers: section.n, median: section.median, mad: section.mad },
              ...{ mean_deviation: section.meanDeviation, source_date: sourceDate },
              method_version: methodVersion,
            },
          ],
    ),
  );
}
