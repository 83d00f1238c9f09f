import type {
  AlphaAuditRow,
  AlphaOpportunitiesAuditArtifact,
} from '../../data/contract/payloads/universe/alphaOpportunitiesAudit.ts';
import {
  type BoardGate,
  boardGates,
  type IssuerType,
  issuerTypes,
} from '../../data/contract/values/enums.ts';
import { vehicleTypes } from '../position/gradePosition.ts';
import type { TowerState } from '../slice/towerState.ts';
import type { BoardEntry } from './opportunityBoard.ts';

/** The board views an audit explains: the default one, all issuers, or those of one type (I4.R07.2). */
export type AuditView = 'default' | 'all' | IssuerType;
export const auditViews: readonly AuditView[] = ['default', 'all', ...issuerTypes];

/** Every scored issuer in raw order, with the gate that excluded it from the board (I2.16, M5.19). */
export function auditRows(board: readonly BoardEntry[]): AlphaAuditRow[] {
  return board
    .toSorted((a, b) => a.rawRank - b.rawRank)
    .map((entry) => ({
      ticker: entry.stress.ticker,
      cik: entry.stress.cik,
      entity_name: entry.stress.entity_name ?? entry.stress.ticker,
      issuer_type: entry.position.issuer.issuerType,
      alpha_score: entry.signals.alpha_score,
      raw_rank: entry.rawRank,
      board_rank: entry.boardRank,
      rank_delta: entry.rankDelta,
      failed_gate: entry.failedGate,
    }));
}

/**
 * Counts what the gates excluded from one view of the board, and what they demoted (I2.15, I2.16, M5.19).
 *
 * The gates and ranks are those of the whole slice; a view of one type counts that type's rows.
 */
export function boardAudit(
  board: readonly BoardEntry[],
  {
    view,
    sourceDate,
    regime,
    tower,
  }: {
    readonly view: AuditView;
    readonly sourceDate: string;
    readonly regime: AlphaOpportunitiesAuditArtifact['market_regime'];
    readonly tower: TowerState;
  },
): AlphaOpportunitiesAuditArtifact {
  const isWhole = view === 'default' || view === 'all';
  const entries = board.filter(({ position }) => isWhole || position.issuer.issuerType === view);
  const rows = auditRows(entries);
  const demotions = rows.map((row) => row.rank_delta ?? 0).filter((delta) => delta < 0);
  const deltas = rows.map((row) => Math.abs(row.rank_delta ?? 0));
  return {
    source_date: sourceDate,
    default_filter: {
      excluded_issuer_types: [...vehicleTypes],
      excludes_unresolved_identity: true,
    },
    issuer_type_summary: counted(
      issuerTypes,
      (type) => rows.filter((row) => row.issuer_type === type).length,
    ),
    identity_summary: {
      total_rows: rows.length,
      publishable_rows: rows.filter((row) => row.failed_gate !== 'identity_unresolved').length,
      with_ticker: entries.filter(({ position }) => position.issuer.ticker !== null).length,
      without_ticker: entries.filter(({ position }) => position.issuer.ticker === null).length,
      cik_duplicates: rows.length - new Set(rows.map((row) => row.cik)).size,
      default_issuer_type_excluded: rows.filter((row) => row.failed_gate === 'issuer_type').length,
    },
    quality_gate_summary: counted(
      boardGates,
      (gate) => rows.filter((row) => row.failed_gate === gate).length,
    ),
    rank_delta_summary: {
      rows_with_demotion: demotions.length,
      max_rank_delta: deltas.reduce((largest, delta) => Math.max(largest, delta), 0),
    },
    recommended_drilldowns: drilldowns(rows),
    caveats: ['board_rank_is_not_raw_alpha_rank'],
    market_regime: regime ?? 'unavailable',
    tower_status: tower.status,
    tower_coherence: tower.coherence,
  };
}

/** The first issuer of each gate in raw order, and the most demoted one. */
function drilldowns(rows: readonly AlphaAuditRow[]) {
  const failed = boardGates.flatMap((gate: BoardGate) => {
    const row = rows.find(({ failed_gate }) => failed_gate === gate);
    return row === undefined ? [] : [drilldown(`failed gate ${gate}`, row)];
  });
  const [demoted] = rows
    .filter(({ rank_delta }) => rank_delta !== null && rank_delta < 0)
    .toSorted(
      (a, b) => (a.rank_delta ?? 0) - (b.rank_delta ?? 0) || (a.board_rank ?? 0) - (b.board_rank ?? 0),
    );
  return demoted === undefined ? failed : [...failed, drilldown('largest demotion', demoted)];
}

function drilldown(reason: string, { ticker }: AlphaAuditRow) {
  return { reason, route: 'GET /v1/alpha-signals/{ticker}', args: { ticker } };
}

function counted<K extends string>(keys: readonly K[], count: (key: K) => number): { [P in K]?: number } {
  return Object.fromEntries(keys.map((key) => [key, count(key)] as const).filter(([, n]) => n > 0)) as {
    [P in K]?: number;
  };
}
