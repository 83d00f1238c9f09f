import type { Release, StoredRows } from '../artifactStore.ts';
import { type ResolvedIssuer, resolveIssuer } from '../identity/resolveIssuer.ts';
import type { FindInput, Found } from './findInput.ts';
import { missError } from './missError.ts';
import { rowBytes } from './rowView.ts';
import { currentRelease, noSlice, releaseOf } from './selectRelease.ts';
import type { Servable } from './servable.ts';
import { objectServable, viewServable } from './servableOf.ts';

/**
 * R08 and R11: the stored object of one issuer in the slice that `source_date`, `period` or neither selects
 * (I4.15, I4.16), or its row in a backfilled release (I4.36).
 */
export async function findIssuerServable(input: FindInput): Promise<Found> {
  const current = await currentRelease(input.snapshot);
  const resolved = resolveIssuer({
    asked: String(input.params.values.get('ticker')),
    index: await current.issuers(),
    route: input.route,
  });
  const release = await selectSlice(input, resolved);
  const cacheKey = `${release.name} ${input.route.id} ${resolved.issuer.cik}${variantOf(input)}`;
  const hot = input.cache.get(cacheKey);
  if (hot !== undefined) return { servable: hot, lookup: resolved.lookup, cacheKey };
  const servable = await storedAnswer(input, release, resolved);
  if (servable === null) throw withoutCoverage(input, resolved);
  input.cache.set(cacheKey, servable, servable.bodies.length * 3);
  return { servable, lookup: resolved.lookup, cacheKey };
}

function variantOf({ params }: FindInput): string {
  const segments = params.values.get('include_segments') === true ? '+seg' : '';
  const related = params.values.get('include_related_party') === true ? '+rpt' : '';
  return `${segments}${related}`;
}

async function storedAnswer(
  input: FindInput,
  release: Release,
  { issuer, ticker }: ResolvedIssuer,
): Promise<Servable | null> {
  const slice = release.sourceDate;
  const fundamentals = input.route.schemaId === 'company_fundamentals.v1';
  const key = fundamentals
    ? `fundamentals/${slice}/CIK${issuer.cik}${variantOf(input)}.json`
    : `covenant/${slice}/CIK${issuer.cik}.json`;
  const stored = await release.object(key);
  if (stored !== null) return objectServable({ route: input.route, release, stored, ticker });
  const rows = await release.rows(fundamentals ? `fundamentals/${slice}.ndjson` : sliceKey(release));
  const row = rows?.rowOfCik(issuer.cik) ?? -1;
  if (rows === null || row < 0) return null;
  const open = rowBytes(rows, row).subarray(0, -1);
  return viewServable({ route: input.route, release, rows, open, view: issuer.cik, ticker });
}

async function selectSlice(input: FindInput, resolved: ResolvedIssuer): Promise<Release> {
  const sourceDate = input.params.values.get('source_date');
  const period = input.params.values.get('period');
  const { snapshot, route } = input;
  if (typeof period !== 'string') {
    const asked = typeof sourceDate === 'string' ? sourceDate : undefined;
    return releaseOf({ snapshot, sourceDate: asked, route, ticker: resolved.ticker });
  }
  const dates = typeof sourceDate === 'string' ? [sourceDate] : snapshot.dates.toReversed();
  for (const date of dates) {
    const release = await snapshot.ofDate(date);
    if (release === null) throw noSlice({ snapshot, sourceDate: date, route, ticker: resolved.ticker });
    const rows = await release.rows(sliceKey(release));
    if (rows !== null && periodOf(rows, resolved.issuer.cik) === period) return release;
  }
  throw missError(route, {
    reasonCode: 'no_artifact_for_period',
    message: `No slice holds ${resolved.ticker} with the filing period ${period}.`,
    hint: 'Leave period out for the newest filing.',
    ticker: resolved.ticker,
  });
}

function sliceKey(release: Release): string {
  return `covenant-slice/${release.sourceDate}.ndjson`;
}

function periodOf(rows: StoredRows, cik: string): unknown {
  return rows.index.columns['period']?.[rows.rowOfCik(cik)];
}

function withoutCoverage(input: FindInput, { issuer, ticker }: ResolvedIssuer) {
  return missError(input.route, {
    reasonCode: 'issuer_without_coverage',
    message: `${issuer.name} is in the universe, but no eligible filing of it is at hand.`,
    hint: 'GET /companies shows which issuers are covered.',
    ticker,
  });
}
