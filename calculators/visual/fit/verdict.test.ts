import { describe, expect, it } from 'vitest';
import { type FitReport, fitReport } from '../../../data/contract/visual/fitReport.ts';
import type { ViolationCode } from '../../../data/contract/visual/visualContract.ts';
import { listedReport } from './verdict.ts';

const found = (code: ViolationCode, count: number): FitReport['violations'] =>
  Array.from({ length: count }, (_, i) => ({
    code,
    severity: code === 'outside_viewport' ? 'error' : 'warning',
    subject_ids: [`n${i}`],
    measured: null,
    limit: null,
    message: 'It is so.',
  }));
const report = (violations: FitReport['violations']): FitReport => ({
  schema_id: 'visual_fit_report.v1',
  render_receipt_id: null,
  verdict: 'does_not_fit',
  metrics: {
    node_count: 45,
    edge_count: 0,
    node_overlaps: 0,
    label_overflows: 0,
    edge_crossings: 0,
    edges_through_nodes: 0,
    outside_viewport: 1,
    min_font_px_used: 13,
    scale_applied: 1,
    used_width: 1,
    used_height: 1,
    fill_ratio: 1,
    min_gap_px: 1,
    min_contrast: 21,
  },
  violations,
});

describe('a listed fit report (V32)', () => {
  it('keeps the first 20 of a code, every other code, and counts what is left out', () => {
    const given = [...found('low_contrast', 45), ...found('outside_viewport', 1)];
    const listed = listedReport(report(given));
    expect(listed.violations).toEqual([...given.slice(0, 20), given[45]]);
    expect(listed.violations_left_out).toBe(25);
    expect(listed.verdict).toBe('does_not_fit');
    expect(fitReport.parse(listed)).toEqual(listed);
  });

  it('with 20 of a code is the report itself', () => {
    const given = report(found('low_contrast', 20));
    expect(listedReport(given)).toBe(given);
  });
});
