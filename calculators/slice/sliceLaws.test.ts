import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { coreTiers, type IssuerType, issuerTypes, velocities } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import {
  goldenContext,
  goldenDailyCloses,
  goldenPositions,
  gradedPosition,
  goldenParameters as parameters,
} from '../../fixtures/builders/goldenSlice.ts';
import { auditRows, auditViews, boardAudit } from '../alpha/boardAudit.ts';
import { composeGraded, type Slice } from '../composeSlice.ts';
import type { PriceRow } from '../filing/rows.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import { priceBook } from '../prices/priceBook.ts';
import { repriceEarlier, repriceHoldings } from '../stress/repriceHoldings.ts';
import { stressMotion } from '../stress/stressMotion.ts';
import { midRankPercentile } from './peerRankings.ts';
import { towerState } from './towerState.ts';

const context = await goldenContext();
const usd = (value: bigint) => new ExactDecimal(value, 0);
const money = fc.bigInt({ min: 0n, max: 10n ** 10n }).map(usd);
const figures = fc.record({
  debt: fc.oneof(fc.constant(usd(0n)), money),
  crypto: fc.oneof(money, fc.constant(usd(0n)), fc.constant(usd(1_000_000n))),
  assets: fc.option(money),
  equity: fc.option(money),
  currentLiabilities: fc.option(money),
  cash: fc.option(money),
  asset: fc.constantFrom('BTC', 'ETH', 'SOL', 'NONE'),
  coreTier: fc.constantFrom(...coreTiers),
  quality: fc.constantFrom('High' as const, 'Medium' as const, 'Low' as const),
  issuerType: fc.constantFrom<IssuerType>('operating_company', 'operating_company', ...issuerTypes),
  period: fc.constantFrom('2025-09-30', '2025-06-30', '2024-12-31'),
  trusted: fc.constantFrom(true, true, true, false),
});
type Figures = typeof figures extends fc.Arbitrary<infer F> ? F : never;

function position(f: Figures, n: number, scale = 1n): GradedPosition {
  const by = (value: ExactDecimal) => value.times(usd(scale));
  const maybe = (value: ExactDecimal | null) => (value === null ? null : by(value));
  const coverage = f.debt.sign > 0 ? ('resolved_nonzero' as const) : ('legitimate_zero_debt' as const);
  const debt = f.trusted ? f.debt : usd(0n);
  return gradedPosition({
    ticker: `T${String(n).padStart(2, '0')}`,
    cik: String(n + 1).padStart(10, '0'),
    period: f.period,
    currentDebt: by(debt),
    noncurrentDebt: usd(0n),
    crypto: by(f.crypto),
    assets: maybe(f.assets),
    equity: maybe(f.equity),
    currentLiabilities: maybe(f.currentLiabilities),
    cash: maybe(f.cash),
    mix: f.crypto.sign > 0 ? [{ asset: f.asset, amount: by(f.crypto) }] : [],
    dataSource: 'linkbase_rollup',
    quality: f.quality,
    coreTier: f.coreTier,
    issuerType: f.issuerType,
    coverage: f.trusted ? coverage : 'low_confidence_missing_debt',
    basis: 'reported_quantity',
  });
}

const someFigures = fc.array(figures, { minLength: 1, maxLength: 24 });
const compose = (positions: readonly GradedPosition[]) => composeGraded(positions, { context, history: [] });
const slices = someFigures.map((some) => compose(some.map((f, n) => position(f, n))));
const runs = { numRuns: 40 };

/** The published bytes of a slice. */
function bytes(slice: Slice): string {
  const { readiness, covenantRows, topStressed, peerRankings, alphaSignals, board } = slice;
  const rows = board.map(({ row }) => row);
  const audit = auditViews.map((view) =>
    boardAudit(board, { view, sourceDate: context.sourceDate, regime: 'neutral', tower: slice.tower }),
  );
  const published = { readiness, covenantRows, topStressed, peerRankings, alphaSignals, rows, audit };
  return canonicalJson({ ...published, auditRows: auditRows(board) } as unknown as CanonicalValue);
}

