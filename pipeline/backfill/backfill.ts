import type { DuckDBConnection } from '@duckdb/node-api';
import { currentReports, reportingEnded } from '../../calculators/age/currentReports.ts';
import { hasEnded, type Issuer, type PriceRow } from '../../calculators/filing/rows.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type PriceBook, priceBook } from '../../calculators/prices/priceBook.ts';
import type { SliceContext } from '../../calculators/slice/assessIssuers.ts';
import type { ResolutionTrail } from '../../calculators/trail/resolutionTrail.ts';
import { promotedSlices, withdrawnSlices } from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { closesHashes, type PositionCache } from '../compute/positionCache.ts';
import type { Resolving } from '../compute/resolveVintages.ts';
import { closesAround, type KnownPosition, resolveVintages } from '../compute/resolveVintages.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import type { LogEvent, StoreEffects } from '../effects.ts';
import { type ComputedSlice, reportingContext, sliceOf } from '../families/computeSlice.ts';
import type { SliceHistory } from '../history/sliceHistory.ts';
import { sha256Hex } from '../release/artifact.ts';
import { publishPastReleases, type ReleaseContent } from '../release/publishRelease.ts';
import { readManifest, readSliceIndex } from '../release/releaseStore.ts';
import type { SigningKey } from '../release/signingKey.ts';
import { inTransaction, readRows } from '../warehouse/build/readRows.ts';
import { putAlphaRows } from '../warehouse/derived/alphaRows.ts';
import { putHoldingRows } from '../warehouse/derived/holdingRows.ts';
import { putStressRows } from '../warehouse/derived/stressRows.ts';
import { selectStatements } from '../warehouse/reports/storedStatements.ts';
import { selectListedTickers } from '../warehouse/select/selectCompanies.ts';
import { selectPrices } from '../warehouse/select/selectPrices.ts';
import { dropVintages, selectVintages, type Vintage } from '../warehouse/select/selectVintages.ts';

/** What came of one date. */
export type BackfilledDate = {
  readonly sourceDate: string;
  readonly status: 'published' | 'unchanged' | 'full' | 'empty' | 'withdrawn';
  /** The build that answers for the date; null when no issuer had filed. */
  readonly release: string | null;
  readonly rows: number;
  /** Filings resolved for this date for the first time. */
  readonly resolved: number;
};

export type BackfillRequest = {
  /** An open build: its facts are read, its views get the rows. */
  readonly connection: DuckDBConnection;
  readonly paths: ReleasePaths;
  readonly key: SigningKey;
  readonly dates: readonly string[];
  /** Published as `computed_at_utc` (M0.13). */
  readonly asOf: string;
  readonly issuers: readonly Issuer[];
  readonly parameters: Parameters;
  /** What the manifests say the releases were made with: code and parameters. */
  readonly provenance: Readonly<Record<string, string>>;
  readonly cache: PositionCache | null;
  readonly force: boolean;
  readonly effects: StoreEffects;
  readonly stopIfAsked: () => void;
};

/**
 * Publishes past dates, each from the facts filed and accepted by then and the closes up to then (M10.2), as releases
 * that hold row stores only and never become current (I3.28, I4.36).
 *
 * A date that a full release answers for stays as it is; so does one whose build was made from the same inputs.
 */
