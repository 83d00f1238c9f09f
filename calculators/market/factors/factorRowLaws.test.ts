import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coinCloses,
  constituent,
  lengths,
  marketProduct,
  marketSeries,
  registryVersion,
} from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { seededRandom } from '../../../fixtures/rigs/seededRandom.ts';
import type { MarketBucket } from '../marketBucket.ts';
import { factorRows, historyBuckets } from './factorRows.ts';

const parameters = registryParameters;
const from = '2024-01-01';
const days = 290;
const product = marketProduct({
  kind: 'coin_basket',
  versions: [
    registryVersion({
      constituents: ['AAA', 'BBB', 'CCC'].map((coin, i) =>
        constituent(coin, { weight: [0.5, 0.3, 0.2][i] ?? 0 }),
      ),
    }),
  ],
});

const wild = [0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 5e-324, null];

/** A market from a seed, so that a failure is one number: mostly calm, some values no venue can mean, some gaps. */
function marketOf(seed: number) {
  const { next: random } = seededRandom(seed);
  const value = (low: number, high: number) =>
    random() < 0.02 ? (wild[Math.floor(random() * wild.length)] ?? null) : low + random() * (high - low);
  const gap = () => random() < 0.015;
  return {
    buckets: Array.from({ length: days }, (): Partial<MarketBucket> | null =>
      gap()
        ? null
        : {
            mark: value(90, 110),
            index: value(90, 110),
            openInterest: value(900, 1_100),
            fundingRate: value(-0.001, 0.001),
            fundingIntervalHours: gap() ? 4 : 8,
            volumeUsd: value(0, 1e6),
            liquidationsLongUsd: value(0, 10),
            liquidationsShortUsd: value(0, 10),
          },
    ),
    closes: Array.from({ length: days }, () => [0, 1, 2].map(() => (gap() ? null : 5 + 10 * random()))),
  };
}
const market = fc.nat().map(marketOf);

function isPrice(value: number | null): boolean {
  return value !== null && value > 0 && value <= 1e15;
}

type Market = ReturnType<typeof marketOf>;

function rowsOf({ buckets, closes }: Market, { first = 0, end = days, known = days } = {}) {
  const at = (day: number) => Date.parse(from) + day * lengths['1d'];
  const column = (i: 0 | 1 | 2) => closes.slice(0, known).map((day) => day[i] ?? null);
  const series = marketSeries(from, { buckets: buckets.slice(0, known) });
  return factorRows({
    product,
    bucketLength: '1d',
    series: [series],
    closes: coinCloses(from, { AAA: column(0), BBB: column(1), CCC: column(2) }),
    from: at(first),
    to: at(end),
    parameters,
  });
}

describe('laws of factor rows', () => {
  it('appending later buckets and closes changes no earlier row (M15.53)', () => {
    fc.assert(
      fc.property(market, fc.integer({ min: 1, max: days }), (all, known) => {
        expect(rowsOf(all, { known, first: known - 20, end: known })).toEqual(
          rowsOf(all, { first: known - 20, end: known }),
        );
      }),
      { numRuns: 15 },
    );
  });

  it('a row is the same made in portions or at once, and from the history it needs alone', () => {
    const needed = historyBuckets('1d', parameters);
    expect(needed).toBe(90 + 91 + 2);
    expect(historyBuckets('15m', parameters)).toBe(2_880 + 91 * 96 + 2);
    fc.assert(
      fc.property(market, fc.integer({ min: 250, max: days - 12 }), (all, first) => {
        const whole = rowsOf(all, { first, end: first + 12 });
        const portions = [0, 5, 6].flatMap((step, i, steps) =>
          rowsOf(all, { first: first + step, end: first + (steps[i + 1] ?? 12) }),
        );
        expect(portions).toEqual(whole);
        expect(rowsOf(all, { end: first + 12 }).slice(-whole.length)).toEqual(whole);
        const usable = (of: Partial<MarketBucket> | null) =>
          isPrice(of?.mark ?? null) && isPrice(of?.index ?? null);
        let [oldest, left] = [first, needed];
        while (left > 0 && oldest > 0) if (usable(all.buckets[--oldest] ?? null)) left -= 1;
        const buckets = all.buckets.map((bucket, i) => (i < oldest ? null : bucket));
        expect(rowsOf({ ...all, buckets }, { first, end: first + 12 })).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });

  it('no number that leaves is not finite, and none is −0', () => {
    fc.assert(
      fc.property(market, (all) => {
        const numbers: number[] = [];
        JSON.stringify(rowsOf(all, { first: days - 60 }), (_, value: unknown) => {
          if (typeof value === 'number') numbers.push(value);
          return value;
        });
        expect(numbers.length).toBeGreaterThan(1_000);
        expect(numbers.filter((value) => !Number.isFinite(value) || Object.is(value, -0))).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  it('parts of P sum to it, and returns with their residual to that of the contract, within 1e-9 (M15.50)', () => {
    let pressed = 0;
    fc.assert(
      fc.property(market, (all) => {
        for (const { attribution, pressureUnrounded, returns } of rowsOf(all, { first: days - 60 })) {
          const sum = attribution.reduce((total, { contribution }) => total + contribution, 0);
          expect(Math.abs(sum - (pressureUnrounded ?? 0))).toBeLessThan(1e-9);
          if (pressureUnrounded !== null) pressed += 1;
          if (returns.trackingResidual === null) continue;
          const parts = returns.rows.reduce((total, { contribution }) => total + (contribution ?? 0), 0);
          const gap = parts + returns.trackingResidual - (returns.perpReturn ?? Number.NaN);
          expect(Math.abs(gap) / Math.max(1, Math.abs(returns.perpReturn ?? 1))).toBeLessThan(1e-9);
        }
      }),
      { numRuns: 15 },
    );
    expect(pressed).toBeGreaterThan(100);
  });
});
