import { calculationHistory } from '../../../data/contract/payloads/issuer/calculationHistory.ts';
import { assembleObject } from '../../../data/store/bytes/assembleObject.ts';
import type { Release } from '../../store/artifactStore.ts';
import { askedDate } from '../asked/askedDate.ts';
import { askedIssuer } from '../asked/askedIssuer.ts';
import { askedRange, noRowsInRange, refuseLongRange } from '../asked/historyRange.ts';
import { pageOf } from '../asked/page.ts';
import { currentRelease } from '../asked/selectRelease.ts';
import { datesWithRows, selectCalculations } from '../rows/calculationSelection.ts';
import { datesOfSpans } from '../rows/rowSpans.ts';
import { storedHistory } from '../rows/storedHistory.ts';
import { cachedView } from '../servable/cachedView.ts';
import type { FindInput, Found } from '../servable/findInput.ts';
import { viewServable } from '../servable/servableOf.ts';

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
    const picked = selectCalculations(await history.segments(range), { cik, ...range });
    if (picked.total === 0) {
      throw noRowsInRange(input, {
        range,
        ticker,
        dates: datesWithRows(await history.segments(), cik),
        message: `No calculation row is stored for ${resolved?.issuer.name ?? 'any issuer'} in the range.`,
      });
    }
    const page = pageOf(picked.total, params);
    const spans = picked.page(page);
    const { rows, entries } = await history.rows(spans, { form: forms.indexOf(mode) });
    const open = assembleObject(
      new Map([
        ['payload_mode', { made: mode }],
        ['method_version', { made: history.list.method_version }],
        ['data', { rows: picked.ordered(rows) }],
        [
          'meta',
          {
            made: {
              total: picked.total,
              total_before_pagination: picked.total,
              ...page,
              count: rows.length,
              source_dates: [...new Set(picked.ordered(datesOfSpans(spans)))],
              filters: filtersOf(input, resolved?.ticker),
            },
          },
        ],
      ]),
    );
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
