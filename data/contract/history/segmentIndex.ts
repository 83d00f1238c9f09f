import { z } from 'zod';
import { count, date, sha256 } from '../values/primitives.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * `<kind>/<period>.index.json` beside a segment: which bytes are a subject's, and what they hash to, so that its share
 * is proved without the rest (STORE ST7, ST10). Shares follow one another without a gap.
 */
export const segmentIndex = z.strictObject({
  schema_id: z.literal('history_segment_index.v1'),
  /** Dates with a row, ascending. */
  source_dates: z.array(date),
  /** Lines of one row, each another form of it. */
  lines_per_row: count.min(1),
  /** Ascending by subject: a CIK, a product. */
  subjects: z.array(
    z.strictObject({
      subject: z.string().min(1),
      bytes: count.min(1),
      sha256,
      /** How many rows each of `source_dates` has of it, as runs: a number of rows, and for how many dates it holds. */
      rows: z.array(z.tuple([count, count.min(1)])),
      /** What look-ups need of the rows, as runs: a value, and how many rows have it. */
      columns: z.record(z.string(), z.array(z.tuple([cell, count.min(1)]))),
    }),
  ),
});

export type SegmentIndex = z.infer<typeof segmentIndex>;
export type ColumnCell = z.infer<typeof cell>;

/** The rows of one subject in a segment: one contiguous range. */
export type SegmentShare = {
  readonly start: number;
  readonly end: number;
  readonly sha256: string;
  /** Date of each row, ascending. */
  readonly dates: readonly string[];
  /** How many dates these are. */
  readonly days: number;
  readonly columns: SegmentIndex['subjects'][number]['columns'];
};

/** An index made ready for look-ups. */
export type IndexedSegment = {
  readonly dates: readonly string[];
  readonly linesPerRow: number;
  /** Ascending by subject. */
  readonly shares: ReadonlyMap<string, SegmentShare>;
  readonly bytes: number;
  readonly rows: number;
};

/** Reads an index that was proved to be the stored one; what it says must fit together all the same. */
export function readSegmentIndex(
  json: unknown,
): { readonly value: IndexedSegment } | { readonly fault: string } {
  const parsed = segmentIndex.safeParse(json);
  if (!parsed.success) return { fault: 'it is not the index of a segment' };
  const { source_dates: all, subjects, lines_per_row: linesPerRow } = parsed.data;
  if (!ascending(all)) return { fault: 'its dates are out of order' };
  const shares = new Map<string, SegmentShare>();
  let end = 0;
  let rows = 0;
  let before = '';
  for (const { subject, bytes, sha256: hash, columns, ...counted } of subjects) {
    const dates = datesOfRows(all, counted.rows);
    const fits =
      lengthOf(counted.rows) === all.length &&
      Object.values(columns).every((runs) => lengthOf(runs) === dates.length);
    if (!fits || dates.length === 0 || subject <= before)
      return { fault: `its rows of ${subject} do not fit its dates` };
    const days = lengthOf(counted.rows.filter(([held]) => held > 0));
    shares.set(subject, { start: end, end: end + bytes, sha256: hash, dates, days, columns });
    end += bytes;
    rows += dates.length;
    before = subject;
  }
  return { value: { dates: all, linesPerRow, shares, bytes: end, rows } };
}

/** The value of a column at every row of a share. */
export function columnOfShare({ columns }: SegmentShare, name: string): ColumnCell[] {
  return (columns[name] ?? []).flatMap(([value, length]) => new Array<ColumnCell>(length).fill(value));
}

type Run<T> = readonly [value: T, length: number];

/** Values as runs of equal ones. */
export function runsOf<T extends ColumnCell>(values: readonly T[]): [T, number][] {
  const runs: [T, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] === value) last[1] += 1;
    else runs.push([value, 1]);
  }
  return runs;
}

function lengthOf(runs: readonly Run<unknown>[]): number {
  return runs.reduce((sum, [, length]) => sum + length, 0);
}

function datesOfRows(all: readonly string[], runs: readonly Run<number>[]): readonly string[] {
  const [first] = runs;
  // nearly always one row on every date
  if (runs.length === 1 && first?.[0] === 1) return first[1] === all.length ? all : [];
  let position = 0;
  return runs.flatMap(([rows, length]) => {
    const held = all.slice(position, position + length);
    position += length;
    return rows === 1 ? held : held.flatMap((date) => new Array<string>(rows).fill(date));
  });
}

function ascending(dates: readonly string[]): boolean {
  return dates.every((one, i) => i === 0 || (dates[i - 1] ?? '') < one);
}

/** Key of the index beside a segment: `issuer-field-map/2026-02.index.json` of `issuer-field-map/2026-02.ndjson`. */
export function indexKeyOf(rowsKey: string): string {
  return rowsKey.replace(/\.ndjson$/, '.index.json');
}
