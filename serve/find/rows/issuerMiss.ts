import { coreHistory } from '../../../data/contract/payloads/issuer/coreHistory.ts';
import type { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { ObjectAnswer } from '../../../data/contract/routes/answer.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import { missError } from '../../problem/missError.ts';
import type { Release } from '../../store/artifactStore.ts';
import { unavailable } from '../../store/unavailable.ts';
import { askNearestDate } from '../asked/askedDate.ts';
import { currentRelease, nearestDates, nearestNights } from '../asked/selectRelease.ts';
import type { FindInput } from '../servable/findInput.ts';
import { sliceRow } from './issuerSlice.ts';
import { datesOfSpans } from './rowSpans.ts';
import { columnOf } from './rowView.ts';
import { subjectSpans } from './storedHistory.ts';

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
    because === undefined
      ? undefined
      : columnOf<typeof covenantStress.stored.rows>(row.rows, because as never)[row.row];
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
    message: `${name} is in the universe, but no eligible filing of it is at hand.`,
    hint: 'GET /companies shows which issuers are covered.',
    ticker: resolved.ticker,
  });
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
