import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as input from '../../../fixtures/visual/chartInputs.ts';
import { chartProblems } from '../../../fixtures/visual/chartProblems.ts';
import { hostileNames } from '../../../fixtures/visual/hostileNames.ts';
import { alphaBars } from './alphaBars.ts';
import type { Chart } from './chart.ts';
import { claimWaterfall } from './claimWaterfall.ts';
import { coinsPerShare } from './coinsPerShare.ts';
import { debtAndCoins } from './debtAndCoins.ts';
import { factorRows } from './factorRows.ts';
import { fieldMapRows } from './fieldMapRows.ts';
import { loanHistory } from './loanHistory.ts';
import { maturityWall } from './maturityWall.ts';
import { pressureRows } from './pressureRows.ts';
import { priceRows } from './priceRows.ts';
import { regimeStrip } from './regimeStrip.ts';
import { stressHistory } from './stressHistory.ts';
import { stressLadder } from './stressLadder.ts';
import { tierBars } from './tierBars.ts';
import { tierMoves } from './tierMoves.ts';
import { unitsHistory } from './unitsHistory.ts';
import { writeChartSvg } from './writeChartSvg.ts';

const sourceDate = '2026-02-07';
const tiers = ['CRITICAL', 'HIGH', 'MODERATE', 'LOW', 'UNCLASSIFIED'] as const;
const regimes = [
  'bullish_low_vol',
  'bullish_rising_vol',
  'neutral',
  'bearish_falling_vol',
  'bearish_high_vol',
] as const;

const names = fc.oneof(
  fc.constantFrom(...hostileNames),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.stringMatching(/^[A-Z0-9.-]{1,10}$/),
);
const stress = fc.oneof(
  fc.constant(0),
  fc.constant(1_000),
  fc.double({ min: 0.0001, max: 1_000, noNaN: true }),
);
// a file of 360 px has margins
const width = fc.integer({ min: 328, max: 1_600 });
const gap = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 });
const price = fc.double({ min: 0.01, max: 250_000, noNaN: true });
const amount = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e13, noNaN: true }));
/** Coins of a thousand shares. */
const share = fc.double({ min: 0, max: 1e6, noNaN: true });
const pressure = fc.double({ min: -12, max: 12, noNaN: true });
/** Up to six names, each with a value or none on the days that end with the slice. */
const seriesOf = (value: fc.Arbitrary<number>, maxLength: number) => {
  const rows = fc.array(fc.record({ name: names, values: fc.array(gap(value), { maxLength }) }), {
    maxLength: 6,
  });
  return rows.map((all) =>
    all.map(({ name, values }) => ({
      name,
      days: input.daysUntil(sourceDate, values.length).map((date, i) => ({ date, value: values[i] ?? null })),
    })),
  );
};

