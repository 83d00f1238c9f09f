import { type NewestReport, newestReports } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { AlphaOpportunityRow } from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { type BriefSources, scalesOf } from './briefEvidence.ts';
import { changeEvidence } from './changeEvidence.ts';
import {
  callEvidence,
  patternEvidence,
  readinessEvidence,
  sliceCaveats,
  stressRows,
  tierEvidence,
} from './sliceEvidence.ts';

const shownReports = 5;

/** The compact evidence of a morning brief with `limit` rows a board (I2.39, I4.R25.2). */
export function morningEvidence(sources: BriefSources, limit: number) {
  const { changes, market, covenantRows, topStressed, board } = sources;
  const caveats = [
    ...sliceCaveats(sources),
    'alpha_orders_research',
    ...(changes === null || changes.comparison_source_date === undefined ? ['no_comparison'] : []),
  ];
  const unproven = covenantRows
    .filter(({ figures_basis: basis }) => basis !== undefined && basis !== 'resolved')
    .map(({ ticker }) => ticker)
    .sort(compareText);
  const reports = newestReports(covenantRows, { day: sources.sourceDate, limit: shownReports });
  return {
    brief: 'morning' as const,
    source_date: sources.sourceDate,
    limit,
    ...scalesOf(sources.parameters),
    alpha_score_max: 100,
    readiness: readinessEvidence(sources),
    changes: changes === null ? null : changeEvidence(changes, { rows: covenantRows, limit }),
    // absent where no current report was read, as in slices before there were any
    ...((reports.length === 0 ? {} : { newest_reports: reports }) as {
      newest_reports?: readonly NewestReport[];
    }),
    risk_distribution: tierEvidence(sources.riskDistribution),
    top_stressed: stressRows(sources, limit),
    excluded_unclassified: sources.excludedUnclassified,
    unproven: unproven.slice(0, limit),
    unproven_count: unproven.length,
    alpha_board: board.slice(0, limit).map(boardRow),
    alpha_board_count: board.length,
    pattern: patternEvidence(topStressed),
    margin_calls: callEvidence(covenantRows),
    market,
    caveats,
  };
}

export type MorningEvidence = ReturnType<typeof morningEvidence>;

function boardRow(row: AlphaOpportunityRow, i: number) {
  return {
    board_rank: row.board_rank ?? i + 1,
    ticker: row.ticker,
    alpha_score: row.alpha_score,
    treasury_strength: row.treasury_strength,
    research_posture: row.research_posture,
    risk_tier: row.risk_tier ?? null,
    resilience_percentile: row.resilience_percentile,
  };
}

export type BoardRow = ReturnType<typeof boardRow>;
