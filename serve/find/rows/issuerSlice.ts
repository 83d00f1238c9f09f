import { coreHistory } from '../../../data/contract/payloads/issuer/coreHistory.ts';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import { missError } from '../../problem/missError.ts';
import type { Release, StoredRows } from '../../store/artifactStore.ts';
import { askedDate } from '../asked/askedDate.ts';
import { noSlice, releaseOf } from '../asked/selectRelease.ts';
import type { FindInput } from '../servable/findInput.ts';
import { columnOfSpans } from './rowSpans.ts';
import { columnOf } from './rowView.ts';
import { subjectSpans } from './storedHistory.ts';

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
    if (found !== null && periodOf(found) === period) return release;
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

/** Row of an issuer in the covenant rows of a slice; null without one. */
export async function sliceRow(
  release: Release,
  cik: string,
): Promise<{ readonly rows: StoredRows; readonly row: number } | null> {
  const rows = await release.rows(covenantStress.stored.rows.key({ slice: release.sourceDate }));
  const row = rows?.rowOfCik(cik) ?? -1;
  return rows === null || row < 0 ? null : { rows, row };
}

function periodOf({ rows, row }: { readonly rows: StoredRows; readonly row: number }): unknown {
  return columnOf<typeof covenantStress.stored.rows>(rows, 'period')[row];
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

/** How many slices are looked through for an issuer without history. */
const unlistedSlices = 31;
