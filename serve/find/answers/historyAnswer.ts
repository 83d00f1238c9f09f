import type { Coverage, HistoryAnswer, HistoryPage, ListPage } from '../../../data/contract/routes/answer.ts';
import { missError } from '../../problem/missError.ts';
import { pathIssuer } from '../asked/askedIssuer.ts';
import { askedRange, noRowsInRange, pageOf } from '../asked/askedRows.ts';
import { currentRelease } from '../asked/selectRelease.ts';
import { endedSentence } from '../rows/issuerSlice.ts';
import {
  countRows,
  cutSpans,
  datesOfSpans,
  type RowSpan,
  spansOf,
  storedHistory,
} from '../rows/storedHistory.ts';
import { cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import { payloadModeOf, viewServable } from '../servable/servableOf.ts';
import { pageObject } from './listAnswer.ts';

const bounds = ['source_date_from', 'source_date_to'];

/** A page of the rows of one issuer over a range of source dates, ascending (I4.R23.2, I4.R23.3, I2.52). */
export async function findHistory(input: FindInput, answer: HistoryAnswer): Promise<Found> {
  const { route, params } = input;
  const release = await currentRelease(input.snapshot);
  const { issuer, ticker, lookup } = await pathIssuer(input, release);
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
