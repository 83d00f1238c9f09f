import * as stores from '../../contract/rowStores.ts';
import { resolveIssuer } from '../identity/resolveIssuer.ts';
import { assembleObject } from './assembleObject.ts';
import { cachedView } from './cachedView.ts';
import type { FindInput, Found } from './findInput.ts';
import { askedRange, inRange, noRowsInRange } from './historyRange.ts';
import { missError } from './missError.ts';
import { cutPage } from './page.ts';
import { bytesOfRows, columnOf, metaOf, selectRows } from './rowView.ts';
import { currentRelease } from './selectRelease.ts';
import { sourcesOf, viewServable } from './servableOf.ts';

/** R23: rows of one issuer, one a source date, ascending (I4.R23.2, I4.R23.3, I2.52). */
export async function findCoreHistory(input: FindInput): Promise<Found> {
  const release = await currentRelease(input.snapshot);
  const asked = String(input.params.values.get('ticker'));
  const { issuer, ticker, lookup } = resolveIssuer({
    asked,
    index: await release.issuers(),
    route: input.route,
  });
  // the answer repeats the label that was asked
  const about = `${issuer.cik} ${asked}`;
  return cachedView(input, { release, about, lookup }, async (view) => {
    const rows = await release.rows(`${stores.coreHistory.key(issuer.cik)}.ndjson`);
    if (rows === null) {
      throw missError(input.route, {
        reasonCode: 'issuer_without_coverage',
        message: `${issuer.name} is in the universe, but no slice holds a row of it.`,
        hint: 'GET /companies shows which issuers are covered.',
        ticker,
      });
    }
    const range = askedRange(input);
    const matched = selectRows<typeof stores.coreHistory>(rows, [
      ['source_date', (date) => inRange(range, String(date))],
    ]);
    if (matched.length === 0) {
      const dates = columnOf<typeof stores.coreHistory>(rows, 'source_date').map(String);
      throw noRowsInRange(input, {
        range,
        ticker,
        dates,
        message: `No slice of the range holds a row of ${issuer.name}.`,
      });
    }
    const { items, limit, offset } = cutPage(matched, input.params);
    const open = assembleObject(
      new Map([
        ['ticker', { made: ticker }],
        ['lookup_ticker', { made: asked }],
        ['join_key', { made: 'cik' }],
        ['cik', { made: issuer.cik }],
        ['data', { rows: bytesOfRows(rows, items) }],
        [
          'meta',
          {
            made: {
              total: matched.length,
              limit,
              offset,
              count: items.length,
              coverage: metaOf(stores.coreHistory, rows),
              filters: {
                ...(range.from === null ? {} : { source_date_from: range.from }),
                ...(range.to === null ? {} : { source_date_to: range.to }),
              },
            },
          },
        ],
      ]),
    );
    return viewServable({ route: input.route, release, sources: sourcesOf(rows), open, view, ticker });
  });
}
