import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '../../calculators/exact/civilDate.ts';
import { hasEnded } from '../../calculators/filing/rows.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { fetchEdgar } from '../fetch/fetchEdgar.ts';
import {
  type ChosenFiling,
  chooseFilingsToFetch,
  type FilingCandidate,
} from '../fetch/filings/chooseFilingsToFetch.ts';
import { chooseReportsToFetch, type ReportCandidate } from '../fetch/filings/chooseReportsToFetch.ts';
import { edgarBucket, requireContact } from '../fetch/filings/edgarSession.ts';
import { type FilingsReport, fetchFilings } from '../fetch/filings/fetchFilings.ts';
import { submissionsCandidates, warehouseCandidates } from '../fetch/filings/filingCandidates.ts';
import type { TokenBucket } from '../fetch/http/httpSession.ts';
import { tooSlow, within } from '../fetch/http/interruption.ts';
import { giveObservations } from '../fetch/market/takeSnapshot.ts';
import { coinGecko } from '../fetch/prices/coinGecko.ts';
import { fetchPrices, type PriceSource } from '../fetch/prices/priceSource.ts';
import { pruneRaw } from '../fetch/store/pruneRaw.ts';
import { programRoot } from '../programRoot.ts';
import type { FetchRequest, NightSource } from '../source/nightSource.ts';
import { loadUniverse } from '../universe/universe.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { withNightlyLock } from './nightlyLock.ts';

/** The basket of M3.20; the treasury assets of the universe come on top. */
const basket = ['BTC', 'ETH', 'SOL', 'LTC', 'LINK', 'DOGE', 'ADA', 'AVAX'];
/** Public price sources give the last year. */
const historyDays = 363;
/** Versions of each archive that stay, so that the last nights can be rebuilt by hash. */
const keptNights = 3;
/** How long a night waits for each of its sources in all, milliseconds. */
const archivesMs = 8 * 3_600_000;
const filingsMs = 4 * 3_600_000;
const closesMs = 3_600_000;

/**
 * SEC EDGAR over the network: its archives, the XBRL of the filings in force, and daily closes of the coins the
 * universe holds.
 *
 * A refusal after the archives costs the night its new filings or its new closes, never its facts: it is warned of,
 * and what was fetched before is used.
 *
 * @throws IssuerError `configuration` without a contact address: it refuses to start.
 */
export function edgarNights(input: {
  contact: string | undefined;
  priceKey: string | null;
  edgarUrl?: string;
  priceUrl?: string;
  priceSource?: (request: FetchRequest) => PriceSource;
}): NightSource {
  requireContact(input.contact);
  const directory = (layout: DataLayout) => join(layout.raw, 'edgar-source');
  return {
    kind: 'edgar',
    label: 'edgar',
    nights: () => Promise.resolve(null),
    directory: ({ layout }) => directory(layout),
    fetch: async (request) => {
      const { layout, effects, signal } = request;
      const target = directory(layout);
      // archives and filings come from one host: one budget of requests
      const from = edgarDocuments(request, { ...input, target, bucket: edgarBucket(effects) });
      const report = await bounded({ what: 'the SEC archives', ms: archivesMs, signal }, (limited) =>
        fetchEdgar({ ...from, signal: limited }),
      );
      const filings = await fetchNewFilings(request, from);
      const reports = await fetchNewReports(request, { documents: from, wanted: filings.wanted });
      const source =
        input.priceSource?.(request) ??
        coinGecko({
          rawRoot: layout.raw,
          apiKey: input.priceKey,
          effects,
          ...(input.priceUrl === undefined ? {} : { baseUrl: input.priceUrl }),
        });
      const closes = await fetchCloses(request, { source, target });
      const observed = await giveObservations({ directory: join(layout.raw, 'market'), target });
      await pruneArchives(request);
      const fresh = report.files.filter((file) => file.bytes > 0).length;
      const skipped =
        fresh === 0 && filings.fetched + reports.fetched === 0 && closes === 0 && observed === 0;
      const files =
        fresh === 0 ? 'archives unchanged at SEC' : `${fresh} of ${report.files.length} archives new`;
      const size = `${report.bytes.toLocaleString('en')} bytes in ${report.requests} requests`;
      const news = `${filings.fetched} new filings, ${reports.fetched} new current reports, ${closes} new closes`;
      const message = `${files} (${size}), ${news}`;
      return { directory: target, skipped, message };
    },
  };
}

type EdgarDocuments = ReturnType<typeof edgarDocuments>;

