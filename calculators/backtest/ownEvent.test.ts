import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { addDays } from '../exact/civilDate.ts';
import { type DailyClose, ownEventScores } from './ownEvent.ts';

const parameters = registryParameters;
const daily = (...closes: number[]): DailyClose[] =>
  closes.map((close, i) => ({ date: addDays('2024-01-01', i), close }));

it('counts the days whose lowest close within the horizon reaches the covenant (M12.16)', () => {
  // LTV 0.325 touches 0.65 after a fall by half; two days ahead of 100, 60, 49, 55, 30, 29:
  // 100 → 49 hit, 60 → 49 no, 49 → 30 no, 55 → 29 no: the last two days have no full horizon
  const closes = daily(100, 60, 49, 55, 30, 29);
  const [found] = ownEventScores({ coin: 'BTC', closes, ratios: [0.325], horizonDays: 2, parameters });
  // 2·Φ(−ln 2 / 0.6) = 2·Φ(−1.155245) = 0.247992
  expect(found).toMatchObject({ days: 4, observed: 1 / 4, years: 2 });
  expect(found?.predicted).toBeCloseTo(0.247992, 5);
  // (0.752008² + 3 · 0.247992²) / 4
  expect(found?.brier).toBeCloseTo(0.187504, 5);
});

it('finds more hits at a higher ratio and none at 0; a day with no horizon after it is not counted', () => {
  const closes = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 0, maxLength: 30 });
  fc.assert(
    fc.property(closes, (list) => {
      const ratios = [0, 0.05, 0.2, 0.4, 0.64];
      const scores = ownEventScores({
        coin: 'SOL',
        closes: daily(...list),
        ratios,
        horizonDays: 5,
        parameters,
      });
      const observed = scores.map((score) => score.observed);
      expect(observed).toEqual(observed.toSorted((a, b) => a - b));
      expect(observed[0]).toBe(0);
      for (const { days } of scores) expect(days).toBe(Math.max(0, list.length - 5));
    }),
  );
});

it('gives every figure of the table of M12.16 from the closes at hand', (ctx) => {
  const prices = new URL('../../../shared/data/prices/', import.meta.url);
  if (!existsSync(prices)) ctx.skip('../shared/data/prices is not there to score with');
  const book = readFileSync(new URL('../METHODOLOGY.md', import.meta.url), 'utf8');
  const rows = [...book.matchAll(/^\| (BTC|ETH|SOL) \(([\d,]+); (\d+)\) \| (.*) \|$/gm)];
  expect(rows).toHaveLength(3);
  for (const [, coin = '', days, years, cells = ''] of rows) {
    // of several sources of a day the first of the registry's order counts, as in the warehouse
    const order = (source = '') => (parameters.priceSourceOrder.indexOf(source) + 99) % 99;
    const lines = readFileSync(new URL(`${coin}.csv`, prices), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    const cellsOf = lines.map((line) => line.split(',')).filter(([date = '']) => date <= '2025-09-30');
    const closes = [...Map.groupBy(cellsOf, ([date]) => date).values()].flatMap((of) =>
      of
        .toSorted((x, y) => order(x[3]) - order(y[3]))
        .slice(0, 1)
        .map(([date = '', , close]) => ({ date, close: Number(close) })),
    );
    const scores = ownEventScores({
      coin,
      closes,
      ratios: [0.05, 0.1, 0.2, 0.3, 0.4, 0.5],
      horizonDays: 365,
      parameters,
    });
    const printed = scores.map((s) => `${s.predicted.toFixed(3)} / ${s.observed.toFixed(3)}`);
    expect(printed).toEqual(cells.split(' | '));
    expect([scores[0]?.days, scores[0]?.years].map(String)).toEqual([days?.replace(',', ''), years]);
  }
});
