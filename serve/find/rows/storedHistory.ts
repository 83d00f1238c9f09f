import {
  type ColumnCell,
  columnOfShare,
  type IndexedSegment,
  indexKeyOf,
  readSegmentIndex,
  type SegmentShare,
} from '../../../data/contract/history/segmentIndex.ts';
import {
  type ListedSegment,
  readSegmentList,
  type SegmentList,
} from '../../../data/contract/history/segmentList.ts';
import type { AnyHistory } from '../../../data/contract/payloads/stored.ts';
import type { ManifestEntry } from '../../../data/contract/release/releaseFiles.ts';
import type { NewestRows } from '../../../data/contract/routes/answer.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release } from '../../store/artifactStore.ts';
import { type HistoryRange, inRange, type Page } from '../asked/askedRows.ts';
import { refuseLargerThanAnswer } from '../servable/servableOf.ts';

/** The index of one segment, and its key. */
export type HistorySegment = IndexedSegment & { readonly key: string };

/** Rows of one subject that follow one another in a segment: from `from` to before `to`. */
export type RowSpan = {
  readonly segment: HistorySegment;
  readonly share: SegmentShare;
  readonly from: number;
  readonly to: number;
};

/** A history of one release: which segments hold it, and the rows of any subject (STORE ST7, ST8). */
export type StoredHistory = {
  /** The list of segments, which an answer names. */
  readonly entry: ManifestEntry;
  readonly list: SegmentList;
  /** Indexes of the segments with a date of the range, by date ascending. @throws IssuerError `artifact_unavailable` */
  segments(range?: HistoryRange): Promise<readonly HistorySegment[]>;
  /** Stored bytes of rows without line ends, in the order asked for. @throws IssuerError `artifact_unavailable` */
  rows(spans: readonly RowSpan[], o: { readonly form: number }): Promise<HistoryRows>;
};

export type HistoryRows = {
  readonly rows: readonly Buffer[];
  /** The segments they lie in. */
  readonly entries: readonly ManifestEntry[];
};

/** @throws IssuerError `artifact_unavailable` when the release does not hold the history whole */
export async function storedHistory(release: Release, history: AnyHistory): Promise<StoredHistory> {
  const key = history.listKey({ slice: release.sourceDate });
  const stored = await release.read(key, readSegmentList);
  if (stored === null) throw unavailable(key, 'the release does not list it');
  const { entry, value: list } = stored;
  return {
    entry,
    list,
    segments: ({ from, to } = { from: null, to: null }) =>
      Promise.all(
        list.segments
          .filter((one) => (from ?? '') <= one.last_source_date && one.first_source_date <= (to ?? '~'))
          .map((segment) => indexOf(release, history, segment)),
      ),
    rows: (spans, { form }) => readSpans(release, spans, form),
  };
}

/** Where the rows of a subject lie, by date ascending; none where the release holds no such history. */
export async function subjectSpans(
  release: Release,
  history: AnyHistory,
  subject: string,
): Promise<readonly RowSpan[]> {
  if (!release.has(history.listKey({ slice: release.sourceDate }))) return [];
  return spansOf(await (await storedHistory(release, history)).segments(), { subject });
}

async function indexOf(
  release: Release,
  history: AnyHistory,
  { key, bytes }: ListedSegment,
): Promise<HistorySegment> {
  const indexKey = indexKeyOf(key);
  const stored = await release.read(indexKey, readSegmentIndex);
  if (stored === null) throw unavailable(indexKey, 'the release does not list it');
  const { value } = stored;
  if (value.bytes !== bytes || value.linesPerRow !== history.forms.length)
    throw unavailable(indexKey, 'it does not fit its segment');
  return { ...value, key };
}

async function readSpans(release: Release, spans: readonly RowSpan[], form: number): Promise<HistoryRows> {
  const opened = await Promise.all(spans.map((span) => openSpan(release, span, form)));
  refuseLargerThanAnswer(
    opened.reduce((sum, { bytes }) => sum + bytes, 0),
    ['limit'],
  );
  const rows = await Promise.all(opened.map(({ read }) => read()));
  const entries = new Map(opened.map(({ entry }) => [entry.key, entry]));
  return { rows: rows.flat(), entries: [...entries.values()] };
}

