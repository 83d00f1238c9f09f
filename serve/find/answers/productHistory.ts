import { columnOfShare, type SegmentShare } from '../../../data/contract/history/segmentIndex.ts';
import type { AnySingle } from '../../../data/contract/payloads/stored.ts';
import type { ProductHistoryAnswer, ProductPage } from '../../../data/contract/routes/answer.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { instant } from '../../../data/contract/values/instant.ts';
import { assembleObject, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import { storedMembers } from '../../body/openBodies.ts';
import { type Params, valuesOf } from '../../routing/readParams.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release, StoredObject } from '../../store/artifactStore.ts';
import { askedRange, type HistoryRange, inRange, type Page, pageOf } from '../asked/askedRows.ts';
import { type NamedProduct, productMiss, productScope } from '../asked/namedProduct.ts';
import { askedDate, currentRelease } from '../asked/selectRelease.ts';
import { type HistorySegment, type RowSpan, storedHistory } from '../rows/storedHistory.ts';
import { artifactKey, cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import { payloadModeOf, viewServable } from '../servable/servableOf.ts';

/** Rows of one product, or of those in scope, by bucket: a page that counts from the newest (I4.R13–I4.R15, I4.R18). */
export async function findProductHistory(input: FindInput, answer: ProductHistoryAnswer): Promise<Found> {
  const { route, params } = input;
  const release = await currentRelease(input.snapshot);
  const { named, subjects } = await productScope(input, release);
  const lookup = named?.lookup ?? null;
  const about = `${named?.product.product ?? ''} ${lookup?.asked ?? ''}`;
  return cachedView(input, { release, about, lookup }, async (view) => {
    const slice = release.sourceDate;
    const history = await storedHistory(release, answer.history(params.values));
    const all = await history.segments();
    const dates = datesOfProducts(all, subjects);
    const range = rangeOf(input, answer, dates);
    const picked = selectProductRows(all, { subjects, range });
    if (picked.total === 0) throw productMiss(input, { answer, named, range, dates });
    const page = pageOf(picked.total, params);
    const rows = picked.page(page);
    const read = await history.rows(spansOfRows(rows), { form: answer.form(params.values) });
    const around = named === null ? null : await objectAround(input, { answer, release, named });
    const said = answer.members({
      slice,
      asked: params.values,
      page: { total: picked.total, ...page, count: rows.length },
      filters: filtersOf(params, named),
      methodVersion: history.list.method_version,
      sourceDates: datesOfRows(rows),
      status: rows.every((row) => cellOf(row, 'status') === 'ok') ? 'complete' : 'partial',
      persistence: bucketReach(selectProductRows(all, { subjects, range: always })),
    });
    const bytes = answer.sent === 'oldest_first' ? read.rows : read.rows.toReversed();
    const open = assembleObject(
      new Map<string, MemberValue>([
        ...(around === null ? [] : storedMembers(around.bodies)),
        ...Object.entries(said).flatMap(([name, made]): [string, MemberValue][] =>
          made === undefined ? [] : [[name, made]],
        ),
        [answer.member, bytes],
      ]),
    );
    const [first, ...others] = [...(around === null ? [] : [around.entry]), history.entry];
    const product = named?.product.product;
    return viewServable({
      route,
      release,
      sources: [first ?? history.entry, ...others, ...read.entries],
      open,
      view,
      subject: product === undefined ? null : { kind: 'product', product },
      payloadMode: payloadModeOf(params),
    });
  });
}

const always: HistoryRange = { from: null, to: null };

function rangeOf(input: FindInput, answer: ProductHistoryAnswer, dates: readonly string[]): HistoryRange {
  const range = askedRange(input);
  if (range.from !== null || range.to !== null) return range;
  const exact = askedDate(input);
  if (exact !== null) return { from: exact, to: exact };
  const newest = dates.at(-1);
  return answer.byDefault === 'all' || newest === undefined ? always : { from: newest, to: newest };
}

async function objectAround(
  { params }: FindInput,
  { answer, release, named }: { answer: ProductHistoryAnswer; release: Release; named: NamedProduct },
): Promise<StoredObject | null> {
  if (answer.around === null) return null;
  const around: AnySingle = answer.around;
  const key = artifactKey(around, params, { slice: release.sourceDate, product: named.product.product });
  const stored = await release.object(key);
  if (stored === null) throw unavailable(key, 'the release does not list it');
  return stored;
}

function filtersOf(params: Params, named: NamedProduct | null): Record<string, string> {
  const names = ['underlying_ticker', 'source_date', 'source_date_from', 'source_date_to'];
  const sent = valuesOf(params, names, String);
  return named === null ? { ...sent } : { product: named.product.product, ...sent };
}

/** One row of a product. */
export type ProductRow = {
  readonly segment: HistorySegment;
  readonly share: SegmentShare;
  readonly row: number;
  readonly subject: string;
};

/** Rows of products, counted; which they are is listed for one page only. */
export type ProductRows = {
  readonly total: number;
  /** Newest bucket first, then by product. */
  page(page: Page): readonly ProductRow[];
};

/** Selects by the indexes alone; no row is read. */
export function selectProductRows(
  segments: readonly HistorySegment[],
  { subjects, range }: { subjects: readonly string[]; range: HistoryRange },
): ProductRows {
  const days = segments
    .flatMap((segment) =>
      segment.dates.filter((date) => inRange(range, date)).map((date) => ({ segment, date })),
    )
    .reverse()
    .map((day) => ({ ...day, count: countOfDay(day.segment, day.date, subjects) }))
    .filter(({ count }) => count > 0);
  return {
    total: days.reduce((sum, { count }) => sum + count, 0),
    page({ limit, offset }) {
      const rows: ProductRow[] = [];
      let before = 0;
      for (const { segment, date, count } of days) {
        if (before + count > offset) {
          const ordered = rowsOfDay(segment, date, subjects).sort(byBucketAndProduct);
          const skipped = Math.max(0, offset - before);
          rows.push(...ordered.slice(skipped, skipped + limit - rows.length));
        }
        before += count;
        if (rows.length === limit) break;
      }
      return rows;
    },
  };
}

/** The rows in runs that are read as one, oldest first: their order turned round. */
export function spansOfRows(rows: readonly ProductRow[]): RowSpan[] {
  const spans: { segment: HistorySegment; share: SegmentShare; from: number; to: number }[] = [];
  for (const { segment, share, row } of rows.toReversed()) {
    const last = spans.at(-1);
    if (last !== undefined && last.share === share && last.to === row) last.to += 1;
    else spans.push({ segment, share, from: row, to: row + 1 });
  }
  return spans;
}

/** What a column says of a row. */
export function cellOf({ share, row }: ProductRow, column: string): unknown {
  return cellsOf(share, column)[row] ?? null;
}

/** Dates of rows, newest first, each once. */
export function datesOfRows(rows: readonly ProductRow[]): readonly string[] {
  return [...new Set(rows.map(({ share, row }) => share.dates[row] ?? ''))];
}

/** Every date with a row of one of the products, ascending. */
export function datesOfProducts(
  segments: readonly HistorySegment[],
  subjects: readonly string[],
): readonly string[] {
  return segments.flatMap((segment) =>
    segment.dates.filter((date) => countOfDay(segment, date, subjects) > 0),
  );
}

function countOfDay({ shares }: HistorySegment, date: string, subjects: readonly string[]): number {
  return subjects.reduce((sum, subject) => {
    const share = shares.get(subject);
    const span = share === undefined ? undefined : daysOf(share).get(date);
    return span === undefined ? sum : sum + span.to - span.from;
  }, 0);
}

type Placed = ProductRow & { readonly minute: number };

function rowsOfDay(segment: HistorySegment, date: string, subjects: readonly string[]): Placed[] {
  return subjects.flatMap((subject) => {
    const share = segment.shares.get(subject);
    const span = share === undefined ? undefined : daysOf(share).get(date);
    if (share === undefined || span === undefined) return [];
    const minutes = cellsOf(share, 'minute');
    return Array.from({ length: span.to - span.from }, (_, i) => {
      const row = span.from + i;
      return { segment, share, row, subject, minute: Number(minutes[row] ?? 0) };
    });
  });
}

function byBucketAndProduct(a: Placed, b: Placed): number {
  return b.minute - a.minute || compareText(a.subject, b.subject);
}

const spansByDay = new WeakMap<SegmentShare, ReadonlyMap<string, { from: number; to: number }>>();

/** Where the rows of each date lie. */
function daysOf(share: SegmentShare): ReadonlyMap<string, { from: number; to: number }> {
  const known = spansByDay.get(share);
  if (known !== undefined) return known;
  const spans = new Map<string, { from: number; to: number }>();
  share.dates.forEach((date, row) => {
    const span = spans.get(date) ?? { from: row, to: row };
    spans.set(date, span);
    span.to = row + 1;
  });
  spansByDay.set(share, spans);
  return spans;
}

const columns = new WeakMap<SegmentShare, Map<string, readonly unknown[]>>();

function cellsOf(share: SegmentShare, column: string): readonly unknown[] {
  const known = columns.get(share) ?? new Map<string, readonly unknown[]>();
  columns.set(share, known);
  const cells = known.get(column) ?? columnOfShare(share, column);
  known.set(column, cells);
  return cells;
}

const minuteMs = 60_000;

/** The oldest and the newest bucket of stored rows; null where rows are days. */
export function bucketReach(stored: ProductRows): ProductPage['persistence'] {
  const [newest] = stored.page({ limit: 1, offset: 0 });
  const [oldest] = stored.page({ limit: 1, offset: Math.max(0, stored.total - 1) });
  return { first_bucket_utc: startOf(oldest), last_bucket_utc: startOf(newest) };
}

function startOf(row: ProductRow | undefined): string | null {
  const minute = row === undefined ? null : cellOf(row, 'minute');
  if (row === undefined || minute === null) return null;
  return instant(Date.parse(row.share.dates[row.row] ?? '') + Number(minute) * minuteMs);
}
