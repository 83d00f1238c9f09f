import { createHash } from 'node:crypto';
import { type ColumnCell, runsOf, type SegmentIndex } from '../../data/contract/history/segmentIndex.ts';
import type { ListedSegment } from '../../data/contract/history/segmentList.ts';
import type { AnyHistory } from '../../data/contract/payloads/stored.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';

/** One row of a subject: every form of it, each line ended. */
export type SegmentRow = { readonly date: string; readonly bytes: Buffer };

/** A segment, ready to be stored. */
export type SegmentFile = {
  /** Its bytes in parts. */
  readonly bytes: readonly Buffer[];
  readonly index: Buffer;
  readonly listed: ListedSegment;
};

/**
 * Puts the rows of a segment together: by subject and then date (STORE ST7). The bytes of a row are those it came with
 * (ST11).
 *
 * @param dates the promoted dates that the segment is for, ascending
 * @param subjects ascending; the rows of each by date ascending; a subject without rows is excluded
 * @returns null without a row
 */
export function segmentFile({
  history,
  period,
  dates,
  subjects,
}: {
  history: AnyHistory;
  period: string;
  dates: readonly string[];
  subjects: Iterable<{ readonly subject: string; readonly rows: readonly SegmentRow[] }>;
}): SegmentFile | null {
  const bytes: Buffer[] = [];
  const shares: SegmentIndex['subjects'] = [];
  const whole = createHash('sha256');
  const total = { bytes: 0, rows: 0 };
  for (const { subject, rows } of subjects) {
    if (rows.length === 0) continue;
    const hash = createHash('sha256');
    let length = 0;
    for (const row of rows) {
      bytes.push(row.bytes);
      hash.update(row.bytes);
      whole.update(row.bytes);
      length += row.bytes.length;
    }
    total.bytes += length;
    total.rows += rows.length;
    const counts = Map.groupBy(rows, ({ date }) => date);
    shares.push({
      subject,
      bytes: length,
      sha256: hash.digest('hex'),
      rows: runsOf(dates.map((date) => counts.get(date)?.length ?? 0)),
      columns: columnsOf(history, rows),
    });
  }
  if (shares.length === 0) return null;
  const index: SegmentIndex = {
    schema_id: 'history_segment_index.v1',
    source_dates: [...dates],
    lines_per_row: history.forms.length,
    subjects: shares,
  };
  return {
    bytes,
    index: Buffer.from(canonicalJson(index)),
    listed: {
      key: history.key({ period }),
      sha256: whole.digest('hex'),
      ...total,
      first_source_date: dates[0] ?? '',
      last_source_date: dates.at(-1) ?? '',
    },
  };
}

function columnsOf(
  { columns }: AnyHistory,
  rows: readonly SegmentRow[],
): SegmentIndex['subjects'][number]['columns'] {
  const named = Object.entries(columns);
  if (named.length === 0) return {};
  const parsed = rows.map(({ bytes }) => JSON.parse(firstLine(bytes)) as never);
  return Object.fromEntries(
    named.map(([name, cellOf]) => [name, runsOf<ColumnCell>(parsed.map((row) => cellOf(row)))]),
  );
}

function firstLine(bytes: Buffer): string {
  return bytes.toString('utf8', 0, bytes.indexOf(10));
}

/** The rows that a share of a segment holds. */
export function rowsOfShare(
  bytes: Buffer,
  { dates, linesPerRow }: { dates: readonly string[]; linesPerRow: number },
): SegmentRow[] {
  let start = 0;
  return dates.map((date) => {
    let end = start;
    for (let line = 0; line < linesPerRow; line += 1) end = bytes.indexOf(10, end) + 1;
    const row = { date, bytes: bytes.subarray(start, end) };
    start = end;
    return row;
  });
}
