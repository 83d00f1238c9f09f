import { describe, expect, it } from 'vitest';
import { readSegmentList, type SegmentList, segmentPlan } from './segmentList.ts';

const segment = (period: string, first: string, last: string): SegmentList['segments'][number] => ({
  key: `core-history/${period}.ndjson`,
  sha256: 'a'.repeat(64),
  bytes: 10,
  rows: 1,
  first_source_date: first,
  last_source_date: last,
});
const november = segment('2025-11', '2025-11-13', '2025-11-14');
const december = segment('2025-12-01', '2025-12-01', '2025-12-01');
const list = (more: Partial<SegmentList>) => ({
  schema_id: 'history_segments.v1',
  method_version: 'core-ltv-1.0',
  source_dates: ['2025-11-13', '2025-11-14', '2025-12-01'],
  segments: [november, december],
  ...more,
});

describe('readSegmentList', () => {
  it('takes segments in the order of their dates', () => {
    expect(readSegmentList(list({}))).toHaveProperty('value');
  });

  it.each([
    ['segments out of order', list({ segments: [december, november] })],
    ['segments that overlap', list({ segments: [november, segment('x', '2025-11-14', '2025-12-01')] })],
    ['a segment of a date that is not promoted', list({ source_dates: ['2025-11-13', '2025-12-01'] })],
    ['dates out of order', list({ source_dates: ['2025-12-01', '2025-11-13', '2025-11-14'] })],
    ['a key that leaves the release', list({ segments: [{ ...november, key: '../a' }] })],
  ])('refuses %s', (_, json) => {
    expect(readSegmentList(json)).toHaveProperty('fault');
  });
});

describe('segmentPlan', () => {
  it('has a segment a date in the month of the slice, and one a month before it (STORE ST7)', () => {
    const dates = ['2025-10-31', '2025-12-01', '2025-12-31', '2026-01-01', '2026-01-02'];
    expect(segmentPlan({ sourceDate: '2026-01-02', dates })).toEqual([
      { period: '2025-10', dates: ['2025-10-31'] },
      { period: '2025-12', dates: ['2025-12-01', '2025-12-31'] },
      { period: '2026-01-01', dates: ['2026-01-01'] },
      { period: '2026-01-02', dates: ['2026-01-02'] },
    ]);
  });
});
