import { describe, expect, it } from 'vitest';
import { chartProblems } from '../../../fixtures/visual/chartProblems.ts';
import { chartCases } from '../../../fixtures/visual/goldenCharts.ts';

describe('charts', () => {
  it.each([...chartCases()])('%s: no text overlaps another or leaves the picture (V39)', (_, chart) => {
    expect(chartProblems(chart)).toEqual([]);
  });
});
