import { calculationHistory } from '../../../data/contract/payloads/issuer/calculationHistory.ts';
import type { Coverage, HistoryAnswer, HistoryPage, ListPage } from '../../../data/contract/routes/answer.ts';
import { assembleObject } from '../../../data/store/bytes/assembleObject.ts';
import { missError } from '../../problem/missError.ts';
import type { Release } from '../../store/artifactStore.ts';
import { askedIssuer, namedIssuer } from '../asked/askedIssuer.ts';
import { askedRange, noRowsInRange, pageOf, refuseLongRange } from '../asked/askedRows.ts';
import { askedDate, currentRelease } from '../asked/selectRelease.ts';
import { endedSentence } from '../rows/issuerSlice.ts';
import {
  countRows,
  cutSpans,
  datesOfSpans,
  type HistorySegment,
  type RowSpan,
  spansOf,
  storedHistory,
} from '../rows/storedHistory.ts';
import { cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import { payloadModeOf, viewServable } from '../servable/servableOf.ts';
import { pageObject } from './listAnswer.ts';
import { datesOfProducts, datesOfRows, selectProductRows, spansOfRows } from './productHistory.ts';

const bounds = ['source_date_from', 'source_date_to'];

/** A page of the rows of one issuer over a range of source dates, ascending (I4.R23.2, I4.R23.3, I2.52). */
export async function findHistory(input: FindInput, answer: HistoryAnswer): Promise<Found> {
  const { route, params } = input;
  const release = await currentRelease(input.snapshot);
  const { issuer, ticker, lookup } = await namedIssuer(input, release);
  // the answer repeats the label that was asked
  const about = `${issuer.cik} ${lookup.asked}`;
  return cachedView(input, { release, about, lookup }, async (view) => {
    const slice = release.sourceDate;
    const history = await storedHistory(release, answer.history);
    const all = spansOf(await history.segments(), { subject: issuer.cik });
    const reach = coverageOf(all, history.list.source_dates);
    if (reach === null) {
      throw missError(route, {
        reasonCode: 'issuer_without_coverage',
        message:
          (await endedSentence(release, issuer)) ??
          `${issuer.name} is in the universe, but no slice holds a row of it.`,
        hint: 'GET /companies shows which issuers are covered.',
        ticker,
      });
    }
    const range = askedRange(input);
    const segments = all.map(({ segment }) => segment);
    const picked = spansOf(segments, { subject: issuer.cik, range });
    const total = countRows(picked);
    if (total === 0) {
      throw noRowsInRange(input, {
        range,
        ticker,
        dates: datesOfSpans(all),
        message: `No slice of the range holds a row of ${issuer.name}.`,
      });
    }
    const about = { ticker, cik: issuer.cik, asked: lookup.asked };
    const page = pageOf(total, params);
    const { rows, entries } = await history.rows(cutSpans(picked, page), { form: 0 });
    const members = (list: ListPage<Coverage>) => answer.members({ ...list, issuer: about } as HistoryPage);
    const open = pageObject(
      { ...answer, filtering: bounds, members },
      { params, slice, page, rows, total, stored: reach },
    );
    const subject = { kind: 'issuer', ticker } as const;
    const sources = [history.entry, ...entries] as const;
    const payloadMode = payloadModeOf(params);
    return viewServable({ route, release, sources, open, view, subject, payloadMode, isOfRows: true });
  });
}

/** How far the rows reach among the promoted dates; null without a row. */
function coverageOf(spans: readonly RowSpan[], promoted: readonly string[]): Coverage | null {
  const first = spans[0]?.share.dates[0];
  const last = spans.at(-1)?.share.dates.at(-1);
  if (first === undefined || last === undefined) return null;
  const passed = promoted.lastIndexOf(last) - promoted.indexOf(first) + 1;
  return {
    first_source_date: first,
    last_source_date: last,
    missing_source_date_count: passed - spans.reduce((sum, { share }) => sum + share.days, 0),
  };
}

const maxRangeDays = 400;
const { forms } = calculationHistory.stored.history;

/** R24: calculation rows by source date descending, CIK ascending, in one of their two stored forms (I4.R24.2). */
export async function findCalculationHistory(input: FindInput): Promise<Found> {
  const { params, route } = input;
  const release = await currentRelease(input.snapshot);
  const resolved = await askedIssuer(input, release);
  const lookup = resolved?.lookup ?? null;
  const about = resolved?.issuer.cik ?? '';
  return cachedView(input, { release, about, lookup }, async (view) => {
    const history = await storedHistory(release, calculationHistory.stored.history);
    const range = rangeOf(input, release, history.list.source_dates);
    const mode = params.values.get('mode') === 'full' ? 'full' : 'compact';
    const cik = resolved?.issuer.cik ?? null;
    const ticker = resolved?.ticker ?? null;
    const subjectsOf = (segments: readonly HistorySegment[]) =>
      cik === null ? [...new Set(segments.flatMap(({ shares }) => [...shares.keys()]))] : [cik];
    const segments = await history.segments(range);
    const picked = selectProductRows(segments, { subjects: subjectsOf(segments), range });
    if (picked.total === 0) {
      const all = await history.segments();
      throw noRowsInRange(input, {
        range,
        ticker,
        dates: datesOfProducts(all, subjectsOf(all)),
        message: `No calculation row is stored for ${resolved?.issuer.name ?? 'any issuer'} in the range.`,
      });
    }
    const page = pageOf(picked.total, params);
    const asked = picked.page(page);
    const spans =
      cik === null ? asked.map(({ row, ...of }) => ({ ...of, from: row, to: row + 1 })) : spansOfRows(asked);
    const { rows, entries } = await history.rows(spans, { form: forms.indexOf(mode) });
    const open = assembleObject({
      payload_mode: mode,
      method_version: history.list.method_version,
      data: cik === null ? rows : rows.toReversed(),
      meta: {
        total: picked.total,
        total_before_pagination: picked.total,
        ...page,
        count: rows.length,
        source_dates: datesOfRows(asked),
        filters: filtersOf(input, resolved?.ticker),
      },
    });
    const sources = [history.entry, ...entries] as const;
    const subject = ticker === null ? null : ({ kind: 'issuer', ticker } as const);
    return viewServable({ route, release, sources, open, view, subject, payloadMode: mode, isOfRows: true });
  });
}

// a range that is open on one side ends where the stored rows end
function rangeOf(input: FindInput, release: Release, dates: readonly string[]) {
  const { from, to } = askedRange(input);
  if (from !== null || to !== null) {
    const bounds = { from: from ?? dates[0] ?? release.sourceDate, to: to ?? release.sourceDate };
    refuseLongRange({ ...bounds, maxDays: maxRangeDays });
    return bounds;
  }
  const date = askedDate(input) ?? release.sourceDate;
  return { from: date, to: date };
}

function filtersOf({ params }: FindInput, ticker: string | undefined): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const name of ['ticker', 'cik', 'source_date', 'source_date_from', 'source_date_to']) {
    const value = params.values.get(name);
    if (typeof value === 'string') filters[name] = name === 'ticker' ? (ticker ?? value) : value;
  }
  return filters;
}
