import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import {
  goldenContext,
  goldenDailyCloses,
  goldenPositions,
  goldenParameters as parameters,
} from '../../fixtures/builders/goldenSlice.ts';
import { composeGraded, type Slice } from '../composeSlice.ts';
import type { PriceRow } from '../filing/rows.ts';
import { type GradedPosition, judgePosition } from '../position/gradePosition.ts';
import { priceBook } from '../prices/priceBook.ts';

const closes = await goldenDailyCloses();
const compose = async (positions: readonly GradedPosition[], rows: readonly PriceRow[] = closes) =>
  composeGraded(positions, {
    context: await goldenContext({ prices: priceBook(rows, parameters) }),
    history: [],
  });
const rowOf = (slice: Slice, ticker: string) => {
  const issuer = slice.issuers.find((one) => one.stress.ticker === ticker);
  const signals = slice.alphaSignals.find((one) => one.ticker === ticker);
  if (issuer === undefined || signals === undefined) throw new Error(`no issuer ${ticker}`);
  return { ...issuer, signals };
};
const named = (...tickers: string[]) =>
  goldenPositions().filter(({ issuer }) => tickers.includes(issuer.ticker ?? ''));
const zero = ExactDecimal.zero;
/** The position with what follows from its figures. */
const judged = (position: GradedPosition): GradedPosition => {
  const { quality, isAnomalous, ageDays } = position;
  const isBarred = (quality === 'Low' && isAnomalous) || ageDays > parameters.filingAgeDays.unclassified;
  return { ...position, ...judgePosition({ ...position, isBarred }, parameters) };
};

describe('a slice of few issuers', () => {
  it('gives no z below twelve, keeps market pressure, and notes it (M3.15)', async () => {
    const slice = await compose(goldenPositions().slice(0, 11));
    const { stress } = rowOf(slice, 'MSTR');
    expect(stress).not.toHaveProperty('ap_z');
    expect(stress).toMatchObject({ mp_z: -0.1409, live_ap_z: null, live_mp_z: 2.5755, live_st_z: 2.5755 });
    expect(stress.data_quality_notes).toEqual(['own_z_partial', 'z_universe_small']);
    expect(stress.live_resonance_status).toBe('Neutral');
    expect(slice.statistics.live.ap?.n).toBe(11);
  });

  it('ranks no single issuer, and gives the midpoint only to one without debt (M4.5, M5.6)', async () => {
    const indebted = await compose(named('MSTR'));
    expect(indebted.peerRankings).toEqual([]);
    expect([...indebted.unranked.values()]).toEqual(['universe_small']);
    expect(rowOf(indebted, 'MSTR').signals.score_inputs.peer_percentile).toBe(0);
    const debtFree = rowOf(await compose(named('BMNR')), 'BMNR').signals;
    expect(debtFree.score_inputs.peer_percentile).toBe(50);
    expect(debtFree.data_quality_notes).toContain('peer_percentile_missing');
    expect(debtFree.data_quality_notes).toContain('unranked:universe_small');
  });

  it('is a slice when there is nobody in it', async () => {
    const slice = await compose([]);
    expect([slice.board, slice.peerRankings, slice.alphaSignals]).toEqual([[], [], []]);
    expect(slice.statistics.base).toEqual({ ap: null, ecs: null, lsi: null });
    expect(slice.readiness.tower_stress_resonance).toBeNull();
  });
});

describe('issuers that are all equal', () => {
  it('are ranked by ticker with one percentile, z 0 and no notch (M3.15, M4.3)', async () => {
    const [one] = named('FLD');
    if (one === undefined) throw new Error('FLD is a golden issuer');
    const copies = Array.from({ length: 12 }, (_, n) => {
      const cik = String(n + 1).padStart(10, '0');
      return { ...one, issuer: { ...one.issuer, cik, ticker: `T${n + 10}` }, filing: { ...one.filing, cik } };
    });
    const slice = await compose(copies);
    expect(slice.peerRankings.map((row) => row.ticker)).toEqual(copies.map(({ issuer }) => issuer.ticker));
    expect(new Set(slice.peerRankings.map((row) => row.percentile))).toEqual(new Set([50]));
    for (const { stress } of slice.issuers) {
      expect(stress).toMatchObject({ ap_z: 0, ecs_z: 0, lsi_z: 0, resonance_status: 'Neutral' });
      expect(stress.live_risk_tier_reasons).toEqual(['shocked_equity_negative']);
    }
  });
});

describe('an issuer with debt and no coins', () => {
  it('is saturated, unranked, gated, and scores nothing for stress (M3.3, M4.5, M5.16)', async () => {
    const [others, [one]] = [goldenPositions(), named('KULR')];
    if (one === undefined) throw new Error('KULR is a golden issuer');
    const bare: GradedPosition = {
      ...one,
      issuer: { ...one.issuer, cik: '0000000001', ticker: 'BARE' },
      holdings: { ...one.holdings, amount: zero, carried: zero, measurement: null },
      mix: [],
    };
    const slice = await compose([...others, judged(bare)]);
    const { stress, signals, assessed } = rowOf(slice, 'BARE');
    expect(stress).toMatchObject({
      stress_50pct: 1000,
      risk_tier: 'UNCLASSIFIED',
      resolution_status: 'saturated',
    });
    expect(stress).not.toHaveProperty('ap_z');
    expect(stress.stress_velocity).toBeNull();
    expect(assessed.base.standing).toBeNull();
    expect(signals).toMatchObject({
      stress_resilience_score: 0,
      treasury_strength_score: 0,
      research_posture: 'data_review_required',
    });
    expect(signals.score_inputs).toMatchObject({ stress_data_status: 'missing', peer_percentile: 0 });
    expect(slice.unranked.get('0000000001')).toBe('no_crypto');
    expect(slice.board.find(({ row }) => row.ticker === 'BARE')?.failedGate).toBe('stress_missing');
    // and nobody else's figure moves
    expect(slice.statistics).toEqual((await compose(others)).statistics);
  });
});

