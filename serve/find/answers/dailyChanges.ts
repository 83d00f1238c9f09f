import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { MetaOf } from '../../../data/contract/payloads/stored.ts';
import {
  type DailyChangeEvidence,
  dailyChangeEvidence,
} from '../../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import { deltaWindowDays } from '../../../data/contract/payloads/universe/dailyChanges.ts';
import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import type { ManifestEntry } from '../../../data/contract/release/releaseFiles.ts';
import type { DeltaWindowStatus } from '../../../data/contract/values/enums.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import { assembleObject, closed, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import { storedMembers } from '../../body/openBodies.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import { PayloadMiss } from '../../problem/problemBody.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release, StoredRows } from '../../store/artifactStore.ts';
import { askedIssuer } from '../asked/askedIssuer.ts';
import { type Page, pageMeta, pageOf } from '../asked/askedRows.ts';
import { askedText, currentRelease, withdrawalSentence } from '../asked/selectRelease.ts';
import { selectRows, storedRows } from '../rows/storedRows.ts';
import { cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import type { Servable } from '../servable/servable.ts';
import { viewServable } from '../servable/servableOf.ts';

/** R02: the stored difference with a page of each list and the asked window (I4.R02.2–I4.R02.4). */
export async function findDailyChanges(input: FindInput): Promise<Found> {
  const release = await currentRelease(input.snapshot);
  return cachedView(input, { release }, async (view) => {
    const parts = { slice: release.sourceDate };
    const key = latestDailyChanges.stored.object.key(parts);
    const stored = await release.object(key);
    if (stored === null) throw unavailable(key, 'the release does not list it');
    const store = latestDailyChanges.stored.rows;
    const { list, sources } = await storedRows(input, { release, store, key: store.key(parts) });
    const lists = (['changed', 'new'] as const).map((name) => ({
      name,
      rows: selectRows(list, [['list', (value) => value === name]]),
    }));
    const page = pageOf(Math.max(...lists.map(({ rows }) => rows.length)), input.params);
    const members = new Map<string, MemberValue>(storedMembers(stored.bodies));
    for (const { name, rows } of lists) {
      const picked = rows.slice(page.offset, page.offset + page.limit);
      members.set(`${name}_companies`, picked.map(list.line));
      const shown = pageMeta(page, { count: picked.length, total: rows.length });
      members.set(`${name}_companies_page`, shown);
    }
    const window = await deltaWindow({
      release,
      from: askedText(input.params, 'date_from'),
      to: askedText(input.params, 'date_to'),
      known: list.meta,
    });
    members.set('companyfacts_delta_window', window.bytes);
    return viewServable({
      route: input.route,
      release,
      sources: [stored.entry, ...sources, ...window.sources],
      open: assembleObject(members),
      view,
      subject: null,
    });
  });
}

type Evidence = StoredRows<typeof dailyChangeEvidence.stored.rows> & { readonly release: Release };

/**
 * R03: a page of the evidence lines of one issuer (I4.R03.2–I4.R03.5). Without `source_date` the lines of the delta
 * the current slice shows.
 *
 * @throws PayloadMiss for an unknown issuer and for a day without evidence.
 */
export async function findDailyEvidence(input: FindInput): Promise<Found> {
  const { params, snapshot } = input;
  const text = (name: string) => askedText(params, name);
  const asked = { cik: text('cik'), ticker: text('ticker'), sourceDate: text('source_date') };
  const current = await currentRelease(snapshot);
  const resolved = await known(() => askedIssuer(input, current));
  const release = asked.sourceDate === null ? current : await snapshot.ofDate(asked.sourceDate);
  const evidence = resolved === null || release === null ? null : await evidenceOf(release, resolved);
  const why = asked.sourceDate === null ? null : withdrawalSentence(snapshot, asked.sourceDate);
  if (resolved === null || evidence === null) throw evidenceMiss(asked, why);
  const { meta, count } = evidence.list;
  if (asked.sourceDate !== null && meta.source_date !== asked.sourceDate) throw evidenceMiss(asked, why);
  const page = pageOf(count, params);
  return cachedView(
    input,
    { release: evidence.release, about: resolved.issuer.cik, lookup: resolved.lookup },
    async (view) => pageServable(input, { ...evidence, page, view }),
  );
}

function pageServable(
  input: FindInput,
  { list, sources, page, release, view }: Evidence & { page: Page; view: string },
): Servable {
  const { meta, count: total } = list;
  const count = Math.max(0, Math.min(page.limit, total - page.offset));
  const lines = Array.from({ length: count }, (_, i) => list.line(page.offset + i));
  const { cik, ticker, entity_name, source_date } = meta;
  const { next_offset, ...here } = pageMeta(page, { count, total });
  const name = ticker === null ? { cik } : { ticker };
  const evidenceRef = {
    tool: 'intel_daily_change_evidence',
    route: 'GET /v1/daily-changes/evidence',
    args: { ...name, source_date, limit: page.limit, offset: page.offset },
  };
  const next =
    next_offset === undefined
      ? {}
      : {
          next_offset,
          next_tool: 'intel_daily_change_evidence',
          next_args: { ...name, source_date, limit: page.limit, offset: next_offset },
        };
  const open = assembleObject({
    request_key: 'daily_change_evidence',
    status: 'ok',
    payload_mode: 'evidence_drilldown',
    evidence_type: 'companyfacts_tags',
    cik,
    ticker,
    source_date,
    issuer: { cik, entity_name, ticker, evidence_available: true, raw_tag_count: total, source_date },
    page: { ...here, ...next, evidence_ref: evidenceRef },
    filings: filingsOf(meta),
    tags: lines,
  });
  return viewServable({
    route: input.route,
    release,
    sources,
    open,
    view,
    subject: { kind: 'issuer', ticker: ticker ?? cik },
    payloadMode: 'evidence_drilldown',
  });
}

/** The filings the lines name; none to say for a release of a build that did not link them. */
function filingsOf({
  filing_accession_numbers: accessions,
  filing_urls: urls,
}: MetaOf<typeof dailyChangeEvidence.stored.rows>) {
  if (accessions === undefined || urls === undefined) return undefined;
  return accessions.map((accession_number, i) => ({ accession_number, filing_url: urls[i] ?? null }));
}

async function evidenceOf(release: Release, { issuer }: ResolvedIssuer): Promise<Evidence | null> {
  const { rows } = dailyChangeEvidence.stored;
  const stored = await release.rows(rows, rows.key({ slice: release.sourceDate, cik: issuer.cik }));
  return stored === null || stored.list.count === 0 ? null : { release, ...stored };
}

// this route says a miss in its own words (I4.R03.5)
async function known(resolve: () => Promise<ResolvedIssuer | null>): Promise<ResolvedIssuer | null> {
  try {
    return await resolve();
  } catch (error) {
    if (error instanceof IssuerError && error.code === 'not_found') return null;
    throw error;
  }
}

/** The identifiers a request for evidence was sent with. */
type AskedEvidence = {
  readonly cik: string | null;
  readonly ticker: string | null;
  readonly sourceDate: string | null;
};

/**
 * The miss of an unknown issuer and of a day without evidence (I4.R03.5).
 *
 * @param why what is known of the day, a sentence
 */
function evidenceMiss({ cik, ticker, sourceDate }: AskedEvidence, why: string | null): PayloadMiss {
  const on = sourceDate === null ? '' : ` on ${sourceDate}`;
  const missed = `No daily-change evidence is stored for ${ticker ?? cik}${on}.`;
  const message = why === null ? missed : `${missed} ${why}`;
  const payload: DailyChangeEvidence = {
    request_key: 'daily_change_evidence',
    status: 'not_found',
    payload_mode: 'evidence_drilldown',
    evidence_type: 'companyfacts_tags',
    cik,
    ticker,
    source_date: sourceDate,
    message,
  };
  return new PayloadMiss({ message, payload });
}

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
  let days: readonly DeltaWindowView[];
  try {
    days = await Promise.all(dates.map((date) => storedDay(input.release, date)));
  } catch (error) {
    if (!(error instanceof IssuerError) || error.code !== 'artifact_unavailable') throw error;
    return withoutDays(input.known, { status: 'blob_store_unavailable', from, to });
  }
  if (sums.blobs === 0) return withoutDays(input.known, { status: 'empty', from, to });
  return {
    bytes: closed(
      assembleObject({
        date_from: from,
        date_to: to,
        source: input.known.window_source,
        status: sums.complete ? 'complete' : 'partial',
        totals: totalsOf(sums.blobs, sums.filings, dates.length),
        days: days.map((day) => day.bytes),
      }),
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

async function storedDay(release: Release, date: string): Promise<DeltaWindowView> {
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
    bytes: closed(assembleObject(made)),
    sources: [],
  };
}

function withoutDays(
  known: KnownDays,
  { status, from, to }: { status: DeltaWindowStatus; from: string | null; to: string | null },
): DeltaWindowView {
  const source = known.window_source;
  const open = assembleObject({
    date_from: from,
    date_to: to,
    source,
    status,
    totals: totalsOf(0, 0, 0),
    days: [],
  });
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