describe('slice', () => {
  it('is the same again from the same inputs (M15.1)', () => {
    fc.assert(
      fc.property(someFigures, (some) => {
        const once = () => bytes(compose(some.map((f, n) => position(f, n))));
        expect(once()).toBe(once());
      }),
      { numRuns: 10 },
    );
  });

  it('is the same for any order of issuers (M15.2)', () => {
    fc.assert(
      fc.property(someFigures, (some) => {
        const positions = some.map((f, n) => position(f, n));
        expect(bytes(compose(positions.toReversed()))).toBe(bytes(compose(positions)));
      }),
      runs,
    );
  });

  it('labels every row by its own published numbers (M15.3)', () => {
    fc.assert(
      fc.property(slices, (slice) => {
        for (const { stress: row, assessed } of slice.issuers) {
          for (const { standing, figures: f } of [assessed.base, ...(assessed.live ? [assessed.live] : [])]) {
            const { ownZ = null, mpZ = null, resonance } = standing ?? {};
            const isStrong = Math.abs(mpZ ?? 0) >= 1 && ownZ !== null && ownZ !== 0;
            const sign = Math.sign(ownZ ?? 0) * Math.sign(mpZ ?? 0);
            if (standing !== null) {
              expect(resonance).toBe(isStrong ? (sign > 0 ? 'Aligned' : 'Dissonant') : 'Neutral');
            }
            const charge = f.stress50 >= 0.83 ? 'Critical' : f.stress50 >= 0.5 ? 'Elevated' : 'Low';
            if (f.covenant !== null) expect(f.covenant.chargeLevel).toBe(charge);
          }
          expect(row.resonance_status).toBe(assessed.base.standing?.resonance ?? 'Neutral');
        }
      }),
      runs,
    );
  });

  it('ignores the unit of money: ratios and z-scores stay (M15.20)', () => {
    fc.assert(
      fc.property(someFigures, fc.bigInt({ min: 2n, max: 1000n }), (some, k) => {
        const base = (slice: Slice) =>
          slice.issuers.map(({ assessed: { base: one } }) => ({
            stress: [one.figures.stress30, one.figures.stress50, one.figures.stress70],
            standing: one.standing,
          }));
        const plain = compose(some.map((f, n) => position(f, n)));
        const scaled = compose(some.map((f, n) => position(f, n, k)));
        expect(base(scaled)).toEqual(base(plain));
      }),
      runs,
    );
  });

  it('does not read a close of a later day (M15.16, M15.55)', async () => {
    const closes = await goldenDailyCloses();
    const later = ['2026-02-08', '2026-02-09'].flatMap((date) =>
      ['BTC', 'ETH', 'SOL', 'AVAX'].map((asset) => ({ date, asset, close: 1, source: 'cryptocompare' })),
    );
    const at = (rows: readonly PriceRow[]) =>
      bytes(
        composeGraded(goldenPositions(), {
          context: { ...context, prices: priceBook(rows, parameters) },
          history: [],
        }),
      );
    expect(at([...closes, ...later])).toBe(at(closes));
  });

  it('reproduces the filing on the day of its own closes (M15.29)', () => {
    fc.assert(
      fc.property(someFigures, (some) => {
        const positions = some.map((f, n) => position({ ...f, period: '2025-09-30' }, n));
        const slice = composeGraded(positions, {
          context: { ...context, sourceDate: '2025-09-30' },
          history: [],
        });
        const { base, live } = slice.statistics;
        const isWhole = slice.issuers.every(
          ({ assessed }) => assessed.live !== null || !assessed.base.standing,
        );
        if (isWhole) expect(live).toEqual(base);
        for (const { assessed } of slice.issuers) {
          if (assessed.live === null) continue;
          expect(assessed.live.crypto).toEqual(assessed.base.crypto);
          expect(assessed.live.figures.stress50).toBe(assessed.base.figures.stress50);
          if (isWhole) expect(assessed.live.standing).toEqual(assessed.base.standing);
        }
      }),
      runs,
    );
  });
});

