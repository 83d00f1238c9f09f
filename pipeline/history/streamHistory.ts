import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  type ListedSegment,
  type PlannedSegment,
  type SegmentList,
  segmentPlan,
} from '../../data/contract/history/segmentList.ts';
import { alphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import { companyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { peerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import type { AnyRowStore } from '../../data/contract/payloads/stored.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import type { FileEffects, Log } from '../effects.ts';
import type { MarketRequest } from '../market/readMarketNight.ts';
import type { Artifact } from '../release/artifact.ts';
import { DamagedHeld, type PutFile } from '../release/draftRelease.ts';
import { openRelease } from '../release/openRelease.ts';
import { readList } from '../release/rowStore.ts';
import {
  type BaseHistory,
  DamagedBase,
  type HistoryBase,
  type HistoryKind,
  historyKinds,
  openHistoryBase,
} from './historyBase.ts';
import type { HistoryEntry } from './historyJournal.ts';
import { historyLines, type PublishedTexts } from './historyLines.ts';
import { type LineSpool, openLineSpool } from './lineSpool.ts';
import { type SegmentRow, segmentFile } from './segmentFile.ts';

/** Characters of new lines that stay in memory. */
const heldBytes = 48 * 1024 * 1024;

export type HistoryRequest = {
  readonly paths: ReleasePaths;
  readonly sourceDate: string;
  /** The artifacts of the slice being built. */
  readonly artifacts: readonly Artifact[];
  /** Promoted builds of the dates before, by date. */
  readonly slices: Readonly<Record<string, string>>;
  /** Where the last histories lie; null makes them from the slices. */
  readonly known: HistoryEntry | null;
  readonly methodVersion: string;
  /** What the histories of products are made from; null without any. */
  readonly market: MarketRequest | null;
  /** A place of its own for lines that do not fit into memory. */
  readonly spoolDirectory: string;
  readonly files: FileEffects;
  readonly log: Log;
  readonly stopIfAsked: () => void;
};

/** A request and the name of the build that it is for. */
export type StreamedRequest = HistoryRequest & { readonly release: string };

/**
 * Writes the histories of a release: the promoted slices before it and the slice it is built of (I2.52–I2.54, M10.4).
 *
 * What the last release holds of dates whose build is the same is copied; the dates that are new, built again or
 * backfilled since are read from their builds. The outcome is the same as reading every build again.
 *
 * @throws IssuerError `validation_failed` when the build of a date is damaged.
 */
export async function streamHistory(historyRequest: HistoryRequest, put: PutFile): Promise<void> {
  const { known } = historyRequest;
  if (known === null) return writeFrom(historyRequest, { base: null, put });
  try {
    const slices = Object.fromEntries(
      Object.entries(known.slices).map(([date, { release }]) => [date, release]),
    );
    const base = await openHistoryBase({
      paths: historyRequest.paths,
      release: known.release,
      slices,
      kinds: historyKinds,
    });
    await writeFrom(historyRequest, { base, put });
  } catch (error) {
    if (!(error instanceof DamagedBase || error instanceof DamagedHeld)) throw error;
    historyRequest.log({
      level: 'warn',
      step: 'publish',
      message: `histories are made from every slice again: of ${known.release}, ${error.message}`,
    });
    await writeFrom(historyRequest, { base: null, put });
  }
}

async function writeFrom(
  historyRequest: HistoryRequest,
  { base, put }: { base: HistoryBase | null; put: PutFile },
): Promise<void> {
  const { sourceDate, slices, paths, methodVersion, stopIfAsked } = historyRequest;
  const before = Object.keys(slices).filter((date) => date < sourceDate);
  const dates = [...before.sort(), sourceDate];
  const holds = (date: string) => date < sourceDate && base?.slices[date] === slices[date];
  const tasks = segmentTasks({ base, sourceDate, dates, holds });
  const total = tasks.reduce((sum, { made }) => sum + made.length, 0) - 1;
  let done = 0;
  const own = new Map(historyRequest.artifacts.map((artifact) => [artifact.key, artifact.bytes]));
  const readOwn: ReadArtifact = (key) => Promise.resolve(own.get(key) ?? null);
  const spoolOf = async (wanted: readonly string[]) => {
    const spool = openLineSpool({
      directory: historyRequest.spoolDirectory,
      files: historyRequest.files,
      heldBytes,
    });
    for (const date of wanted) {
      stopIfAsked();
      const isOwn = date === sourceDate;
      const read = isOwn ? readOwn : (await openRelease(paths, slices[date] ?? '')).read;
      await spoolSlice(spool, { sourceDate: date, read });
      if (isOwn) continue;
      done += 1;
      historyRequest.log({
        level: 'info',
        step: 'publish',
        message: `history ${date}`,
        fields: { done, total, unit: 'dates' },
      });
    }
    return spool;
  };
  await writeSegments({
    kinds: historyKinds,
    base,
    tasks,
    sourceDate,
    methodVersion,
    spoolOf,
    put: async (file) => {
      stopIfAsked();
      await put(file);
    },
  });
}

async function spoolSlice(
  spool: LineSpool,
  input: { sourceDate: string; read: ReadArtifact },
): Promise<void> {
  for (const [cik, published] of await sliceTexts(input)) {
    const lines = historyLines(published);
    const texts = historyKinds.map(({ text }) => text(lines));
    await spool.add(cik, { sourceDate: input.sourceDate, texts });
  }
}

/** Reads an artifact of one slice by its key; null when the slice has none of that key. */
type ReadArtifact = (key: string) => Promise<Uint8Array | null>;

/**
 * The payloads one slice published of each issuer, by CIK. A backfilled slice has them in row stores, a full one under
 * a key of their own (I4.36).
 *
 * @throws IssuerError `validation_failed` when a row store is damaged.
 */
async function sliceTexts(input: {
  sourceDate: string;
  read: ReadArtifact;
}): Promise<Map<string, PublishedTexts>> {
  const { sourceDate } = input;
  const covenants = await storeTexts({ ...input, store: covenantStress.stored.rows });
  if (covenants === null) throw damaged(sourceDate, 'it holds no covenant rows');
  const stored = {
    fundamentals: await storeTexts({ ...input, store: companyFundamentals.stored.rows }),
    alpha: await storeTexts({ ...input, store: alphaSignals.stored.rows }),
    ranking: await storeTexts({ ...input, store: peerRanking.stored.rows }),
  };
  const single = async ({ object }: { object: IssuerObject }, cik: string) => {
    const bytes = await input.read(object.key({ slice: sourceDate, cik }));
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  };
  const texts = new Map<string, PublishedTexts>();
  for (const [cik, covenant] of covenants) {
    texts.set(cik, {
      covenant,
      fundamentals: stored.fundamentals?.get(cik) ?? (await single(companyFundamentals.stored, cik)),
      alpha: stored.alpha?.get(cik) ?? (await single(alphaSignals.stored, cik)),
      ranking: stored.ranking?.get(cik) ?? (await single(peerRanking.stored, cik)),
    });
  }
  return texts;
}

type IssuerObject = Pick<typeof covenantStress.stored.object, 'key'>;

async function storeTexts({
  sourceDate,
  store,
  read,
}: {
  sourceDate: string;
  store: AnyRowStore;
  read: ReadArtifact;
}): Promise<Map<string, string> | null> {
  const list = await readList(store, store.key({ slice: sourceDate } as never), read);
  const ciks = list?.column('cik') ?? [];
  return list === null ? null : new Map(ciks.map((cik, i) => [String(cik), list.line(i).toString('utf8')]));
}

function damaged(sourceDate: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The slice of ${sourceDate} cannot be read: ${what}.`,
    hint: 'Check the releases with `issuer release verify`, then publish that date again with --force.',
  });
}

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
function segmentTasks({
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
async function writeSegments({
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
