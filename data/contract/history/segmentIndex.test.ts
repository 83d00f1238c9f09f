import { describe, expect, it } from 'vitest';
import { columnOfShare, readSegmentIndex, runsOf, type SegmentIndex } from './segmentIndex.ts';

const sha256 = 'a'.repeat(64);
const dates = ['2026-02-05', '2026-02-06', '2026-02-07'];
const index = (subjects: Partial<SegmentIndex['subjects'][number]>[], more: object = {}) => ({
  schema_id: 'history_segment_index.v1',
  source_dates: dates,
  lines_per_row: 1,
  subjects: subjects.map((subject) => ({
    subject: 'A',
    bytes: 10,
    sha256,
    rows: [[1, 3]],
    columns: {},
    ...subject,
  })),
  ...more,
});
const read = (json: unknown) => {
  const found = readSegmentIndex(json);
  if ('fault' in found) throw new Error(found.fault);
  return found.value;
};

describe('readSegmentIndex', () => {
  it('lays the shares of the subjects one after another', () => {
    const { shares, bytes, rows } = read(
      index([
        {},
        {
          subject: 'B',
          bytes: 7,
          rows: [
            [0, 1],
            [1, 2],
          ],
        },
      ]),
    );
    expect([shares.get('A')?.start, shares.get('A')?.end]).toEqual([0, 10]);
    expect([shares.get('B')?.start, shares.get('B')?.end]).toEqual([10, 17]);
    expect(shares.get('B')?.dates).toEqual(['2026-02-06', '2026-02-07']);
    expect([bytes, rows]).toEqual([17, 5]);
  });

  it('knows several rows of one date, and the value of a column at each', () => {
    const columns = { bucket: runsOf(['a', 'a', 'b']) };
    const share = read(
      index([
        {
          rows: [
            [2, 1],
            [0, 1],
            [1, 1],
          ],
          columns,
        },
      ]),
    ).shares.get('A');
    expect(share?.dates).toEqual(['2026-02-05', '2026-02-05', '2026-02-07']);
    expect(share?.days).toBe(2);
    expect(share === undefined ? [] : columnOfShare(share, 'bucket')).toEqual(['a', 'a', 'b']);
  });

  it.each([
    ['rows of a date that is not there', index([{ rows: [[1, 4]] }])],
    ['no row at all', index([{ rows: [[0, 3]] }])],
    [
      'fewer dates than the segment',
      index([
        {
          rows: [
            [1, 1],
            [2, 1],
          ],
        },
      ]),
    ],
    ['a column of another length', index([{ columns: { period: [['2025-09-30', 2]] } }])],
    ['a subject twice', index([{}, {}])],
    ['subjects out of order', index([{ subject: 'B' }, { subject: 'A' }])],
    ['dates out of order', index([{}], { source_dates: dates.toReversed() })],
    ['a member that is not known', index([{}], { more: 1 })],
    ['another kind of index', { schema_id: 'row_store_index.v1' }],
  ])('refuses %s', (_, json) => {
    expect(readSegmentIndex(json)).toHaveProperty('fault');
  });
});
