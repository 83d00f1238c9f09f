import type { HistoryAnswer, HistoryPage } from '../../contract/routes/answer.ts';
import { missError } from '../problem/missError.ts';
import { artifactKey } from './artifactKey.ts';
import { cachedView } from './cachedView.ts';
import type { FindInput, Found } from './findInput.ts';
import { askedRange, inRange, noRowsInRange } from './historyRange.ts';
import { pageBytes } from './listAnswer.ts';
import { pathIssuer } from './pathIssuer.ts';
import { columnOf, selectRows } from './rowView.ts';
import { currentRelease } from './selectRelease.ts';
import { payloadModeOf, sourcesOf, viewServable } from './servableOf.ts';

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
    const rows = await release.rows(artifactKey(answer.rows, params, { slice, cik: issuer.cik }));
    if (rows === null) {
      throw missError(route, {
        reasonCode: 'issuer_without_coverage',
        message: `${issuer.name} is in the universe, but no slice holds a row of it.`,
        hint: 'GET /companies shows which issuers are covered.',
        ticker,
      });
    }
    const range = askedRange(input);
    const picked = selectRows(rows, [['source_date', (date) => inRange(range, String(date))]]);
    if (picked.length === 0) {
      throw noRowsInRange(input, {
        range,
        ticker,
        dates: columnOf(rows, 'source_date').map(String),
        message: `No slice of the range holds a row of ${issuer.name}.`,
      });
    }
    const about = { ticker, cik: issuer.cik, asked: lookup.asked };
    const open = pageBytes(
      {
        ...answer,
        filtering: bounds,
        members: (page) => answer.members({ ...page, issuer: about } as HistoryPage<never>),
      },
      { rows, params, slice, picked },
    );
    const subject = { kind: 'issuer', ticker } as const;
    const sources = sourcesOf(rows);
    return viewServable({ route, release, sources, open, view, subject, payloadMode: payloadModeOf(params) });
  });
}