const charts: Readonly<Record<string, fc.Arbitrary<Chart>>> = {
  tierBars: fc
    .record({
      counts: fc.tuple(...tiers.map(() => fc.nat(300))),
      filed: fc.tuple(...tiers.map(() => fc.nat(300))),
      width,
    })
    .map(({ counts, filed, width: w }) => {
      const of = (all: readonly number[], basis: 'live' | 'filing') => {
        const total = all.reduce((a, b) => a + b, 0);
        const [CRITICAL, HIGH, MODERATE, LOW, UNCLASSIFIED] = all.map((count) => ({
          count,
          percentage: total === 0 ? 0 : (100 * count) / total,
        })) as [never, never, never, never, never];
        return {
          CRITICAL,
          HIGH,
          MODERATE,
          LOW,
          UNCLASSIFIED,
          meta: { ...input.liveTiers.meta, total, basis },
        };
      };
      return tierBars({ live: of(counts, 'live'), filing: of(filed, 'filing'), width: w });
    }),
  stressLadder: fc
    .record({ rows: fc.array(fc.tuple(names, stress, gap(stress)), { maxLength: 30 }), width })
    .map(({ rows, width: w }) =>
      stressLadder({
        rows: rows.map((row) => input.ladderRow(...row)),
        bands: input.stressBands,
        sourceDate,
        width: w,
      }),
    ),
  tierMoves: fc
    .record({
      moves: fc.array(fc.record({ ticker: names, from: fc.nat(4), by: fc.integer({ min: 1, max: 4 }) }), {
        maxLength: 40,
      }),
      width,
    })
    .map(({ moves, width: w }) =>
      tierMoves({
        moves: moves.map(({ ticker, from, by }) => ({
          ticker,
          cik: '0001050446',
          entity_name: ticker,
          prior_tier: tiers[from] ?? 'LOW',
          new_tier: tiers[(from + by) % 5] ?? 'HIGH',
          direction: 'up' as const,
        })),
        sourceDate,
        width: w,
      }),
    ),
  regimeStrip: fc
    .record({
      all: fc.array(gap(fc.constantFrom(...regimes, 'high_synchronization_risk' as const)), {
        maxLength: 400,
      }),
      width,
    })
    .map(({ all, width: w }) => {
      const dates = input.daysUntil(sourceDate, all.length);
      return regimeStrip({ days: all.map((regime, i) => ({ date: dates[i] ?? '', regime })), width: w });
    }),
  priceRows: fc.record({ all: seriesOf(price, 400), width }).map(({ all, width: w }) =>
    priceRows({
      coins: all.map(({ name, days }) => ({
        asset: name,
        closes: days.map(({ date, value }) => ({ date, close: value })),
      })),
      width: w,
    }),
  ),
  pressureRows: fc.record({ all: seriesOf(pressure, 90), width }).map(({ all, width: w }) =>
    pressureRows({
      products: all.map(({ name: product, days }) => {
        const isRead = typeof days.at(-1)?.value === 'number';
        return {
          product,
          buckets: days.map(({ date, value }) => ({
            observed_bucket_utc: `${date}T00:00:00Z`,
            factors: { pressure: value },
          })),
          state: isRead ? ('balanced' as const) : ('insufficient_evidence' as const),
          missing: isRead ? null : product,
          isMadeUp: true,
        };
      }),
      bands: input.pressureBands,
      width: w,
    }),
  ),
  alphaBars: fc
    .record({
      rows: fc.array(fc.tuple(names, fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100), fc.nat(100))), {
        maxLength: 8,
      }),
      width,
    })
    .map(({ rows, width: w }) =>
      alphaBars({ rows: rows.map((row) => input.alphaRow(...row)), sourceDate, width: w }),
    ),
  stressHistory: fc
    .record({
      ticker: names,
      all: fc.array(gap(stress), { maxLength: 400 }),
      forms: fc.array(names, { maxLength: 40 }),
      width,
    })
    .map(({ ticker, all, forms, width: w }) => {
      const dates = input.daysUntil(sourceDate, Math.max(all.length, forms.length));
      return stressHistory({
        ticker,
        rows: all.map((live, i) => ({
          source_date: dates[i] ?? '',
          stress_50pct: live ?? 0,
          risk_tier: 'LOW',
          live_stress_50pct: live,
          live_risk_tier: live === null ? null : 'HIGH',
          figures_basis: i % 7 === 0 ? 'debt_unproven' : 'resolved',
        })),
        filings: forms.map((label, i) => ({ date: dates[i] ?? '', label })),
        bands: input.stressBands,
        width: w,
      });
    }),
  fieldMapRows: fc
    .record({
      subject: names,
      all: fc.array(gap(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 400 }),
      width,
    })
    .map(({ subject, all, width: w }) => {
      const dates = input.daysUntil(sourceDate, all.length);
      return fieldMapRows({
        subject,
        points: all.map((value, i) => ({
          date: dates[i] ?? '',
          field_pressure: value,
          stored_energy: null,
          price_echo: value,
          compression: i % 2,
          release: 0,
        })),
        labels: { field_pressure: subject },
        read: 'Needs Core Confirmation',
        missing: subject,
        events: dates.slice(0, 20).map((date) => ({ date, label: subject })),
        isMadeUp: true,
        width: w,
      });
    }),
  debtAndCoins: fc
    .record({
      ticker: names,
      all: fc.array(fc.tuple(gap(fc.double({ min: 0, max: 1e12, noNaN: true })), gap(fc.nat())), {
        maxLength: 12,
      }),
      width,
    })
    .map(({ ticker, all, width: w }) => {
      const dates = input.daysUntil(sourceDate, all.length);
      const periods = all.map(([debt, coins], i) => ({ period: dates[i] ?? '', debt, coins }));
      return debtAndCoins({ ticker, periods, width: w });
    }),
  factorRows: fc
    .record({
      product: names,
      id: names,
      unit: fc.constantFrom('USD', 'bp', 'fraction', '0..1', '<b>'),
      all: fc.array(gap(fc.double({ min: -1e9, max: 1e9, noNaN: true })), { maxLength: 200 }),
      width,
    })
    .map(({ product, id, unit, all, width: w }) => {
      const dates = input.daysUntil(sourceDate, all.length);
      return factorRows({
        product,
        buckets: all.map((value, i) => ({
          observed_bucket_utc: `${dates[i]}T00:00:00Z`,
          factors: { [id]: value },
          z_scores: { [id]: value === null ? null : 1.5 },
        })),
        factors: [{ id, unit }],
        thresholds: [{ metric: id, operator: 'abs>=', threshold: 0.3 }],
        missing: { [id]: product },
        isMadeUp: true,
        width: w,
      });
    }),
  unitsHistory: fc
    .record({
      asset: names,
      stated: fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { maxLength: 200 }),
      filed: fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { maxLength: 20 }),
      width,
    })
    .map(({ asset, stated, filed, width: w }) => {
      const of = (all: readonly number[]) => {
        const dates = input.daysUntil(sourceDate, all.length);
        return all.map((units, i) => ({ date: dates[i] ?? '', units }));
      };
      return unitsHistory({ ticker: asset, asset, stated: of(stated), filed: of(filed), width: w });
    }),
  maturityWall: fc
    .record({
      ticker: names,
      all: fc.array(fc.tuple(amount, amount, amount), { maxLength: 16 }),
      coverage: gap(fc.double({ min: 0, max: 1, noNaN: true })),
      width,
    })
    .map(({ ticker, all, coverage, width: w }) => {
      const years = all.map(([proven, unproven, early], i) => ({
        ...{ proven, unproven, early },
        year: i === 15 ? 'later' : String(2026 + i),
      }));
      return maturityWall({ ticker, period: '2025-09-30', years, coverage, width: w });
    }),
  claimWaterfall: fc
    .record({
      ticker: names,
      pool: amount,
      all: fc.array(fc.tuple(names, amount, gap(fc.double({ min: 0, max: 1, noNaN: true }))), {
        maxLength: 8,
      }),
      isLowerBound: fc.boolean(),
      width,
    })
    .map(({ ticker, pool, all, isLowerBound, width: w }) => {
      let residual = pool;
      const classes = all.map(([name, claim, share]) => {
        const paid = share === null ? null : Math.min(residual, claim * share);
        residual -= paid ?? 0;
        return { class: name, claim, paid, recovery: paid === null || claim === 0 ? null : paid / claim };
      });
      const rest = { pool, classes, residual, isLowerBound, width: w };
      return claimWaterfall({ ticker, period: '2025-09-30', shock: 0.5, ...rest });
    }),
  coinsPerShare: fc
    .record({
      asset: names,
      all: fc.array(fc.tuple(gap(share), gap(share)), { maxLength: 40 }),
      width,
    })
    .map(({ asset, all, width: w }) => {
      const dates = input.daysUntil(sourceDate, all.length);
      const rows = all.map(([basic, diluted], i) => ({ period: dates[i] ?? '', basic, diluted }));
      return coinsPerShare({ ticker: asset, asset, rows, width: w });
    }),
  loanHistory: fc
    .record({
      facility: names,
      all: fc.array(fc.tuple(gap(stress), gap(stress), gap(stress)), { maxLength: 200 }),
      width,
    })
    .map(({ facility, all, width: w }) => {
      const dates = input.daysUntil(sourceDate, all.length);
      return loanHistory({
        ticker: facility,
        facility,
        rows: all.map(([ltv, live_ltv, trigger_ltv], i) => ({
          source_date: dates[i] ?? '',
          ltv,
          live_ltv,
          trigger_ltv,
          trigger_kind: null,
          live_price_fall_to_call: ltv,
        })),
        width: w,
      });
    }),
};

describe('charts of random and hostile rows', () => {
  it.each(Object.entries(charts))('%s fits its texts and writes clean SVG (V12, V39)', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (chart) => {
        expect(chartProblems(chart)).toEqual([]);
        const svg = writeChartSvg(chart, { theme: 'light', idPrefix: 'c-', faces: 'none' });
        expect(svg).not.toMatch(/<script|NaN|undefined|Infinity|[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: 150 },
    );
  });
});