/** Where documents of EDGAR are kept, and how SEC is asked for them. */
function edgarDocuments(
  { layout, effects }: Pick<FetchRequest, 'layout' | 'effects'>,
  {
    contact,
    edgarUrl,
    target,
    bucket,
  }: { contact: string | undefined; edgarUrl?: string; target: string; bucket: TokenBucket },
) {
  const baseUrl = edgarUrl === undefined ? {} : { baseUrl: edgarUrl };
  return { rawRoot: layout.raw, target, contact, bucket, effects, ...baseUrl };
}

function bounded<T>(
  { what, ms, signal }: { what: string; ms: number; signal: AbortSignal },
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return within({ ms, late: tooSlow(what, ms), signal }, act);
}

/** What a source gives; a refusal costs the night what is new there: it is warned of, and null comes back. */
async function unlessRefused<T>(
  { effects, signal }: FetchRequest,
  { lacking, ...limit }: { what: string; ms: number; lacking: string },
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  try {
    return await bounded({ ...limit, signal }, act);
  } catch (error) {
    if (!(error instanceof IssuerError) || error.code !== 'source_refused') throw error;
    effects.log({ level: 'warn', step: 'fetch', message: `${lacking}: ${error.message}` });
    return null;
  }
}

/** Filings whose folder is new or was made again. */
function freshOf(report: FilingsReport | null): number {
  const filings = report?.filings ?? [];
  return filings.filter(({ status }) => status === 'fetched' || status === 'relinked').length;
}

/** Clean-up is no part of the night's promise: what goes wrong is said and the night goes on. */
async function pruneArchives({ layout, effects }: FetchRequest): Promise<void> {
  try {
    const { removed, removedBytes } = await pruneRaw({
      rawRoot: layout.raw,
      keepNights: keptNights,
      effects,
    });
    if (removed.length === 0) return;
    const message = `${removed.length} superseded downloads removed, ${removedBytes.toLocaleString('en')} bytes`;
    effects.log({ level: 'info', step: 'fetch', message });
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    effects.log({ level: 'warn', step: 'fetch', message: `superseded downloads stay: ${error.message}` });
  }
}

/** Number of filings whose folder is new or was made again, and what the current reports to fetch are chosen from. */
async function fetchNewFilings(
  request: FetchRequest,
  documents: EdgarDocuments,
): Promise<{ readonly fetched: number; readonly wanted: ReportsWanted }> {
  const { night, layout, effects } = request;
  const issuers = await loadUniverse(join(programRoot, 'data/registry/universe.csv'));
  // one that has ended files no more
  const ciks = issuers.filter((issuer) => !hasEnded(issuer, night.sourceDate)).map(({ cik }) => cik);
  const known = await knownFilings(layout.database, new Set(ciks));
  const archivePath = join(documents.target, 'edgar/submissions.zip');
  const submitted = submissionsCandidates({ archivePath, ciks });
  const filings = chooseFilingsToFetch([...submitted.candidates, ...known], night);
  const limit = { what: 'the filings at SEC', ms: filingsMs, lacking: 'not all new filings' };
  const report = await unlessRefused(request, limit, (signal) =>
    fetchFilings({ ...documents, filings, signal }),
  );
  for (const { cik, accession, status, reason } of report?.filings ?? []) {
    if (status !== 'failed') continue;
    const message = `filing ${accession} of ${cik} is not at hand: ${reason}`;
    effects.log({ level: 'warn', step: 'fetch', message });
  }
  const wanted = { reports: submitted.reports, periods: newestPeriods(filings) };
  return { fetched: freshOf(report), wanted };
}

/** What the last complete build knows of the registrants' filings, companyfacts included; nothing before the first. */
async function knownFilings(database: string, ciks: ReadonlySet<string>): Promise<FilingCandidate[]> {
  if (!existsSync(database)) return [];
  const { connection, close } = await openWarehouse(database);
  try {
    return (await warehouseCandidates(connection)).filter(({ cik }) => ciks.has(cik));
  } finally {
    close();
  }
}

/** Number of closes added. */
async function fetchCloses(
  request: FetchRequest,
  { source, target }: { source: PriceSource; target: string },
): Promise<number> {
  const { night, effects } = request;
  const issuers = await loadUniverse(join(programRoot, 'data/registry/universe.csv'));
  const held = issuers
    .filter((issuer) => !hasEnded(issuer, night.sourceDate))
    .map((issuer) => issuer.primaryAsset)
    .filter((asset) => asset !== null && /^[A-Z0-9]{1,12}$/.test(asset));
  const assets = [...new Set([...basket, ...held.filter((asset) => asset !== null)])];
  const [from, to] = [addDays(night.sourceDate, -historyDays), night.sourceDate];
  const limit = { what: source.name, ms: closesMs, lacking: 'no new closes' };
  try {
    const report = await unlessRefused(request, limit, (signal) =>
      fetchPrices({ source, assets, from, to, target, effects, signal }),
    );
    return (report?.assets ?? []).reduce((sum, asset) => sum + asset.added, 0);
  } finally {
    await source.close();
  }
}