async function openSpan(release: Release, { segment, share, from, to }: RowSpan, form: number) {
  const { key, linesPerRow } = segment;
  const found = await release.share(key, { ...share, lines: share.dates.length * linesPerRow });
  if (found === null) throw unavailable(key, 'the release does not list it');
  const { lineEnds } = found;
  const line = (row: number) => row * linesPerRow + form;
  const start = startOf(lineEnds, line(from));
  let length = 0;
  for (let row = from; row < to; row += 1)
    length += endOf(lineEnds, line(row)) - startOf(lineEnds, line(row));
  return {
    entry: found.entry,
    bytes: length,
    // rows that follow one another are read as one
    async read() {
      const bytes = await found.read(start, endOf(lineEnds, line(to - 1)));
      const rows: Buffer[] = [];
      for (let row = from; row < to; row += 1)
        rows.push(bytes.subarray(startOf(lineEnds, line(row)) - start, endOf(lineEnds, line(row)) - start));
      return rows;
    },
  };
}

function startOf(lineEnds: Uint32Array, line: number): number {
  return line === 0 ? 0 : (lineEnds[line - 1] ?? 0);
}

/** Before its line end. */
function endOf(lineEnds: Uint32Array, line: number): number {
  return (lineEnds[line] ?? 1) - 1;
}

/** The newest rows of a subject, by date ascending. @throws IssuerError `artifact_unavailable` */
export async function newestRows(
  release: Release,
  { history, most }: Pick<NewestRows, 'history' | 'most'>,
  subject: string,
): Promise<HistoryRows> {
  const stored = await storedHistory(release, history);
  const spans = spansOf(await stored.segments(), { subject });
  const total = countRows(spans);
  return stored.rows(cutSpans(spans, { offset: Math.max(0, total - most), limit: most }), { form: 0 });
}

const always: HistoryRange = { from: null, to: null };

/** The rows of one subject in a range of dates, by date ascending; nothing is made for a row. */
export function spansOf(
  segments: readonly HistorySegment[],
  { subject, range = always }: { subject: string; range?: HistoryRange },
): RowSpan[] {
  return segments.flatMap((segment) => {
    const share = segment.shares.get(subject);
    if (share === undefined) return [];
    const { dates } = share;
    const from = inRange(range, dates[0] ?? '') ? 0 : dates.findIndex((date) => inRange(range, date));
    const isWhole = from === 0 && inRange(range, dates.at(-1) ?? '');
    const to = isWhole ? dates.length : dates.findLastIndex((date) => inRange(range, date)) + 1;
    return from < 0 ? [] : [{ segment, share, from, to }];
  });
}

export function countRows(spans: readonly RowSpan[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** The rows of one page. */
export function cutSpans(spans: readonly RowSpan[], { offset, limit }: Page): RowSpan[] {
  const cut: RowSpan[] = [];
  let before = 0;
  for (const { from, to, ...of } of spans) {
    const first = Math.max(from, from + offset - before);
    const end = Math.min(to, from + offset + limit - before);
    if (first < end) cut.push({ ...of, from: first, to: end });
    before += to - from;
    if (before >= offset + limit) break;
  }
  return cut;
}

/** The date of every row. */
export function datesOfSpans(spans: readonly RowSpan[]): string[] {
  return spans.flatMap(({ share, from, to }) => share.dates.slice(from, to));
}

/** The value of a column at every row, with its date. */
export function columnOfSpans(
  spans: readonly RowSpan[],
  column: string,
): { readonly date: string; readonly value: ColumnCell }[] {
  return spans.flatMap(({ share, from, to }) => {
    const values = columnOfShare(share, column);
    return share.dates.slice(from, to).map((date, i) => ({ date, value: values[from + i] ?? null }));
  });
}
