import * as stores from '../../contract/rowStores.ts';
import { type ResolvedIssuer, resolveIssuer } from '../identity/resolveIssuer.ts';
import type { Release } from '../store/artifactStore.ts';
import { unavailable } from '../store/unavailable.ts';
import type { FindInput, Found } from './findInput.ts';
import { issuerSlice, sliceRow } from './issuerSlice.ts';
import { missError } from './missError.ts';
import { columnOf, rowBytes } from './rowView.ts';
import { currentRelease, nearestDates, nearestNights } from './selectRelease.ts';
import type { Servable } from './servable.ts';
import { objectServable, sourcesOf, viewServable } from './servableOf.ts';

/** Where the answer of one issuer lies, and what is said when it does not. */
type IssuerAnswer = {
  /** Key without `.json`, and the flags of a stored variant. */
  readonly object: (slice: string, cik: string) => string;
  /** Key of the row store of a backfilled release without `.ndjson`; null where it holds none (I4.36). */
  readonly rows: ((slice: string) => string) | null;
  /** The miss of an issuer that has a row in the slice. */
  readonly miss: (input: FindInput, release: Release, resolved: ResolvedIssuer) => Promise<Error>;
};

const byCik = (name: string) => (slice: string, cik: string) => `${name}/${slice}/CIK${cik}`;

const answers: Readonly<Record<string, IssuerAnswer>> = {
  'company_fundamentals.v1': {
    object: byCik('fundamentals'),
    rows: stores.fundamentals.key,
    miss: notListed,
  },
  'alpha_signals.v1': {
    object: byCik('alpha-signals'),
    rows: stores.alphaSignalsSlice.key,
    miss: notListed,
  },
  'peer_ranking.v1': {
    object: byCik('peer-ranking'),
    rows: stores.peerRankingSlice.key,
    miss: notRanked,
  },
  'covenant_stress.v1': {
    object: byCik('covenant'),
    rows: stores.covenantSlice.key,
    miss: notListed,
  },
  'issuer_field_map.v1': { object: byCik('issuer-field-map'), rows: null, miss: withoutMap },
};

/**
 * R08–R11 and R17: the stored object of one issuer in the slice that `source_date`, `period` or neither selects
 * (I4.15, I4.16), or its row in a backfilled release (I4.36).
 */
export async function findIssuerAnswer(input: FindInput): Promise<Found> {
  const current = await currentRelease(input.snapshot);
  const resolved = resolveIssuer({
    asked: String(input.params.values.get('ticker')),
    index: await current.issuers(),
    route: input.route,
  });
  const release = await issuerSlice(input, { current, resolved });
  const cacheKey = `${release.name} ${input.route.id} ${resolved.issuer.cik}${variantOf(input)}`;
  const hot = input.cache.get(cacheKey);
  if (hot !== undefined) return { servable: hot, lookup: resolved.lookup, cacheKey };
  const servable = await storedAnswer(input, release, resolved);
  input.cache.set(cacheKey, servable, servable.bodies.length * 3);
  return { servable, lookup: resolved.lookup, cacheKey };
}

function variantOf({ params }: FindInput): string {
  const segments = params.values.get('include_segments') === true ? '+seg' : '';
  const related = params.values.get('include_related_party') === true ? '+rpt' : '';
  return `${segments}${related}`;
}

async function storedAnswer(input: FindInput, release: Release, resolved: ResolvedIssuer): Promise<Servable> {
  const { issuer, ticker } = resolved;
  const { route } = input;
  const answer = answers[String(route.schemaId)];
  if (answer === undefined) throw new TypeError(`no answer is known for ${route.id}`);
  const key = `${answer.object(release.sourceDate, issuer.cik)}${variantOf(input)}.json`;
  const stored = await release.object(key);
  if (stored !== null) return objectServable({ route, release, stored, ticker });
  const rows = answer.rows === null ? null : await release.rows(`${answer.rows(release.sourceDate)}.ndjson`);
  const row = rows?.rowOfCik(issuer.cik) ?? -1;
  if (rows !== null && row >= 0) {
    const open = rowBytes(rows, row).subarray(0, -1);
    return viewServable({ route, release, sources: sourcesOf(rows), open, view: issuer.cik, ticker });
  }
  if ((await sliceRow(release, issuer.cik)) === null) throw await withoutRow(input, release, resolved);
  throw await answer.miss(input, release, resolved);
}

async function notListed(_: FindInput, release: Release, resolved: ResolvedIssuer): Promise<Error> {
  return unavailable(`${release.sourceDate}/CIK${resolved.issuer.cik}`, 'the release does not list it');
}

// why an issuer of the slice has no rank stands beside its covenant row (M4.5)
async function notRanked(input: FindInput, release: Release, resolved: ResolvedIssuer): Promise<Error> {
  const found = await sliceRow(release, resolved.issuer.cik);
  const reason =
    found === null ? null : columnOf<typeof stores.covenantSlice>(found.rows, 'unranked_reason')[found.row];
  if (typeof reason !== 'string') return notListed(input, release, resolved);
  return missError(input.route, {
    reasonCode: 'issuer_not_ranked',
    message: `${resolved.issuer.name} has no rank in the slice of ${release.sourceDate}.`,
    hint: 'GET /v1/covenant-stress/{ticker} shows what is known of it.',
    ticker: resolved.ticker,
    unrankedReason: reason,
  });
}

async function withoutMap(input: FindInput, release: Release, resolved: ResolvedIssuer): Promise<Error> {
  if (release.rowStoresOnly) {
    const nearest = await nearestNights(input.snapshot, release.sourceDate);
    return notOnDate(input, release.sourceDate, resolved, nearest);
  }
  return missError(input.route, {
    reasonCode: 'historical_field_map_missing',
    message: `No field map is stored for ${resolved.issuer.name}.`,
    hint: 'GET /v1/core-history/{ticker} shows the rows it would be drawn from.',
    ticker: resolved.ticker,
  });
}

// an issuer that other slices know is missed for the date, one that no slice knows for itself (I3.26, I4.15)
async function withoutRow(input: FindInput, release: Release, resolved: ResolvedIssuer): Promise<Error> {
  const current = await currentRelease(input.snapshot);
  const history = await current.rows(`${stores.coreHistory.key(resolved.issuer.cik)}.ndjson`);
  const dates =
    history === null
      ? (await sliceRow(current, resolved.issuer.cik)) === null
        ? []
        : [current.sourceDate]
      : columnOf<typeof stores.coreHistory>(history, 'source_date').map(String);
  if (release.name !== current.name && dates.length > 0)
    return notOnDate(input, release.sourceDate, resolved, nearestDates(dates, release.sourceDate));
  return missError(input.route, {
    reasonCode: 'issuer_without_coverage',
    message: `${resolved.issuer.name} is in the universe, but no eligible filing of it is at hand.`,
    hint: 'GET /companies shows which issuers are covered.',
    ticker: resolved.ticker,
  });
}

function notOnDate(
  input: FindInput,
  date: string,
  resolved: ResolvedIssuer,
  nearest: ReturnType<typeof nearestDates>,
): Error {
  return missError(input.route, {
    reasonCode: 'no_artifact_for_source_date',
    message: `Nothing of ${resolved.issuer.name} is stored for ${date}.`,
    hint: 'Ask for one of nearest_source_dates, or leave source_date out.',
    ticker: resolved.ticker,
    nearestSourceDates: nearest,
  });
}
