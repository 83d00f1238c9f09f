import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { dateParameter } from '../../../data/contract/routes/param.ts';
import type { Route } from '../../../data/contract/routes/route.ts';
import { missError } from '../../problem/missError.ts';
import type { Release, Snapshot } from '../../store/artifactStore.ts';
import type { FindInput } from '../servable/findInput.ts';

/** Date of the slice that is asked for; null for the current one (I4.15). */
export function askedDate({ route, params }: Pick<FindInput, 'route' | 'params'>): string | null {
  const name = dateParameter(route);
  return name === null ? null : askedText(params, name);
}

/** A parameter that is a text; null where it was not sent. */
export function askedText({ values }: FindInput['params'], name: string): string | null {
  const asked = values.get(name);
  return typeof asked === 'string' ? asked : null;
}

/** The next step after a date without an answer. */
export function askNearestDate(route: Pick<Route, 'params'>): string {
  return `Ask for one of nearest_source_dates, or leave ${dateParameter(route)} out for the current slice.`;
}

/**
 * The release `current` names.
 *
 * @throws IssuerError `not_ready` while nothing is promoted (I4.R01.4).
 */
export async function currentRelease(snapshot: Snapshot): Promise<Release> {
  const release = await snapshot.current();
  if (release !== null) return release;
  throw new IssuerError({
    code: 'not_ready',
    message: 'No slice is promoted yet.',
    hint: 'Try again after the next nightly run; GET /ready shows when.',
    details: { reason: 'no_promoted_slice', last_source_date: snapshot.dates.at(-1) ?? null },
  });
}

/**
 * The release that answers for a source_date, or the current one without it (I3.18, I4.15).
 *
 * @throws IssuerError `not_found` (`no_artifact_for_source_date`) with the nearest dates, or `not_ready`.
 */
export async function releaseOf(input: {
  snapshot: Snapshot;
  sourceDate: string | null;
  route: Route;
  ticker: string | null;
}): Promise<Release> {
  const current = await currentRelease(input.snapshot);
  if (input.sourceDate === null) return current;
  const release = await input.snapshot.ofDate(input.sourceDate);
  if (release === null) throw noSlice({ ...input, sourceDate: input.sourceDate });
  return release;
}

/** The miss of a date nothing is stored for, with the promoted dates around it (I4.15). */
export function noSlice({
  snapshot,
  sourceDate,
  route,
  ticker,
}: {
  snapshot: Snapshot;
  sourceDate: string;
  route: Route;
  ticker: string | null;
}): IssuerError {
  const withdrawal = withdrawalSentence(snapshot, sourceDate);
  return missError(route, {
    reasonCode: 'no_artifact_for_source_date',
    message: withdrawal ?? `Nothing is stored for ${sourceDate}.`,
    ...(withdrawal === null ? {} : { withdrawn: true as const }),
    hint: askNearestDate(route),
    ticker,
    nearestSourceDates: nearestDates(snapshot.dates, sourceDate),
  });
}

/** Since when and why the slice of a date is withdrawn (I3.28); null where it is not. */
export function withdrawalSentence(
  { withdrawn }: Pick<Snapshot, 'withdrawn'>,
  sourceDate: string,
): string | null {
  const slice = withdrawn.find((one) => one.source_date === sourceDate);
  if (slice === undefined) return null;
  const reason = slice.reason.replace(/\.$/, '');
  return `The slice of ${sourceDate} was withdrawn on ${slice.withdrawn_at_utc.slice(0, 10)}: ${reason}.`;
}

/** The dates around one, itself excluded; `dates` ascends. */
export function nearestDates(
  dates: readonly string[],
  date: string,
): { readonly before: string | null; readonly after: string | null } {
  return {
    before: dates.findLast((known) => known < date) ?? null,
    after: dates.find((known) => known > date) ?? null,
  };
}

/** How many past dates are searched on either side for one that a night published. */
const lookedThrough = 8;

/**
 * The dates around one whose slices hold everything: a backfilled one holds row stores only (I4.36). Where many
 * backfilled dates follow one another the later date is that of the current slice.
 *
 * @param holds what the slices of the dates must hold
 */
export async function nearestNights(
  snapshot: Snapshot,
  date: string,
  holds: (release: Release) => boolean = ({ rowStoresOnly }) => !rowStoresOnly,
): Promise<{ readonly before: string | null; readonly after: string | null }> {
  const current = await currentRelease(snapshot);
  const nightOf = async (dates: readonly string[]): Promise<string | null> => {
    for (const known of dates.slice(0, lookedThrough)) {
      const release = await snapshot.ofDate(known);
      if (release !== null && holds(release)) return known;
    }
    return null;
  };
  const before = await nightOf(snapshot.dates.filter((known) => known < date).reverse());
  const after = await nightOf(snapshot.dates.filter((known) => known > date));
  const isLater = current.sourceDate > date && holds(current);
  return { before, after: after ?? (isLater ? current.sourceDate : null) };
}

/**
 * The miss of a slice whose night had nothing of a kind, or that was built later without it.
 *
 * @param what names the kind, such as `market data`
 * @param holds whether another slice has it
 */
export async function lackingMiss(
  input: FindInput,
  {
    release,
    what,
    holds,
    product,
  }: { release: Release; what: string; holds: (release: Release) => boolean; product?: string },
): Promise<Error> {
  return missError(input.route, {
    reasonCode: 'no_artifact_for_source_date',
    message: `The slice of ${release.sourceDate} holds no ${what}.`,
    hint: 'Ask for one of nearest_source_dates.',
    nearestSourceDates: await nearestNights(input.snapshot, release.sourceDate, holds),
    ...(product === undefined ? {} : { product }),
  });
}
