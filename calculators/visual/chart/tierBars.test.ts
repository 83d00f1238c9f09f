import { describe, expect, it } from 'vitest';
import {
  type RiskDistribution,
  riskDistribution,
} from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { chartProblems } from '../../../fixtures/visual/chartProblems.ts';
import { tierBars } from './tierBars.ts';

const filing = riskDistribution.example as RiskDistribution;
const live: RiskDistribution = {
  ...filing,
  CRITICAL: { count: 3, percentage: 23.08 },
  HIGH: { count: 2, percentage: 15.38 },
  meta: { ...filing.meta, basis: 'live' },
};
const widths = (chart: ReturnType<typeof tierBars>, role: string) =>
  chart.scene.items.flatMap((item) => (item.type === 'rect' && item.paint.fill === role ? [item.box.w] : []));

describe('tierBars (V42)', () => {
  it('draws a square for each issuer up to 40, all of one width', () => {
    const squares = widths(tierBars({ live, filing, width: 360 }), 'tier-low');
    expect(squares).toHaveLength(8);
    expect(new Set(squares).size).toBe(1);
  });

  it('draws one bar a tier beyond 40, as long as its count', () => {
    const many = {
      ...live,
      CRITICAL: { count: 100, percentage: 20 },
      LOW: { count: 400, percentage: 80 },
      HIGH: { count: 0, percentage: 0 },
      meta: { ...live.meta, total: 500 },
    };
    const chart = tierBars({ live: many, filing: null, width: 360 });
    const [low = 0] = widths(chart, 'tier-low');
    const [critical = 0] = widths(chart, 'tier-critical');
    expect(widths(chart, 'tier-low')).toHaveLength(1);
    expect(low / critical).toBeCloseTo(4, 2);
    expect(chartProblems(chart)).toEqual([]);
  });

  it('says what was found, and the same figures in words and table', () => {
    const { finding, sentence, desc, table } = tierBars({ live, filing, width: 360 });
    expect(finding).toBe('3 of 13 issuers are CRITICAL at live prices');
    expect(sentence).toBe('By the filings alone 1 would be CRITICAL; all can be classified.');
    expect(desc).toContain('CRITICAL 3 (23.1\u00a0%), by the filings alone 1; HIGH 2 (15.4\u00a0%)');
    expect(table.rows[0]).toEqual(['CRITICAL', '3', '23.1\u00a0%', '1']);
  });

  it('tells a slice of one issuer as its tier, at live prices and by its filing', () => {
    const none = { count: 0, percentage: 0 };
    const one = (tier: 'HIGH' | 'LOW' | 'UNCLASSIFIED', basis: 'live' | 'filing'): RiskDistribution => ({
      ...{ CRITICAL: none, HIGH: none, MODERATE: none, LOW: none, UNCLASSIFIED: none },
      [tier]: { count: 1, percentage: 100 },
      meta: { ...filing.meta, total: 1, basis },
    });
    const told = (shown: RiskDistribution, filed: RiskDistribution | null) => {
      const { finding, sentence } = tierBars({ live: shown, filing: filed, width: 360 });
      return [finding, sentence];
    };
    expect(told(one('HIGH', 'live'), one('LOW', 'filing'))).toEqual([
      'The one issuer is HIGH at live prices',
      'By its filing it is LOW.',
    ]);
    expect(told(one('UNCLASSIFIED', 'filing'), null)).toEqual([
      'The one issuer cannot be classified',
      'By its filing it is UNCLASSIFIED.',
    ]);
  });

  it.each([360, 480, 1_600])('fits its texts at %d px', (width) => {
    expect(chartProblems(tierBars({ live, filing, width }))).toEqual([]);
  });
});