export async function* backfill(
  backfillRequest: BackfillRequest,
): AsyncGenerator<BackfilledDate, void, undefined> {
  const { connection, parameters } = backfillRequest;
  const rows = await selectPrices(connection, { upTo: backfillRequest.dates.at(-1) ?? '' });
  const book = priceBook(rows, parameters);
  const shared = {
    parameters,
    issuers: backfillRequest.issuers,
    priceCount: rows.length,
    backfilled: true,
    leftOut: [],
    log: backfillRequest.effects.log,
    stopIfAsked: backfillRequest.stopIfAsked,
    listed: await selectListedTickers(connection),
    ...(await reportingContext(connection)),
  };
  const held = await datesWithRows(connection, parameters.version);
  const closes = closesHashes(rows);
  const index = await readSliceIndex(backfillRequest.paths);
  const slices = promotedSlices(index);
  const withdrawn = new Set(withdrawnSlices(index).map(({ source_date }) => source_date));
  const seen = new Set<number>();
  let before: SliceHistory = [];
  let group: Done[] = [];
  for await (const { sourceDate, known } of asOfPositions({ ...backfillRequest, rows, log: shared.log })) {
    const statements = await selectStatements(connection, sourceDate);
    const inputs = {
      ...backfillRequest.provenance,
      slice: 'backfilled',
      known: knownHash({ ...shared, known, sourceDate, statements, closes: closes(sourceDate) }),
    };
    const fresh = known.filter(({ vintage, reused }) => !reused && !seen.has(vintage.id));
    for (const { vintage } of fresh) seen.add(vintage.id);
    const promoted = await promotedBuild(backfillRequest.paths, slices[sourceDate]);
    const isVouched = known.every(({ key }) => key !== null);
    const isSame =
      !backfillRequest.force && isVouched && promoted !== null && isMadeFrom(promoted.inputs, inputs);
    const told = {
      sourceDate,
      rows: known.length,
      resolved: fresh.length,
      release: promoted?.release ?? null,
    };
    if (promoted?.inputs['slice'] === 'full') {
      group.push({ told: { ...told, status: 'full' }, computed: null, inputs: null });
    } else if (withdrawn.has(sourceDate)) {
      group.push({ told: { ...told, status: 'withdrawn' }, computed: null, inputs: null });
      continue;
    } else if (known.length === 0) {
      group.push({ told: { ...told, status: 'empty' }, computed: null, inputs: null });
    } else if (isSame && held.has(sourceDate)) {
      group.push({ told: { ...told, status: 'unchanged' }, computed: null, inputs: null });
    } else {
      const asOf = isSame ? promoted.generatedAt : backfillRequest.asOf;
      const prices = closesUpTo(book, sourceDate);
      const computed = await sliceOf({
        ...{ ...shared, sourceDate, asOf, known, prices, statements },
        history: before,
      });
      const status = isSame ? 'unchanged' : 'published';
      group.push({ told: { ...told, status }, computed, inputs: isSame ? null : inputs });
    }
    const ciks = known.map(({ position }) => position.issuer.cik).sort();
    if (ciks.length > 0) before = [{ sourceDate, release: promoted?.release ?? '', ciks }];
    if (group.filter(({ computed }) => computed !== null).length < groupSize) continue;
    yield* await finishGroup(backfillRequest, group);
    group = [];
  }
  yield* await finishGroup(backfillRequest, group);
}

/** Dates made durable together. */
const groupSize = 32;

/** A date of a group: what to keep in the views, and what to publish. */
type Done = {
  readonly told: BackfilledDate;
  readonly computed: ComputedSlice | null;
  readonly inputs: Readonly<Record<string, string>> | null;
};

async function finishGroup(
  backfillRequest: BackfillRequest,
  group: readonly Done[],
): Promise<BackfilledDate[]> {
  const contents = group.flatMap(({ told, computed, inputs }) =>
    computed === null || inputs === null ? [] : [contentOf(backfillRequest, { told, computed, inputs })],
  );
  const { paths, key } = backfillRequest;
  const names =
    contents.length === 0
      ? []
      : await publishPastReleases({ paths, key, contents, files: backfillRequest.effects.files });
  await keepRows(backfillRequest, group);
  return group.map(({ told, inputs }) =>
    inputs === null ? told : { ...told, release: names.shift() ?? null },
  );
}

function contentOf(
  { asOf }: BackfillRequest,
  {
    told,
    computed,
    inputs,
  }: { told: BackfilledDate; computed: ComputedSlice; inputs: Readonly<Record<string, string>> },
): ReleaseContent {
  const { sliceStatus, artifacts } = computed;
  return { sourceDate: told.sourceDate, generatedAt: asOf, sliceStatus, artifacts, inputs };
}

async function keepRows({ parameters, connection }: BackfillRequest, group: readonly Done[]): Promise<void> {
  const nights = group.flatMap(({ told, computed }) => {
    if (computed === null) return [];
    const { slice, results } = computed;
    const trails = new Map<string, ResolutionTrail>();
    for (const { issuer, trail } of results) if (trail !== null) trails.set(issuer.cik, trail);
    const night = { sourceDate: told.sourceDate, methodVersion: parameters.version };
    return [{ ...night, slice, trails, stress: slice.covenantRows }];
  });
  if (nights.length === 0) return;
  await inTransaction(connection, async () => {
    await putStressRows(connection, nights);
    await putAlphaRows(connection, nights);
    await putHoldingRows(connection, nights);
  });
}

async function promotedBuild(paths: ReleasePaths, release: string | undefined) {
  if (release === undefined) return null;
  // one that cannot be read is made again
  const read = await readManifest(paths, release).catch(() => null);
  if (read === null) return null;
  const { manifest } = read;
  return { release, inputs: manifest.inputs, generatedAt: manifest.generated_at };
}

function isMadeFrom(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return canonicalJson({ ...a }) === canonicalJson({ ...b });
}

