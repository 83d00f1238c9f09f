import { beforeAll, describe, expect, it } from 'vitest';
import { goldenIssuers } from '../../fixtures/builders/goldenIssuers.ts';
import {
  goldenContext,
  goldenDate,
  goldenParameters,
  goldenPositions,
} from '../../fixtures/builders/goldenSlice.ts';
import { alphaTable, buildingTowerTable, byTicker } from '../../fixtures/builders/goldenTables.ts';
import { type AlphaScores, alphaScores } from '../alpha/alphaScores.ts';
import { alphaInputsOf } from '../alpha/alphaSignalsOf.ts';
import { auditRows, boardAudit } from '../alpha/boardAudit.ts';
import { composeGraded, type IssuerResult, type Slice } from '../composeSlice.ts';
import type { TowerState } from '../slice/towerState.ts';

const tickers = goldenIssuers().map(({ inputs }) => inputs.ticker);
let slice: Slice;

beforeAll(async () => {
  slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
});

function issuer(ticker: string): IssuerResult {
  const found = slice.issuers.find((one) => one.stress.ticker === ticker);
  if (found === undefined) throw new Error(`no golden issuer ${ticker}`);
  return found;
}

const signals = (ticker: string) => slice.alphaSignals.find((row) => row.ticker === ticker);
const points = (parts: object | undefined) => Object.values(parts ?? {}).join(' ');

function printed(scores: AlphaScores): string[] {
  return [
    String(scores.alpha),
    points(scores.breakdown),
    points(scores.stressResilience.parts),
    points(scores.regimeFit.parts),
    points(scores.treasury.parts),
    scores.treasuryStrength,
  ];
}

describe.each(tickers)('alpha of golden issuer %s (M12.11)', (ticker) => {
  it('has the printed parts, total, class and posture', () => {
    const row = signals(ticker);
    expect([
      String(row?.alpha_score),
      points(row?.alpha_score_breakdown),
      points(row?.stress_resilience_breakdown),
      points(row?.regime_fit_breakdown),
      points(row?.treasury_strength_breakdown),
      row?.treasury_strength,
      row?.research_posture,
    ]).toEqual(byTicker(alphaTable).get(ticker));
  });

  it('has the printed total under a building tower and a neutral regime', () => {
    const tower: TowerState = { status: 'building', coherence: 0.58, modal: 'rising' };
    const { assessed, stress } = issuer(ticker);
    const percentile = slice.peerRankings.find((row) => row.ticker === ticker)?.percentile ?? null;
    const inputs = alphaInputsOf({ assessed, stress, percentile, unrankedReason: null }, tower);
    const scores = alphaScores({ ...inputs, regime: 'neutral' }, goldenParameters);
    expect(printed(scores)).toEqual(byTicker(buildingTowerTable).get(ticker));
  });
});

it('orders the board as printed, CLSK kept off by the age of its filing (M12.11, M5.17)', () => {
  const onBoard = slice.board.filter(({ boardRank }) => boardRank !== null);
  expect(onBoard.map(({ row }) => row.ticker)).toEqual(
    'BMNR LITS HSDT FGNX BTBT KULR MSTR NAKA FLD BTCS DFDV UPXI'.split(' '),
  );
  expect(onBoard.map(({ row }) => row.board_rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const gated = slice.board.filter(({ boardRank }) => boardRank === null);
  expect(gated.map(({ row, failedGate }) => [row.ticker, failedGate])).toEqual([['CLSK', 'stale_filing']]);
});

it('audits the board as the published example does (I4.R07.4)', () => {
  const audit = boardAudit(slice.board, {
    view: 'default',
    sourceDate: goldenDate,
    regime: slice.regime.confirmed ?? 'unavailable',
    tower: slice.tower,
  });
  expect(audit).toEqual({
    source_date: '2026-02-07',
    default_filter: {
      excluded_issuer_types: ['etf_trust', 'fund_vehicle', 'product'],
      excludes_unresolved_identity: true,
    },
    issuer_type_summary: { operating_company: 13 },
    identity_summary: {
      total_rows: 13,
      publishable_rows: 13,
      with_ticker: 13,
      without_ticker: 0,
      cik_duplicates: 0,
      default_issuer_type_excluded: 0,
    },
    quality_gate_summary: { stale_filing: 1 },
    // HSDT and FGNX score 80 alike: HSDT has no debt and goes first, FGNX comes first by name
    rank_delta_summary: { rows_with_demotion: 1, max_rank_delta: 1 },
    recommended_drilldowns: [
      {
        reason: 'failed gate stale_filing',
        route: 'GET /v1/alpha-signals/{ticker}',
        args: { ticker: 'CLSK' },
      },
      {
        reason: 'largest demotion',
        route: 'GET /v1/alpha-signals/{ticker}',
        args: { ticker: 'FGNX' },
      },
    ],
    caveats: ['board_rank_is_not_raw_alpha_rank'],
    market_regime: 'high_synchronization_risk',
    tower_status: 'insufficient_data',
    tower_coherence: null,
  });
  expect(auditRows(slice.board).at(-1)).toMatchObject({
    ticker: 'CLSK',
    alpha_score: 28,
    raw_rank: 13,
    board_rank: null,
    rank_delta: null,
    failed_gate: 'stale_filing',
  });
});

it('publishes BMNR as the interface shows it (I2.20, M5.10, M5.12)', () => {
  expect(signals('BMNR')).toMatchObject({
    alpha_score: 87,
    dominant_treasury_asset: 'ethereum',
    alpha_interpretation:
      'Debt cleanliness and stress resilience carry the score; regime fit is the weakest part.',
    debt_cleanliness_breakdown: { coverage: 40, source: 24, quality: 28 },
    data_quality_notes: [],
    score_inputs: {
      live_stress_50pct: 0,
      stress_50pct: 0,
      live_stress_delta_24h: 0,
      live_stress_delta_7d: 0,
      peer_percentile: 88.46,
      treasury_asset_ratio_score: 89,
      stress_data_status: 'present',
      treasury_data_status: 'normal',
      quality_flag_normalized: 'high',
    },
  });
  expect(signals('DFDV')?.dominant_treasury_asset).toBe('unknown');
  expect(signals('DFDV')?.data_quality_notes).toEqual(['dominant_asset:SOL']);
  expect(signals('FGNX')?.data_quality_notes).toContain('own_z_partial');
});