/** What the current reports of a night are chosen from. */
type ReportsWanted = {
  readonly reports: readonly ReportCandidate[];
  /** Day of the newest balance sheet, by CIK. */
  readonly periods: ReadonlyMap<string, string>;
};

/** What a fetch of current reports did. */
type FetchedReports = {
  readonly fetched: number;
  readonly chosen: number;
  readonly requests: number;
  readonly bytes: number;
};

/** Longest wait for all current reports, milliseconds: a first run asks for some two thousand. */
const reportsMs = 4 * 3_600_000;
/** A text with pictures and the XBRL of its cover can be larger; it is then listed as missing. */
const mostBytes = 16 << 20;

/**
 * Fetches the submission texts of the current reports since each balance sheet in force, one request each. A refusal costs
 * the night its new reports, never a figure as filed: it is warned of, and what was fetched before is used.
 */
async function fetchNewReports(
  request: FetchRequest,
  {
    documents,
    wanted: { reports, periods },
    from,
  }: {
    readonly documents: EdgarDocuments;
    readonly wanted: ReportsWanted;
    /** Reports filed from that day on are fetched too. */
    readonly from?: string;
  },
): Promise<FetchedReports> {
  const { sourceDate } = request.night;
  const since = from === undefined ? {} : { from };
  const filings = chooseReportsToFetch(reports, { sourceDate, periods, ...since });
  const limits = { maxFileBytes: mostBytes, maxFilingBytes: mostBytes };
  const limit = { what: 'the current reports at SEC', ms: reportsMs, lacking: 'not all new current reports' };
  const report = await unlessRefused(request, limit, (signal) =>
    fetchFilings({ ...documents, filings, signal, part: 'submission', limits }),
  );
  for (const { cik, accession, reason, gaps } of report?.filings ?? []) {
    const why = reason ?? gaps[0]?.reason ?? null;
    if (why === null) continue;
    const message = `current report ${accession} of ${cik} is not at hand: ${why}`;
    request.effects.log({ level: 'warn', step: 'fetch', message });
  }
  const { requests = 0, bytes = 0 } = report ?? {};
  return { fetched: freshOf(report), chosen: filings.length, requests, bytes };
}

/** Day of the newest balance sheet of the filings in force. */
function newestPeriods(filings: readonly ChosenFiling[]): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const { cik, period, why, hasBalanceSheet, isXbrl } of filings) {
    const carries = why === 'latest' && (hasBalanceSheet === true || isXbrl !== false);
    if (carries && period !== null && period > (newest.get(cik) ?? '')) newest.set(cik, period);
  }
  return newest;
}

/**
 * Fetches the current reports filed from a day on that the submissions archive of the last night lists, into what nights with
 * `--source edgar` read; the next one takes them in. What is stored is not asked for again.
 *
 * @throws IssuerError `configuration` without a contact address, `input_missing` before a night fetched the archive, `locked`
 */
export async function fetchPastReports(input: {
  readonly layout: DataLayout;
  readonly from: string;
  readonly contact: string | undefined;
  readonly edgarUrl?: string;
  readonly effects: StoreEffects;
  readonly signal: AbortSignal;
}): Promise<FetchedReports> {
  const { layout, from, effects, signal } = input;
  const contact = requireContact(input.contact);
  const sourceDate = effects.clock.now().toISOString().slice(0, 10);
  const target = join(layout.raw, 'edgar-source');
  const issuers = await loadUniverse(join(programRoot, 'data/registry/universe.csv'));
  const ciks = issuers.filter((issuer) => !hasEnded(issuer, sourceDate)).map(({ cik }) => cik);
  return withNightlyLock({ path: layout.lock, effects }, () => {
    const { reports } = submissionsCandidates({
      archivePath: join(target, 'edgar/submissions.zip'),
      ciks,
    });
    const request = { night: { sourceDate, asOf: null, note: null }, layout, effects, signal };
    const documents = edgarDocuments(request, { ...input, contact, target, bucket: edgarBucket(effects) });
    return fetchNewReports(request, { documents, from, wanted: { reports, periods: new Map() } });
  });
}