/** One hash over all that a date is computed from besides the program and its parameters. */
function knownHash({
  known,
  closes,
  submissions,
  calendar,
  statements,
  sourceDate,
}: {
  readonly known: readonly KnownPosition[];
  readonly closes: string;
  readonly sourceDate: string;
} & Required<Pick<SliceContext, 'calendar' | 'submissions' | 'statements'>>): string {
  const positions = known.map(({ key, position }) => [position.issuer.cik, key]).sort();
  const reports = known.map(({ position: { issuer, filing } }) => {
    const listed = submissions(issuer.cik);
    const since = currentReports(filing, { submissions: listed, sourceDate });
    return { cik: issuer.cik, ended: reportingEnded(listed, { sourceDate }), ...since };
  });
  const holidays = [...calendar.holidays];
  const parts = { positions, closes, reports, holidays, statements: statedTexts(statements) };
  return sha256Hex(canonicalJson(parts as unknown as CanonicalValue));
}

/** What statements say that a figure can rest on. */
function statedTexts(statements: Required<SliceContext>['statements']): string[] {
  return [...statements.values()].flat().map(({ units, usd, source, ...one }) => {
    const { cik, accession, acceptedAt } = source;
    const {
      kind,
      asset,
      periodFrom,
      asOf,
      security,
      confidence,
      dateBasis,
      fromTable,
      isApproximate,
      place,
    } = one;
    const said = [kind, asset, units?.toString(), usd?.toString(), periodFrom, asOf, security, confidence];
    return JSON.stringify([cik, accession, acceptedAt, place, ...said, dateBasis, fromTable, isApproximate]);
  });
}

async function datesWithRows(connection: DuckDBConnection, methodVersion: string): Promise<Set<string>> {
  const rows = await readRows<{ day: string }>(
    connection,
    'SELECT DISTINCT source_date::VARCHAR AS day FROM stress_row WHERE method_version = $version',
    { version: methodVersion },
  );
  return new Set(rows.map(({ day }) => day));
}

/** Vintages resolved together: their facts are in memory at once. */
const batch = 64;

/** What was known of the issuers on one date. */
export type PositionsOfDate = { readonly sourceDate: string; readonly known: readonly KnownPosition[] };

/**
 * Resolves what was in force on each of some dates, ascending. A filing is resolved once for all the dates on which the
 * same was known of it; only the positions of one date and those of the next batch are held (M10.2, M10.3).
 *
 * @param rows closes up to the last date; a resolution reads those of its period only
 */
export async function* asOfPositions({
  connection,
  dates,
  issuers,
  rows,
  parameters,
  cache,
  stopIfAsked,
  log,
}: Resolving & {
  dates: readonly string[];
  issuers: readonly Issuer[];
  rows: readonly PriceRow[];
}): AsyncGenerator<PositionsOfDate, void, undefined> {
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return;
  const ciks = issuers.map((issuer) => issuer.cik);
  const vintages = await selectVintages(connection, { from, to, ciks });
  // one that begins and ends between two dates is never looked at
  const waiting = vintages
    .filter((vintage) => dates.some((date) => isInForce(vintage, date)))
    .sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.id - b.id));
  const request = {
    connection,
    parameters,
    cache,
    stopIfAsked,
    issuers: new Map(issuers.map((issuer) => [issuer.cik, issuer])),
    prices: priceBook(rows, parameters),
    closes: closesAround(rows, parameters),
    // one line for each filing would say little over years of them
    log: (event: LogEvent) => (event.level === 'info' ? undefined : log(event)),
  };
  try {
    let live: KnownPosition[] = [];
    for (const sourceDate of dates) {
      stopIfAsked();
      while ((waiting[0]?.since ?? '9999-12-31') <= sourceDate) {
        live.push(...(await resolveVintages({ ...request, vintages: waiting.splice(0, batch) })).known);
      }
      live = live.filter(({ vintage: { until } }) => until === null || until > sourceDate);
      const stands = ({ vintage, position }: KnownPosition) =>
        isInForce(vintage, sourceDate) && !hasEnded(position.issuer, sourceDate);
      yield { sourceDate, known: live.filter(stands) };
    }
  } finally {
    await dropVintages(connection);
  }
}

function isInForce({ since, until }: Vintage, date: string): boolean {
  return since <= date && (until === null || date < until);
}

/** The book as it stood at the end of a day: later closes do not exist (M15.16). */
function closesUpTo(book: PriceBook, day: string): PriceBook {
  return {
    close: (asset, date) => (date <= day ? book.close(asset, date) : null),
    closeOn: (asset, date) => (date <= day ? book.closeOn(asset, date) : null),
    refused: (asset, date) => (date <= day ? book.refused(asset, date) : []),
    isMissing: (asset, date) => date <= day && book.isMissing(asset, date),
  };
}
