import * as stores from '../../contract/rowStores.ts';
import type { Release } from '../store/artifactStore.ts';
import { assembleObject } from './assembleObject.ts';
import { cachedView } from './cachedView.ts';
import type { FindInput, Found } from './findInput.ts';
import { cutPage } from './page.ts';
import { bytesOfRows, type Condition, metaOf, selectRows } from './rowView.ts';
import { currentRelease } from './selectRelease.ts';
import { sourcesOf, viewServable } from './servableOf.ts';
import { boardRelease, storedRows } from './storedRows.ts';

type Filters = Record<string, string | number | boolean>;

/** R05: a page of the stored ranking (I4.R05.2, I2.48). */
export async function findTopStressed(input: FindInput): Promise<Found> {
  const release = await currentRelease(input.snapshot);
  return cachedView(input, { release }, async (view) => {
    const rows = await storedRows(input, { release, key: stores.topStressed.key(release.sourceDate) });
    const all = selectRows<typeof stores.topStressed>(rows, []);
    const { items, limit, offset } = cutPage(all, input.params);
    const open = assembleObject(
      new Map([
        ['data', { rows: bytesOfRows(rows, items) }],
        [
          'meta',
          {
            made: {
              total: all.length,
              limit,
              offset,
              count: items.length,
              source_date: release.sourceDate,
              sort: 'live_else_filing_stress_50pct_desc',
              excluded_unclassified: metaOf(stores.topStressed, rows).excluded_unclassified,
            },
          },
        ],
      ]),
    );
    return viewServable({ route: input.route, release, sources: sourcesOf(rows), open, view, ticker: null });
  });
}

/** R12: rows of the slice that pass every filter, in stored order (I4.R12.3, I4.R12.4). */
export async function findScreen(input: FindInput): Promise<Found> {
  const release: Release = await boardRelease(input);
  return cachedView(input, { release }, async (view) => {
    const rows = await storedRows(input, { release, key: stores.covenantSlice.key(release.sourceDate) });
    const { filters, conditions } = screenOf(input);
    const matched = selectRows(rows, conditions);
    const { items, limit, offset } = cutPage(matched, input.params);
    const open = assembleObject(
      new Map([
        ['data', { rows: bytesOfRows(rows, items) }],
        [
          'meta',
          {
            made: {
              total: matched.length,
              limit,
              offset,
              count: items.length,
              filters,
              source_date: release.sourceDate,
              sort: 'stress_50pct_desc',
            },
          },
        ],
      ]),
    );
    return viewServable({ route: input.route, release, sources: sourcesOf(rows), open, view, ticker: null });
  });
}

function screenOf({ params }: FindInput) {
  const filters: Filters = {};
  const conditions: Condition<typeof stores.covenantSlice>[] = [];
  for (const name of ['period', 'risk_tier', 'quality_flag', 'debt_coverage_status'] as const) {
    const wanted = params.values.get(name);
    if (wanted === undefined) continue;
    filters[name] = wanted;
    conditions.push([name, (value) => value === wanted]);
  }
  const least = params.values.get('min_stress');
  if (typeof least === 'number') {
    filters['min_stress'] = least;
    conditions.push(['stress_50pct', (value) => typeof value === 'number' && value >= least]);
  }
  if (params.values.get('linkbase_only') === true) {
    filters['linkbase_only'] = true;
    conditions.push(['is_linkbase_backed', (value) => value === true]);
  }
  return { filters, conditions };
}
