import type { DuckDBConnection } from '@duckdb/node-api';
import type { ScoredSignals } from '../../../calculators/alpha/alphaSignalsOf.ts';
import type { Slice } from '../../../calculators/composeSlice.ts';
import { roundHalfUp } from '../../../calculators/exact/decimals.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { inTransaction } from '../build/readRows.ts';

/** Columns of points, each with where the signals hold it. */
const points: Readonly<Record<string, (signals: ScoredSignals) => number>> = {
  alpha_score: (signals) => signals.alpha_score,
  debt_cleanliness: (signals) => signals.alpha_score_breakdown.debt_cleanliness,
  stress_resilience: (signals) => signals.alpha_score_breakdown.stress_resilience,
  regime_fit: (signals) => signals.alpha_score_breakdown.regime_fit,
  treasury_strength_score: (signals) => signals.alpha_score_breakdown.treasury_strength,
  coverage_points: (signals) => signals.debt_cleanliness_breakdown.coverage,
  source_points: (signals) => signals.debt_cleanliness_breakdown.source,
  quality_points: (signals) => signals.debt_cleanliness_breakdown.quality,
  inverse_live_stress: (signals) => signals.stress_resilience_breakdown.inverse_live_stress,
  delta_stability_proxy: (signals) => signals.stress_resilience_breakdown.delta_stability_proxy,
  debt_buffer_strength: (signals) => signals.stress_resilience_breakdown.debt_buffer_strength,
  treasury_cushion: (signals) => signals.stress_resilience_breakdown.treasury_cushion,
  stress_alignment: (signals) => signals.regime_fit_breakdown.stress_alignment,
  peer_relative_strength: (signals) => signals.regime_fit_breakdown.peer_relative_strength,
  treasury_regime_bonus: (signals) => signals.regime_fit_breakdown.treasury_regime_bonus,
  tower_participation_modifier: (signals) => signals.regime_fit_breakdown.tower_participation_modifier,
  asset_ratio: (signals) => signals.treasury_strength_breakdown.asset_ratio,
  net_coverage: (signals) => signals.treasury_strength_breakdown.net_coverage,
  disclosure: (signals) => signals.treasury_strength_breakdown.disclosure,
};
const alphaColumns = [
  ...['cik', 'ticker', 'issuer_type', ...Object.keys(points)],
  ...['treasury_strength', 'dominant_treasury_asset', 'research_posture'],
  ...['equity_cushion', 'own_z', 'market_z', 'peer_rank', 'peer_percentile', 'unranked_reason'],
  ...[
    'raw_rank',
    'board_rank',
    'rank_delta',
    'failed_gate',
    'market_regime',
    'tower_status',
    'tower_coherence',
  ],
  ...['source_date', 'method_version', 'payload'],
];
const sectionColumns = [
  ...['basis', 'indicator', 'issuers', 'median', 'mad', 'mean_deviation', 'source_date', 'method_version'],
];

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
  await insertRows(connection, {
    table: 'alpha_row',
    columns: alphaColumns,
    rows: nights.flatMap((night) => alphaRows(night.slice, night)),
  });
  await insertRows(connection, {
    table: 'cross_section_row',
    columns: sectionColumns,
    rows: nights.flatMap((night) => sectionRows(night.slice, night)),
  });
}

function alphaRows(slice: Slice, { sourceDate, methodVersion }: Night): Cell[][] {
  const ranks = new Map(slice.peerRankings.map((row) => [row.cik, row]));
  const assessed = new Map(slice.issuers.map((issuer) => [issuer.issuer.cik, issuer.assessed]));
  return slice.board.map((entry) => {
    const { cik } = entry.stress;
    const one = assessed.get(cik);
    const standing = (one?.live ?? one?.base)?.standing ?? null;
    const cushion = standing?.raw.ecs ?? null;
    const rank = ranks.get(cik);
    return [
      ...[cik, entry.stress.ticker, entry.position.issuer.issuerType],
      ...Object.values(points).map((read) => read(entry.signals)),
      ...[entry.signals.treasury_strength, entry.signals.dominant_treasury_asset],
      entry.signals.research_posture,
      ...[cushion === null ? null : roundHalfUp(cushion, 6), standing?.ownZ ?? null, standing?.mpZ ?? null],
      ...[rank?.peer_rank ?? null, rank?.percentile ?? null, slice.unranked.get(cik) ?? null],
      ...[entry.rawRank, entry.boardRank, entry.rankDelta, entry.failedGate],
      ...[entry.signals.market_regime, entry.signals.tower_status, entry.signals.tower_coherence],
      ...[sourceDate, methodVersion, canonicalJson(entry.signals)],
    ];
  });
}

function sectionRows({ statistics }: Slice, { sourceDate, methodVersion }: Night): Cell[][] {
  const bases = [
    ['filing', statistics.base],
    ['live', statistics.live],
  ] as const;
  return bases.flatMap(([basis, sections]) =>
    Object.entries(sections).flatMap(([indicator, section]) =>
      section === null
        ? []
        : [
            [
              ...[basis, indicator, section.n, section.median, section.mad, section.meanDeviation],
              ...[sourceDate, methodVersion],
            ],
          ],
    ),
  );
}
