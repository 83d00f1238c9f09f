import { dailyChangeEvidence } from '../../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import { rowStore } from '../../release/rowStore.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';

const { object, rows, days } = latestDailyChanges.stored;
const { rows: evidence } = dailyChangeEvidence.stored;

/**
 * The payload without its lists, the rows of both lists, one document for each recorded day a window may ask for, and
 * the evidence of the delta the lists show (I4.R02.2, I4.R03.2).
 */
export const dailyChanges = family({
  id: 'daily changes',
  needs: 'night',
  parts: [
    {
      stored: object,
      make: ({ sourceDate, changes }) => [
        singleArtifact(object, { parts: { slice: sourceDate }, value: changes.payload }),
      ],
    },
    {
      stored: rows,
      make: ({ sourceDate, changes: { payload, listed, windowDays } }) =>
        rowStore({
          store: rows,
          parts: { slice: sourceDate },
          rows: listed.map(({ row }) => row),
          beside: (_, i) => ({ list: listed[i]?.list ?? 'changed' }),
          meta: {
            source_date: payload.source_date,
            window_source: 'companyfacts_daily',
            window_days: windowDays.map((day) => day.date),
            window_change_blob_counts: windowDays.map((day) => day.change_blob_count),
            window_changed_filing_counts: windowDays.map((day) => day.changed_filing_count),
            window_complete: windowDays.map((day) => day.companyfacts_zip_exists && day.summary_exists),
          },
        }),
    },
    {
      stored: days,
      make: ({ changes }) =>
        changes.windowDays.map((day) => singleArtifact(days, { parts: { day: day.date }, value: day })),
    },
    {
      stored: evidence,
      make: ({ sourceDate, changes }) =>
        changes.evidence.flatMap(({ cik, ticker, entityName, filings, lines }) =>
          rowStore({
            store: evidence,
            parts: { slice: sourceDate, cik },
            rows: lines,
            meta: {
              cik,
              ticker,
              entity_name: entityName,
              source_date: changes.payload.source_date,
              filing_accession_numbers: filings.map((filing) => filing.accession_number),
              filing_urls: filings.map((filing) => filing.filing_url),
            },
          }),
        ),
    },
  ],
});
