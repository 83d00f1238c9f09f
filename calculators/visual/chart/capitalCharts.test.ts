import { describe, expect, it } from 'vitest';
import { chartProblems } from '../../../fixtures/visual/chartProblems.ts';
import type { Chart } from './chart.ts';
import { claimWaterfall } from './claimWaterfall.ts';
import { coinsPerShare } from './coinsPerShare.ts';
import { type DueYear, maturityWall } from './maturityWall.ts';

const widths = [360, 720, 960, 1_600];
const sound = (draw: (width: number) => Chart) => {
  for (const width of widths) expect(chartProblems(draw(width)), `${width} px`).toEqual([]);
};
const paints = ({ scene }: Chart) =>
  scene.items.flatMap((item) =>
    item.type === 'rect' ? [[item.paint.fill, item.paint.dash.length > 0]] : [],
  );

describe('the maturity wall (V71)', () => {
  const years: readonly DueYear[] = [
    { year: '2026', proven: 0, unproven: 20_000_000, early: 0 },
    { year: '2028', proven: 0, unproven: 0, early: 40_000_000 },
    { year: '2030', proven: 40_000_000, unproven: 10_000_000, early: 0 },
    { year: 'later', proven: 0, unproven: 5_000_000, early: 0 },
  ];
  const wall = (width: number, shown = years, coverage: number | null = 0.75) =>
    maturityWall({ ticker: 'XY', period: '2025-09-30', years: shown, coverage, width });

  it('says the largest year, the share of the debt and every figure', () => {
    const chart = wall(360);
    expect(chart.finding).toBe('Most of what XY has to repay is due in 2030: 50.0\u00a0M');
    expect(chart.sentence).toBe('As filed for 2025-09-30. The wall holds 75.0\u00a0% of the debt.');
    expect(chart.desc).toContain(
      '2030: proven 40.0\u00a0M, not proven 10.0\u00a0M, put or springing none on the wall',
    );
    expect(chart.table.rows[1]).toEqual(['2028', 'none on the wall', 'none on the wall', '40.0\u00a0M']);
    sound((width) => wall(width));
  });

  it('fills proven amounts alone, and adds no put to what is due', () => {
    // three of the legend, then bars: stated 2026, put 2028, proven and unproven 2030, later
    expect(paints(wall(360)).slice(3)).toEqual([
      ['ground', false],
      ['ground', true],
      ['series-b', false],
      ['ground', false],
      ['ground', false],
    ]);
  });

  it('fits twelve years, tiny and huge amounts, and says what is not filed', () => {
    const many = Array.from({ length: 14 }, (_, i) => ({
      year: String(2026 + i),
      proven: i === 0 ? 3 : 9_999_999_999_999,
      unproven: i % 2 === 0 ? 1 : 0,
      early: i % 3 === 0 ? 2_000_000_000 : 0,
    }));
    sound((width) => wall(width, many, null));
    expect(wall(360, many).table.rows).toHaveLength(12);
    sound((width) => wall(width, []));
    expect(wall(360, []).desc).toBe('No maturity date and no bucket of XY is filed as a fact.');
  });
});

describe('the waterfall of claims (V72)', () => {
  const classes = [
    { class: 'secured_by_coins', claim: 20_000_000, paid: 20_000_000, recovery: 1 },
    { class: 'unsecured_convertible', claim: 40_000_000, paid: 30_000_000, recovery: 0.75 },
    { class: 'secured_by_other_assets', claim: 7_000_000, paid: null, recovery: null },
    { class: 'preferred', claim: 10_000_000, paid: 0, recovery: 0 },
  ];
  const fall = (width: number, of = classes, residual = 0, isLowerBound = false) =>
    claimWaterfall({
      ...{ ticker: 'XY', period: '2025-09-30', shock: 0.5, pool: 50_000_000 },
      ...{ classes: of, residual, isLowerBound, width },
    });

  it('says the first class that is not paid in full, and each row of the table', () => {
    const chart = fall(360);
    expect(chart.finding).toBe(
      'By its filing the coins of XY pay 75.0\u00a0% of convertible notes after a fall of 50\u00a0%',
    );
    expect(chart.desc).toBe(
      'Coins after the fall 50.0\u00a0M; secured by coins: claim 20.0\u00a0M, paid 20.0\u00a0M, recovery 100.0\u00a0%; ' +
        'convertible notes: claim 40.0\u00a0M, paid 30.0\u00a0M, recovery 75.0\u00a0%; ' +
        'secured by other assets: claim 7.0\u00a0M, outside the pool; ' +
        'preferred: claim 10.0\u00a0M, paid 0.0\u00a0M, recovery 0.0\u00a0%; left for common nothing.',
    );
    sound((width) => fall(width));
  });

  it('says that a recovery is a lower bound, that all are paid, and that no claim is filed', () => {
    expect(fall(360, classes, 0, true).sentence).toContain('recoveries are lower bounds');
    const paid = classes.slice(0, 1);
    expect(fall(360, paid, 30_000_000).finding).toBe(
      'By its filing the coins of XY cover every claim in the pool after a fall of 50\u00a0%',
    );
    sound((width) => fall(width, paid, 30_000_000));
    sound((width) => fall(width, [], 50_000_000));
    const long = [
      { class: 'a_class_with_a_name_that_never_ends_and_goes_on', claim: 9e15, paid: 1, recovery: 0 },
    ];
    sound((width) => fall(width, long));
  });
});

describe('coins a thousand shares (V73)', () => {
  const rows = [
    { period: '2024-12-31', basic: 0.08, diluted: 0.06 },
    { period: '2025-03-31', basic: 0.08, diluted: 0.07 },
    { period: '2025-06-30', basic: 0.09, diluted: null },
    { period: '2025-09-30', basic: 0.1, diluted: 0.085 },
  ];
  const draw = (width: number, shown = rows) =>
    coinsPerShare({ ticker: 'XY', asset: 'BTC', rows: shown, width });

  it('says the change since the first balance sheet and every count', () => {
    const chart = draw(360);
    expect(chart.finding).toBe('BTC a share of XY rose by 25.0\u00a0% since 2024-12-31');
    expect(chart.table.rows[2]).toEqual(['2025-06-30', '0.0900', 'not known']);
    expect(
      chart.scene.items.filter((item) => item.type === 'path' && item.paint.dash.length > 0),
    ).not.toEqual([]);
    sound((width) => draw(width));
  });

  it('is words where there is one balance sheet or none', () => {
    expect(draw(360, rows.slice(0, 1)).desc).toBe(
      '0.0800 BTC a thousand shares on 2024-12-31. One balance sheet is no history.',
    );
    expect(draw(360, []).desc).toBe('No filing states coins and shares of XY.');
    sound((width) => draw(width, []));
  });

  it('fits counts that are very small or large, and zero', () => {
    sound((width) =>
      draw(
        width,
        rows.map((row, i) => ({ ...row, basic: i * 1e-9, diluted: null })),
      ),
    );
    sound((width) =>
      draw(
        width,
        rows.map((row, i) => ({ ...row, basic: i * 1e9, diluted: 5e8 })),
      ),
    );
    sound((width) =>
      draw(
        width,
        rows.map((row) => ({ ...row, basic: 0, diluted: 0 })),
      ),
    );
  });
});
