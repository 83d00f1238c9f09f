import { calculationHistory } from '../../contract/payloads/calculationHistory.ts';
import type { ManifestEntry } from '../../contract/release/releaseFiles.ts';
import { assembleObject } from '../body/assembleObject.ts';
import type { Release } from '../store/artifactStore.ts';
import { unavailable } from '../store/unavailable.ts';
import { askedIssuer } from './askedIssuer.ts';
import { cachedView } from './cachedView.ts';
import { readCalculationIndex } from './calculationIndex.ts';
import { type CalculationPlace, selectCalculations } from './calculationSelection.ts';
import type { FindInput, Found } from './findInput.ts';
import { askedRange, noRowsInRange, refuseLongRange } from './historyRange.ts';
import { pageOf } from './page.ts';
import { currentRelease } from './selectRelease.ts';
import { refuseLargerThanAnswer, viewServable } from './servableOf.ts';

const maxRangeDays = 400;

/** R24: calculation rows by source date descending, CIK ascending, in one of their two stored forms (I4.R24.2). */
export async function findCalculationHistory(input: FindInput): Promise<Found> {
  const { params, route } = input;
  const release = await currentRelease(input.snapshot);
  const resolved = await askedIssuer(input, release);
  const lookup = resolved?.lookup ?? null;
  const about = resolved?.issuer.cik ?? '';
  return cachedView(input, { release, about, lookup }, async (view) => {
    const indexKey = calculationHistory.stored.index.key({ slice: release.sourceDate });
    const stored = await release.read(indexKey, readCalculationIndex);
    if (stored === null) throw unavailable(indexKey, 'the release does not list it');
    const index = stored.value;
    const range = rangeOf(input, release, index.source_dates);
    const mode = params.values.get('mode') === 'full' ? 'full' : 'compact';
    const selection = selectCalculations({ index, cik: resolved?.issuer.cik ?? null, mode, ...range });
    const ticker = resolved?.ticker ?? null;
    if (selection.total === 0) {
      throw noRowsInRange(input, {
        range,
        ticker,
        dates: selection.dates,
        message: `No calculation row is stored for ${resolved?.issuer.name ?? 'any issuer'} in the range.`,
      });
    }
    const page = pageOf(selection.total, params);
    const places = selection.places(page);
    const { rows, entries } = await readPlaces(release, places);
    const open = assembleObject(
      new Map([
        ['payload_mode', { made: mode }],
        ['method_version', { made: index.method_version }],
        ['data', { rows }],
        [
          'meta',
          {
            made: {
              total: selection.total,
              total_before_pagination: selection.total,
              ...page,
              count: rows.length,
              source_dates: [...new Set(places.map((place) => place.date))],
              filters: filtersOf(input, resolved?.ticker),
            },
          },
        ],
      ]),
    );
    const [first = stored.entry, ...others] = entries;
    const sources = [first, ...others, stored.entry] as const;
    const subject = ticker === null ? null : ({ kind: 'issuer', ticker } as const);
    return viewServable({ route, release, sources, open, view, subject, payloadMode: mode });
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
  const exact = input.params.values.get('source_date');
  const date = typeof exact === 'string' ? exact : release.sourceDate;
  return { from: date, to: date };
}

async function readPlaces(release: Release, places: readonly CalculationPlace[]) {
  refuseLargerThanAnswer(places.reduce((sum, place) => sum + place.end - place.start, 0));
  const entries = new Map<string, ManifestEntry>();
  const rows = await Promise.all(
    places.map(async (place) => {
      const key = calculationHistory.stored.rows.key({ cik: place.cik });
      const file = await release.file(key);
      if (file === null) throw unavailable(key, 'the release does not list it');
      entries.set(place.cik, file.entry);
      // without the line end
      return file.read(place.start, place.end - 1);
    }),
  );
  const ciks = [...new Set(places.map((place) => place.cik))];
  return { rows, entries: ciks.flatMap((cik) => entries.get(cik) ?? []) };
}

function filtersOf({ params }: FindInput, ticker: string | undefined): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const name of ['ticker', 'cik', 'source_date', 'source_date_from', 'source_date_to']) {
    const value = params.values.get(name);
    if (typeof value === 'string') filters[name] = name === 'ticker' ? (ticker ?? value) : value;
  }
  return filters;
}
