import {
  type ListedSegment,
  type PlannedSegment,
  type SegmentList,
  segmentPlan,
} from '../../data/contract/history/segmentList.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { PutFile } from '../release/draftRelease.ts';
import type { BaseHistory, HistoryBase, HistoryKind } from './historyBase.ts';
import type { LineSpool } from './lineSpool.ts';
import { type SegmentRow, segmentFile } from './segmentFile.ts';

/** What is to be done for one segment of every history. */
type SegmentTask = PlannedSegment & {
  /** All of it is what the earlier release holds under the same key. */
  readonly isHeld: boolean;
  /** Dates whose rows come from the earlier release, and from which of its segments. */
  readonly kept: ReadonlyMap<string, readonly string[]>;
  /** Dates whose rows are made from their slices. */
  readonly made: readonly string[];
};

/** Where the rows of every segment come from: the earlier release, as far as its dates still hold, or the slices. */
export function segmentTasks({
  base,
  sourceDate,
  dates,
  holds,
}: {
  base: HistoryBase | null;
  sourceDate: string;
  /** Promoted dates up to the slice, ascending. */
  dates: readonly string[];
  /** Whether the earlier release has the date as its promoted slice says. */
  holds: (date: string) => boolean;
}): SegmentTask[] {
  const periods = new Map([...(base?.plan ?? [])].flatMap(([period, held]) => held.map((d) => [d, period])));
  return segmentPlan({ sourceDate, dates }).map((segment) => {
    const known = (date: string) => periods.has(date) && holds(date);
    const made = segment.dates.filter((date) => !known(date));
    const isHeld = made.length === 0 && base?.plan.get(segment.period)?.join() === segment.dates.join();
    const kept = Map.groupBy(segment.dates.filter(known), (date) => periods.get(date) ?? '');
    return { ...segment, isHeld, kept, made };
  });
}

/**
 * Writes the segments of every history and their lists (STORE ST7–ST9). What the earlier release holds unchanged is
 * only referred to; of the rest one segment is in memory at a time.
 *
 * @param spoolOf the rows that the slices of some dates add
 */
export async function writeSegments({
  kinds,
  base,
  tasks,
  sourceDate,
  methodVersion,
  put,
  ...input
}: {
  kinds: readonly HistoryKind[];
  base: HistoryBase | null;
  tasks: readonly SegmentTask[];
  sourceDate: string;
  methodVersion: string;
  spoolOf: (dates: readonly string[]) => Promise<LineSpool>;
  put: PutFile;
}): Promise<void> {
  const segments = kinds.map((): ListedSegment[] => []);
  for (const task of tasks) {
    if (task.isHeld && base !== null) {
      for (const [i, kind] of base.kinds.entries())
        segments[i]?.push(...(await putHeld(kind, { task, release: base.release, put })));
      continue;
    }
    const spool = await input.spoolOf(task.made);
    try {
      for (const [i, kind] of kinds.entries()) {
        const rows = await rowsOfTask({ task, kind: i, base: base?.kinds[i] ?? null, spool });
        segments[i]?.push(...(await putMade(kind, { task, rows, put })));
      }
    } finally {
      await spool.close();
    }
  }
  const dates = tasks.flatMap((task) => task.dates);
  for (const [i, { history }] of kinds.entries()) {
    const list: SegmentList = {
      schema_id: 'history_segments.v1',
      method_version: methodVersion,
      source_dates: dates,
      segments: segments[i] ?? [],
    };
    const key = history.listKey({ slice: sourceDate });
    await put({ key, mediaType: 'application/json', bytes: [Buffer.from(canonicalJson(list))] });
  }
}

async function putHeld(
  kind: BaseHistory,
  { task, release, put }: { task: SegmentTask; release: string; put: PutFile },
): Promise<ListedSegment[]> {
  const stored = kind.stored(task.period);
  if (stored === null) return [];
  for (const { key, sha256, bytes } of [stored.rows, stored.index]) {
    const mediaType = key.endsWith('.ndjson') ? 'application/x-ndjson' : 'application/json';
    await put({ key, mediaType, held: { release, sha256, bytes } });
  }
  return [stored.listed];
}

type SubjectRows = { readonly subject: string; readonly rows: readonly SegmentRow[] };

async function putMade(
  { history }: HistoryKind,
  { task, rows, put }: { task: SegmentTask; rows: readonly SubjectRows[]; put: PutFile },
): Promise<ListedSegment[]> {
  const file = segmentFile({ ...task, history, subjects: rows });
  if (file === null) return [];
  const { key, sha256 } = file.listed;
  await put({ key, mediaType: 'application/x-ndjson', bytes: file.bytes, sha256 });
  const index = history.indexKey(task);
  await put({ key: index, mediaType: 'application/json', bytes: [file.index] });
  return [file.listed];
}

/** The rows of a segment that is written again, by subject and date. */
async function rowsOfTask({
  task,
  kind,
  base,
  spool,
}: {
  task: SegmentTask;
  /** Place of the history among the kinds. */
  kind: number;
  base: BaseHistory | null;
  spool: LineSpool;
}): Promise<SubjectRows[]> {
  const bySubject = new Map<string, SegmentRow[]>();
  const add = (subject: string, rows: readonly SegmentRow[]) => {
    const known = bySubject.get(subject) ?? [];
    bySubject.set(subject, known);
    known.push(...rows);
  };
  for (const [period, dates] of task.kept) {
    const segment = await base?.open(period);
    const wanted = new Set(dates);
    for (const subject of segment?.subjects ?? [])
      add(
        subject,
        (segment?.rows(subject) ?? []).filter(({ date }) => wanted.has(date)),
      );
  }
  for (const cik of spool.ciks()) {
    const lines = await spool.lines(cik);
    add(
      cik,
      lines.map(({ sourceDate, texts }) => ({ date: sourceDate, bytes: Buffer.from(texts[kind] ?? '') })),
    );
  }
  return [...bySubject]
    .map(([subject, rows]) => ({ subject, rows: rows.sort((a, b) => compareText(a.date, b.date)) }))
    .sort((a, b) => compareText(a.subject, b.subject));
}
