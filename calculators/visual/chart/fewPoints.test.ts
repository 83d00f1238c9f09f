import { describe, expect, it } from 'vitest';
import * as input from '../../../fixtures/visual/chartInputs.ts';
import { chartProblems } from '../../../fixtures/visual/chartProblems.ts';
import type { Chart } from './chart.ts';
import { debtAndCoins } from './debtAndCoins.ts';
import { factorRows } from './factorRows.ts';
import { fieldMapRows } from './fieldMapRows.ts';
import { loanHistory } from './loanHistory.ts';
import { type StressDay, stressHistory } from './stressHistory.ts';
import { stressLadder } from './stressLadder.ts';
import { unitsHistory } from './unitsHistory.ts';

const day = (source_date: string, stress: number): StressDay => ({
  source_date,
  stress_50pct: stress,
  risk_tier: 'CRITICAL',
  live_stress_50pct: stress,
  live_risk_tier: 'CRITICAL',
  figures_basis: 'resolved',
});
const filings = [{ date: '2026-02-06', label: null }];
const history =
  (...rows: readonly StressDay[]) =>
  (width: number) =>
    stressHistory({ ticker: 'FLD', rows, filings, bands: input.stressBands, width });
const debt = (amounts: readonly (readonly [number | null, number | null])[]) => (width: number) =>
  debtAndCoins({
    ticker: 'FLD',
    periods: amounts.map(([owed, coins], i) => ({ period: `2025-0${3 * i + 3}-30`, debt: owed, coins })),
    width,
  });
const field = (points: Parameters<typeof fieldMapRows>[0]['points']) => (width: number) =>
  fieldMapRows({
    subject: 'FLD',
    points,
    labels: input.fieldLabels,
    read: 'Needs Core Confirmation',
    missing: 'fewer than 5 points',
    events: [],
    isMadeUp: false,
    width,
  });
const factors = (buckets: Parameters<typeof factorRows>[0]['buckets']) => (width: number) =>
  factorRows({
    product: 'BTC-PERP-INTX',
    buckets,
    factors: input.shownFactors,
    thresholds: input.factorThresholds,
    missing: { basis_bps: `level 4: ${'what is not there, '.repeat(12)}and why` },
    isMadeUp: false,
    width,
  });
const [rung] = input.ladderIssuers;
const capped = { stress_30pct: 1_000, stress_50pct: 1_000, stress_70pct: 1_000 };

const cases: readonly (readonly [string, (width: number) => Chart, string])[] = [
  ['a history of none', history(), 'No history of FLD'],
  ['a history of one slice', history(day('2026-02-07', 0.93)), 'No history of FLD'],
  [
    'a history at the cap',
    history(day('2026-02-06', 1_000), day('2026-02-07', 1_000)),
    'FLD is CRITICAL at a stress of ≥\u00a01000',
  ],
  [
    'a history above the cap',
    history(day('2026-02-06', 0.4), day('2026-02-07', 1_500)),
    'FLD is CRITICAL at a stress of ≥\u00a01000',
  ],
  [
    'a history without debt',
    history(day('2026-02-06', 0), day('2026-02-07', 0)),
    'FLD is CRITICAL at a stress of 0.00',
  ],
  ['no balance sheet', debt([]), 'No figures of FLD'],
  ['one balance sheet', debt([[82e6, 180e6]]), 'FLD owed 0.46 of the value of its coins on 2025-03-30'],
  ['one of nothing', debt([[0, 0]]), 'FLD owed nothing and held no coins on 2025-03-30'],
  [
    'debt that is almost nothing',
    debt([[82e3, 180e6]]),
    'FLD owed <\u00a00.01 of the value of its coins on 2025-03-30',
  ],
  [
    'a loan of none',
    (width) => loanHistory({ ticker: 'FLD', facility: 'a', rows: [], width }),
    'No history of the loan of FLD',
  ],
  [
    'coins of no day',
    (width) => unitsHistory({ ticker: 'FLD', asset: 'BTC', stated: [], filed: [], width }),
    'No history of the coins of FLD',
  ],
  ['a field map of none', field([]), 'FLD: Needs Core Confirmation'],
  ['a field map of one point', field(input.fieldPoints.slice(-1)), 'FLD: Needs Core Confirmation'],
  ['factors of none', factors([]), 'No factors of BTC-PERP-INTX'],
  ['factors of one bucket', factors(input.factorBuckets.slice(-1)), 'BTC-PERP-INTX passes no threshold'],
  [
    'a ladder of one issuer at the cap',
    (width) =>
      stressLadder({
        rows: rung === undefined ? [] : [{ ...rung, ...capped, live_stress_50pct: null }],
        bands: input.stressBands,
        sourceDate: '2026-02-07',
        width,
      }),
    'At half price the coins of 1 issuer no longer cover its debt',
  ],
];

describe('charts of an issuer or product with next to nothing, or with too much', () => {
  it.each(cases)('%s', (_, draw, finding) => {
    for (const width of [328, 360, 960, 1_600]) {
      const chart = draw(width);
      expect(chart.finding).toBe(finding);
      expect(chartProblems(chart), `${width} px`).toEqual([]);
    }
  });

  it('a ladder names the balance sheets that are old, however many, and the age of each in its table (V43)', () => {
    const ages = [135, 136, 233, 400, 222, 150, 180, 199, 201, 300];
    const rows = input.ladderIssuers.map((row, i) => ({ ...row, filing_age_days: ages[i] }));
    const ladder = (width: number) =>
      stressLadder({ rows, bands: input.stressBands, sourceDate: '2026-02-07', width });
    for (const width of [328, 360, 960, 1_600]) {
      const chart = ladder(width);
      expect(chartProblems(chart), `${width} px`).toEqual([]);
      const words = chart.scene.items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join(' ');
      expect(words).toMatch(/Old balance sheets: CLSK 136 days, DFDV 233 days, .*KULR 201 days\./);
      expect(words).not.toContain('TSLA 135');
    }
    expect(
      ladder(960)
        .table.rows.slice(0, 2)
        .map((row) => row.at(-1)),
    ).toEqual(['135', '136']);
  });

  it('a reason is written whole, however long it is', () => {
    const { scene } = factors([{ observed_bucket_utc: '2026-02-07T00:00:00Z', factors: {}, z_scores: {} }])(
      360,
    );
    const text = scene.items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join(' ');
    expect(text).toContain('level 4: what is not there,');
    expect(text).toContain('and why');
  });
});
