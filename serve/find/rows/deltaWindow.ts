import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { MetaOf } from '../../../data/contract/payloads/stored.ts';
import { deltaWindowDays } from '../../../data/contract/payloads/universe/dailyChanges.ts';
import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import type { ManifestEntry } from '../../../data/contract/release/releaseFiles.ts';
import type { DeltaWindowStatus } from '../../../data/contract/values/enums.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import { assembleObject, closed, listOf } from '../../../data/store/bytes/assembleObject.ts';
import type { Release } from '../../store/artifactStore.ts';

const dayMs = 86_400_000;

/** What is known beside the daily changes of the days of a release. */
export type KnownDays = MetaOf<typeof latestDailyChanges.stored.rows>;

/** A window as JSON bytes, and the artifacts it was made of. */
export type DeltaWindowView = { readonly bytes: Buffer; readonly sources: readonly ManifestEntry[] };

type Bounds =
  | { readonly kind: 'days'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'refused';
      readonly status: DeltaWindowStatus;
      readonly from: string | null;
      readonly to: string | null;
    };

type Day = { readonly bytes: Buffer; readonly sources: readonly ManifestEntry[] };

/**
 * The window of scans between two days, never an error: an unusable bound is said in its status (I3.21,
 * I2.30, I4.R02.3). A day without a stored scan is a day without archive and summary.
 *
 * @param from as sent, null when omitted; both omitted means seven days ending at the delta's date
 */
export async function deltaWindow(input: {
  release: Release;
  from: string | null;
  to: string | null;
  known: KnownDays;
}): Promise<DeltaWindowView> {
  const bounds = readBounds(input);
  if (bounds.kind === 'refused') return withoutDays(input.known, bounds);
  const { from, to } = bounds;
  const dates = datesBetween(from, to);
  const sums = sumDays(dates, input.known);
  let days: readonly Day[];
  try {
    days = await Promise.all(dates.map((date) => storedDay(input.release, date)));
  } catch (error) {
    if (!(error instanceof IssuerError) || error.code !== 'artifact_unavailable') throw error;
    return withoutDays(input.known, { status: 'blob_store_unavailable', from, to });
  }
  if (sums.blobs === 0) return withoutDays(input.known, { status: 'empty', from, to });
  return {
    bytes: closed(
      assembleObject(
        new Map([
          ['date_from', { made: from }],
          ['date_to', { made: to }],
          ['source', { made: input.known.window_source }],
          ['status', { made: sums.complete ? 'complete' : 'partial' }],
          ['totals', { made: totalsOf(sums.blobs, sums.filings, dates.length) }],
          ['days', { stored: listOf(days.map((day) => day.bytes)) }],
        ]),
      ),
    ),
    sources: days.flatMap((day) => day.sources),
  };
}

function readBounds(input: { from: string | null; to: string | null; known: KnownDays }): Bounds {
  const usable = (bound: string | null): string | null =>
    bound !== null && isCivilDate(bound) ? bound : null;
  const [from, to] = [usable(input.from), usable(input.to)];
  const refused = (status: DeltaWindowStatus): Bounds => ({ kind: 'refused', status, from, to });
  if (input.from === null && input.to === null) {
    const end = input.known.source_date;
    return { kind: 'days', from: shifted(end, 1 - deltaWindowDays.byDefault), to: end };
  }
  if (input.from === null || input.to === null) return refused('date_window_missing');
  if (from === null || to === null || from > to) return refused('invalid_date_window');
  if (Date.parse(to) - Date.parse(from) >= deltaWindowDays.most * dayMs) return refused('window_too_large');
  return { kind: 'days', from, to };
}

function sumDays(dates: readonly string[], known: KnownDays) {
  const positions = new Map(known.window_days.map((date, i) => [date, i]));
  let [blobs, filings, complete] = [0, 0, true];
  for (const date of dates) {
    const i = positions.get(date);
    blobs += i === undefined ? 0 : (known.window_change_blob_counts[i] ?? 0);
    filings += i === undefined ? 0 : (known.window_changed_filing_counts[i] ?? 0);
    complete &&= i !== undefined && known.window_complete[i] === true;
  }
  return { blobs, filings, complete };
}

async function storedDay(release: Release, date: string): Promise<Day> {
  const stored = await release.object(latestDailyChanges.stored.days.key({ day: date }));
  if (stored !== null)
    return { bytes: closed(stored.bodies.body('identity').bytes), sources: [stored.entry] };
  const made = {
    date,
    change_blob_count: 0,
    changed_filing_count: 0,
    change_blobs: [],
    changed_filings: [],
    companyfacts_zip_exists: false,
    summary_exists: false,
  };
  return {
    bytes: closed(assembleObject(new Map(Object.entries(made).map(([n, v]) => [n, { made: v }])))),
    sources: [],
  };
}

function withoutDays(
  known: KnownDays,
  { status, from, to }: { status: DeltaWindowStatus; from: string | null; to: string | null },
): DeltaWindowView {
  const open = assembleObject(
    new Map([
      ['date_from', { made: from }],
      ['date_to', { made: to }],
      ['source', { made: known.window_source }],
      ['status', { made: status }],
      ['totals', { made: totalsOf(0, 0, 0) }],
      ['days', { rows: [] }],
    ]),
  );
  return { bytes: closed(open), sources: [] };
}

function totalsOf(blobs: number, filings: number, days: number) {
  return { change_blob_count: blobs, changed_filing_count: filings, day_count: days };
}

function datesBetween(from: string, to: string): string[] {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return Array.from({ length: days }, (_, i) => shifted(from, i));
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}