describe('an issuer without a rank', () => {
  it('has the first reason of M4.5 that holds', async () => {
    const [one] = named('KULR');
    if (one === undefined) throw new Error('KULR is a golden issuer');
    const bare = { ...one.holdings, amount: zero, carried: zero };
    const seven = new ExactDecimal(7n, 0);
    const untrusted = { ...one.debt, coverage: 'low_confidence_missing_debt' as const, total: zero };
    const cases: [Partial<GradedPosition>, string][] = [
      [{ holdings: { ...bare, isProven: false } }, 'figures_unproven'],
      [{ debt: untrusted }, 'figures_unproven'],
      [{ holdings: bare }, 'no_crypto'],
      [{ holdings: { ...bare, amount: seven, carried: seven } }, 'coins_incidental'],
      [{ ageDays: 401, quality: 'Low', isAnomalous: true }, 'stale'],
      [{ quality: 'Low', isAnomalous: true }, 'anomalous_low_quality'],
    ];
    for (const [change, reason] of cases) {
      const cik = '0000000001';
      const issuer = { ...one.issuer, cik, ticker: 'BARE' };
      const slice = await compose([...goldenPositions(), judged({ ...one, issuer, ...change })]);
      expect(slice.unranked.get(cik)).toBe(reason);
      expect(slice.peerRankings.length).toBe(13);
    }
  });
});

describe('closes that are missing', () => {
  const without = (asset: string, ...days: string[]) =>
    closes.filter((row) => row.asset !== asset || !days.includes(row.date));

  it('leave a day of motion unknown and fill it with a noted 0 (M3.19, M5.2)', async () => {
    const { stress, signals } = rowOf(await compose(goldenPositions(), without('SOL', '2026-02-06')), 'DFDV');
    expect(stress).toMatchObject({
      live_stress_delta_24h: null,
      live_stress_delta_7d: 0.388315,
      stress_velocity: 'rising',
    });
    expect(signals.score_inputs.live_stress_delta_24h).toBe(0);
    expect(signals.data_quality_notes).toContain('live_stress_delta_24h_missing');
    expect(signals.stress_resilience_breakdown.delta_stability_proxy).toBe(0);
  });

  it('leave a week unknown without a velocity (M3.19)', async () => {
    const { stress } = rowOf(await compose(goldenPositions(), without('SOL', '2026-01-31')), 'DFDV');
    expect(stress).toMatchObject({ live_stress_delta_7d: null, stress_velocity: null });
    expect(stress.live_stress_delta_24h).toBe(0.024116);
  });

  it('take a whole coin off the live overlay, and the filing counts (M3.18, M4.4, M5.2)', async () => {
    const slice = await compose(
      goldenPositions(),
      closes.filter((row) => row.asset !== 'LTC'),
    );
    const { stress, signals } = rowOf(slice, 'LITS');
    expect(stress).toMatchObject({ uses_live_prices: false, live_stress_50pct: null, stress_velocity: null });
    expect(stress).not.toHaveProperty('mp_z');
    expect(signals.data_quality_notes).toEqual([
      'dominant_asset:LTC',
      'live_equals_filing',
      'live_stress_delta_24h_missing',
      'live_stress_delta_7d_missing',
      'regime_unavailable',
    ]);
    expect(slice.peerRankings.find((row) => row.ticker === 'LITS')?.ranking_source).toBe('filing');
    expect(slice.regime.confirmed).toBeNull();
    expect(signals.market_regime).toBe('unavailable');
    expect(signals.regime_fit_breakdown).toMatchObject({ stress_alignment: 0, treasury_regime_bonus: 0 });
  });

  it('leave everything to the filings when there is no price at all', async () => {
    const slice = await compose(goldenPositions(), []);
    expect(slice.readiness).toMatchObject({
      market_regime: null,
      live_prices_active: false,
      tower_avg_mp_z: null,
      btc_24h_change_pct: null,
    });
    expect(slice.peerRankings.every((row) => row.ranking_source === 'filing')).toBe(true);
    expect(slice.board.length).toBe(13);
  });
});

describe('an issuer of another kind', () => {
  it('is scored and kept off the board by its type alone when it is a fund (M5.16, I4.R06.3)', async () => {
    const positions = goldenPositions().map((position) =>
      position.issuer.ticker === 'BMNR'
        ? {
            ...position,
            issuer: { ...position.issuer, issuerType: 'etf_trust' as const },
            isUnclassified: true,
          }
        : position,
    );
    const slice = await compose(positions);
    const entry = slice.board.find(({ row }) => row.ticker === 'BMNR');
    expect(entry).toMatchObject({ failedGate: 'issuer_type', failedGateBesidesType: null, boardRank: null });
    expect(slice.unranked.get('0001829311')).toBe('issuer_type');
    expect(entry?.signals.score_inputs.peer_percentile).toBe(50);
    // not an operating company, so not part of the cross-section
    expect(slice.statistics.live.ap?.n).toBe(12);
  });

  it('is kept off the board without a resolved ticker (M5.16, I2.14)', async () => {
    const positions = named('BMNR', 'LITS').map((position) =>
      position.issuer.ticker === 'LITS'
        ? { ...position, issuer: { ...position.issuer, ticker: null } }
        : position,
    );
    const entry = (await compose(positions)).board.find(({ row }) => row.ticker === '0001262104');
    expect(entry?.failedGate).toBe('identity_unresolved');
  });
});
