import { coreHistory } from '../../../data/contract/payloads/issuer/coreHistory.ts';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { ColumnOf } from '../../../data/contract/payloads/stored.ts';
import { type CompanyRow, companyRows } from '../../../data/contract/payloads/universe/companies.ts';
import type { ObjectAnswer } from '../../../data/contract/routes/answer.ts';
import type { ListRows } from '../../../data/store/bytes/listRows.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import { missError } from '../../problem/missError.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release } from '../../store/artifactStore.ts';
import {
  askedDate,
  askNearestDate,
  currentRelease,
  nearestDates,
  nearestNights,
  noSlice,
  releaseOf,
} from '../asked/selectRelease.ts';
import type { FindInput } from '../servable/findInput.ts';
import { columnOfSpans, datesOfSpans, subjectSpans } from './storedHistory.ts';

/** The release `source_date`, `period` or neither selects for an issuer (I4.15, I4.16). */
export async function issuerSlice(
  input: FindInput,
  given: { current: Release; resolved: ResolvedIssuer },
): Promise<Release> {
  const { snapshot, route, params } = input;
  const { ticker, issuer } = given.resolved;
  const sourceDate = askedDate(input);
  const period = params.values.get('period');
  if (typeof period !== 'string') return releaseOf({ snapshot, sourceDate, route, ticker });
  const dates = sourceDate === null ? await datesOfPeriod(input, given, period) : [sourceDate];
  for (const date of dates) {
    const release = await snapshot.ofDate(date);
    if (release === null) throw noSlice({ snapshot, sourceDate: date, route, ticker });
    const found = await sliceRow(release, issuer.cik);
    if (found?.list.column('period')[found.row] === period) return release;
  }
  throw missError(route, {
    reasonCode: 'no_artifact_for_period',
    message:
      sourceDate === null
        ? `No slice holds ${ticker} with the filing period ${period}.`
        : `The slice of ${sourceDate} does not hold ${ticker} with the filing period ${period}.`,
    hint:
      sourceDate === null
        ? 'Leave period out for the newest filing.'
        : 'Leave source_date out for the newest slice with that period, or period out for the filing of that slice.',
    ticker,
  });
}

type CovenantRows = typeof covenantStress.stored.rows;

/** Row of an issuer in the covenant rows of a slice; null without one. */
export async function sliceRow(
  release: Release,
  cik: string,
): Promise<{ readonly list: ListRows<CovenantRows>; readonly row: number } | null> {
  const { rows } = covenantStress.stored;
  const stored = await release.rows(rows, rows.key({ slice: release.sourceDate }));
  const row = stored?.list.rowOfCik(cik) ?? -1;
  return stored === null || row < 0 ? null : { list: stored.list, row };
}

/** Dates whose slice may have the period, newest first: from the issuer's history, so that no slice is opened in vain. */
async function datesOfPeriod(
  { snapshot }: FindInput,
  { current, resolved }: { current: Release; resolved: ResolvedIssuer },
  period: string,
): Promise<readonly string[]> {
  const spans = await subjectSpans(current, coreHistory.stored.history, resolved.issuer.cik);
  if (spans.length === 0) return snapshot.dates.toReversed().slice(0, unlistedSlices);
  const promoted = new Set(snapshot.dates);
  return columnOfSpans(spans, 'period')
    .filter(({ date, value }) => value === period && promoted.has(date))
    .map(({ date }) => date)
    .reverse();
}

/** How many slices are searched for an issuer without history. */
const unlistedSlices = 31;

type Missing = {
  readonly release: Release;
  readonly resolved: ResolvedIssuer;
  readonly answer: Pick<ObjectAnswer, 'miss' | 'rows'>;
  readonly key: string;
};

/** Why nothing is stored for an issuer: no row in the slice, a reason of the route, or a defect of the release. */
export async function issuerMiss(input: FindInput, missing: Missing): Promise<Error> {
  const { release, resolved, answer, key } = missing;
  const { miss } = answer;
  const row = await sliceRow(release, resolved.issuer.cik);
  if (row === null) return withoutRow(input, missing);
  // an answer that only nights hold
  if (release.rowStoresOnly && answer.rows === null) {
    const nearest = await nearestNights(input.snapshot, release.sourceDate);
    return notOnDate(input, missing, nearest);
  }
  const because = miss?.because;
  const reason =
    because === undefined ? undefined : row.list.column(because as ColumnOf<CovenantRows>)[row.row];
  if (miss === null || (because !== undefined && typeof reason !== 'string'))
    return unavailable(key, 'the release does not list it');
  return missError(input.route, {
    reasonCode: miss.reasonCode,
    message: `${resolved.issuer.name} ${miss.sentence} of ${release.sourceDate}.`,
    hint: miss.hint,
    ticker: resolved.ticker,
    ...(typeof reason === 'string' ? { unrankedReason: reason } : {}),
  });
}

// an issuer that other slices know is missed for the date, one that no slice knows for itself (I3.26, I4.15)
async function withoutRow(input: FindInput, missing: Missing): Promise<Error> {
  const { release, resolved } = missing;
  const { cik, name } = resolved.issuer;
  const current = await currentRelease(input.snapshot);
  const dates = await knownDates(current, cik);
  if (release.name !== current.name && dates.length > 0)
    return notOnDate(input, missing, nearestDates(dates, release.sourceDate));
  return missError(input.route, {
    reasonCode: 'issuer_without_coverage',
    message:
      (await endedSentence(release, resolved.issuer)) ??
      `${name} is in the universe, but no eligible filing of it is at hand.`,
    hint: 'GET /companies shows which issuers are covered.',
    ticker: resolved.ticker,
  });
}

/** That a registrant has ended, when, and who goes on (I1.3a); null while it files. */
export async function endedSentence(
  release: Release,
  { cik, name }: { readonly cik: string; readonly name: string },
): Promise<string | null> {
  const stored = await release.rows(companyRows, companyRows.key({ slice: release.sourceDate }));
  const row = stored?.list.rowOfCik(cik) ?? -1;
  if (stored === null || row < 0) return null;
  const company = JSON.parse(stored.list.line(row).toString('utf8')) as Partial<CompanyRow>;
  const { status = 'active', status_date, successor } = company;
  if (status === 'active') return null;
  const on = status_date == null ? '' : ` on ${status_date}`;
  if (status === 'liquidated') return `${name} was liquidated${on}: nothing is computed of it since.`;
  const next = (await release.issuers()).byCik.get(successor ?? '');
  const into = successor == null ? '' : ` into ${next?.ticker ?? next?.name ?? `CIK ${successor}`}`;
  return `${name} was merged${into}${on}: ask for its successor, or for an earlier source_date.`;
}

async function knownDates(current: Release, cik: string): Promise<readonly string[]> {
  const dates = datesOfSpans(await subjectSpans(current, coreHistory.stored.history, cik));
  if (dates.length > 0) return dates;
  return (await sliceRow(current, cik)) === null ? [] : [current.sourceDate];
}

function notOnDate(
  input: FindInput,
  { release, resolved }: Missing,
  nearest: ReturnType<typeof nearestDates>,
): Error {
  return missError(input.route, {
    reasonCode: 'no_artifact_for_source_date',
    message: `Nothing of ${resolved.issuer.name} is stored for ${release.sourceDate}.`,
    hint: askNearestDate(input.route),
    ticker: resolved.ticker,
    nearestSourceDates: nearest,
  });
}
