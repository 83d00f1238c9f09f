import { describe, expect, it } from 'vitest';
import { sheetAgeText, withSheetAge } from './chart.ts';
import { debtAndCoins } from './debtAndCoins.ts';
import { withHeading } from './writeChartSvg.ts';

const sheet = { period: '2025-09-30', sourceDate: '2026-02-07' };
const chart = debtAndCoins({
  ticker: 'MSTR',
  periods: [{ period: '2025-09-30', debt: 8_173_903_000, coins: 73_206_000_000 }],
  width: 360,
});

describe('the age of the balance sheet of a chart (V39b)', () => {
  it('is counted in days before the slice (MSTR on 2026-02-07)', () => {
    expect(sheetAgeText(sheet)).toBe('Balance sheet of 2025-09-30, 130 days before the slice of 2026-02-07.');
    expect(sheetAgeText({ ...sheet, sourceDate: '2025-10-01' })).toContain(', 1 day before');
    expect(sheetAgeText({ ...sheet, sourceDate: '2030-10-01' })).toContain(', 1,827 days before');
  });

  it('stands once in the sentence and once in the description, and moves no mark', () => {
    const aged = withSheetAge(chart, sheet);
    for (const text of [aged.sentence, aged.desc]) expect(text.split(sheetAgeText(sheet))).toHaveLength(2);
    expect(aged.scene).toEqual(chart.scene);
    expect(aged.desc).toContain('US dollars. Balance sheet of');
    expect(withHeading(aged).scene.height).toBeGreaterThan(chart.scene.height);
    expect(withSheetAge(chart, null)).toBe(chart);
  });
});