describe('motion', () => {
  const close = fc.integer({ min: 1, max: 20_000_000 }).map((cents) => cents / 100);
  const days = ['2025-09-30', '2026-01-31', '2026-02-06', '2026-02-07'];
  const holdings = (closes: readonly number[], crypto: ExactDecimal, date = '2026-02-07') => ({
    crypto,
    mix: [{ asset: 'BTC', amount: usd(1n) }],
    period: '2025-09-30',
    date,
    parameters,
    prices: priceBook(
      days.map(
        (day, i): PriceRow => ({ date: day, asset: 'BTC', close: closes[i] ?? 1, source: 'cryptocompare' }),
      ),
      parameters,
    ),
  });
  const fourCloses = fc.array(close, { minLength: 4, maxLength: 4 });
  const coins = fc.bigInt({ min: 10n ** 6n, max: 10n ** 12n }).map(usd);

  it('is the difference to the stress at the closes of then (M15.31)', () => {
    fc.assert(
      fc.property(fourCloses, coins, money, (closes, crypto, debt) => {
        const o = holdings(closes, crypto);
        const live = repriceHoldings(o);
        if (live === null) throw new Error('every close is there');
        const then = (date: string) => repriceHoldings(holdings(closes, crypto, date))?.crypto;
        expect(repriceEarlier(o, live, 1)?.crypto).toEqual(then('2026-02-06'));
        expect(repriceEarlier(o, live, 7)?.crypto).toEqual(then('2026-01-31'));
        const motion = stressMotion(debt, { holdings: o, live });
        if (debt.sign === 0) expect(motion).toEqual({ delta24h: 0, delta7d: 0, velocity: 'stable' });
      }),
    );
  });

  it('rises only with a positive week, and falls only with a negative one (M15.30)', () => {
    fc.assert(
      fc.property(fourCloses, coins, money, (closes, crypto, debt) => {
        const o = holdings(closes, crypto);
        const live = repriceHoldings(o);
        const motion = live && stressMotion(debt, { holdings: o, live });
        if (motion?.velocity === 'rising') expect(motion.delta7d).toBeGreaterThanOrEqual(0);
        if (motion?.velocity === 'falling') expect(motion.delta7d).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('ranking', () => {
  it('numbers 1 to n by stress, more stress never behind and equal stress alike (M15.34)', () => {
    fc.assert(
      fc.property(slices, ({ peerRankings: rows, unranked, issuers }) => {
        expect(rows.map((row) => row.peer_rank)).toEqual(rows.map((_, i) => i + 1));
        expect(rows.length + unranked.size).toBe(issuers.length);
        rows.slice(1).forEach((row, i) => {
          const before = rows[i];
          const step = (before?.stressed_leverage_50pct ?? 0) - row.stressed_leverage_50pct;
          expect(step).toBeGreaterThanOrEqual(0);
          if (step === 0) expect(row.percentile).toBe(before?.percentile);
          else expect(row.percentile).toBeGreaterThan(before?.percentile ?? 0);
        });
      }),
      runs,
    );
  });

  it('keeps percentiles strictly inside 0 and 100 with a mean of 50 (M15.35)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 }), { minLength: 2, maxLength: 50 }), (values) => {
        const percentiles = values.map((value) => midRankPercentile(value, values));
        for (const percentile of percentiles) {
          expect(percentile).toBeGreaterThan(0);
          expect(percentile).toBeLessThan(100);
        }
        const mean = percentiles.reduce((sum, value) => sum + value, 0) / values.length;
        // each is rounded to two decimals
        expect(Math.abs(mean - 50)).toBeLessThanOrEqual(0.005 + 1e-9);
      }),
    );
  });
});

describe('tower', () => {
  it('is coherent between a third and one from twelve members on, else unknown (M15.43)', () => {
    const directions = fc.array(fc.option(fc.constantFrom(...velocities)), { maxLength: 40 });
    fc.assert(
      fc.property(directions, (some) => {
        const tower = towerState(some, parameters);
        const n = some.filter((direction) => direction !== null).length;
        expect(tower.coherence === null).toBe(n < 12);
        expect(tower.status === 'insufficient_data').toBe(n < 12);
        if (tower.coherence !== null) {
          expect(tower.coherence).toBeGreaterThanOrEqual(0.3333);
          expect(tower.coherence).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('averages and counts in order (M15.44)', () => {
    fc.assert(
      fc.property(slices, ({ readiness: r }) => {
        const { avg_live_stress_50pct: capped, raw_avg_live_stress_50pct: raw } = r;
        if (typeof capped === 'number' && typeof raw === 'number') {
          expect(raw).toBeGreaterThanOrEqual(capped);
          const high = r.high_stress_avg_live_stress_50pct ?? null;
          if (high !== null) expect(high).toBeGreaterThanOrEqual(Math.max(raw, 0.65));
        }
        expect(r.tower_high_stress_count).toBeLessThanOrEqual(r.tower_resolved_nonzero_count);
        expect(r.tower_resolved_nonzero_count).toBeLessThanOrEqual(r.tower_linkbase_backed_count);
      }),
      runs,
    );
  });

  /** rising | stable | falling | coherence | status | modal (M12.11) */
  it.each([
    [5, 4, 2, null, 'insufficient_data', null],
    [5, 4, 3, 0.4167, 'building', 'rising'],
    [6, 6, 0, 0.5, 'building', 'rising'],
    [4, 4, 4, 0.3333, 'isolated', 'rising'],
    [10, 2, 2, 0.7143, 'synchronized', 'rising'],
    [2, 3, 11, 0.6875, 'building', 'falling'],
    [7, 7, 6, 0.35, 'isolated', 'rising'],
  ] as const)('reads %i rising, %i stable, %i falling as printed', (rising, stable, falling, ...expected) => {
    const directions = [
      ...Array.from({ length: rising }, () => 'rising' as const),
      ...Array.from({ length: stable }, () => 'stable' as const),
      ...Array.from({ length: falling }, () => 'falling' as const),
    ];
    const { coherence, status, modal } = towerState(directions, parameters);
    expect([coherence, status, modal]).toEqual(expected);
  });
});

describe('board', () => {
  it('holds the rows that fail no gate, each other row one reason (M15.46)', () => {
    fc.assert(
      fc.property(slices, ({ board, tower }) => {
        const rows = auditRows(board);
        expect(new Set(rows.map((row) => row.cik)).size).toBe(board.length);
        const onBoard = rows.filter((row) => row.board_rank !== null);
        expect(onBoard.map((row) => row.board_rank).sort((a, b) => Number(a) - Number(b))).toEqual(
          onBoard.map((_, i) => i + 1),
        );
        for (const row of rows) {
          expect(row.board_rank === null).toBe(row.failed_gate !== null);
          expect(row.rank_delta).toBe(row.board_rank === null ? null : row.raw_rank - row.board_rank);
        }
        const { quality_gate_summary: gates } = boardAudit(board, {
          view: 'default',
          sourceDate: '2026-02-07',
          regime: 'neutral',
          tower,
        });
        const gated = Object.values(gates).reduce((sum, n) => sum + n, 0);
        expect(gated + onBoard.length).toBe(rows.length);
      }),
      runs,
    );
  });
});
