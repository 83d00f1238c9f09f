import { indexKeyOf } from '../../../data/contract/history/indexKeyOf.ts';
import { readSegmentIndex } from '../../../data/contract/history/segmentIndex.ts';
import {
  type ListedSegment,
  readSegmentList,
  type SegmentList,
} from '../../../data/contract/history/segmentList.ts';
import type { AnyHistory } from '../../../data/contract/payloads/stored.ts';
import type { ManifestEntry } from '../../../data/contract/release/releaseFiles.ts';
import type { Release } from '../../store/artifactStore.ts';
import { unavailable } from '../../store/unavailable.ts';
import type { HistoryRange } from '../asked/historyRange.ts';
import { refuseLargerThanAnswer } from '../servable/servableOf.ts';
import { type HistorySegment, type RowSpan, spansOf } from './rowSpans.ts';

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
