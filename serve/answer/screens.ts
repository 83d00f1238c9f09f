import { type CanonicalValue, canonicalJson } from '../../contract/canonicalJson.ts';
import type { Release, StoredRows } from '../artifactStore.ts';
import { normalizedQuery } from '../routing/readParams.ts';
import { unavailable } from '../store/directoryRelease.ts';
import type { FindInput, Found } from './findInput.ts';
import { missError } from './missError.ts';
import { cutPage } from './page.ts';
import { assembleRows, selectRows } from './rowView.ts';
import type { Servable } from './servable.ts';
import { viewServable } from './servableOf.ts';

/** R05: a page of the stored ranking (I4.R05.2, I2.48). */
export async function findTopStressed(input: FindInput, release: Release): Promise<Found> {
  return cachedView(input, release, async (view) => {
    const rows = await rowsOf(input, release, `top-stressed/${release.sourceDate}.ndjson`);
    const all = selectRows(rows, []);
    const page = cutPage(all, input.params);
    const excluded = rows.index.columns['excluded_unclassified']?.[0];
    const rest = metaOf({
      total: all.length,
      limit: page.limit,
      offset: page.offset,
      count: page.items.length,
      source_date: release.sourceDate,
      sort: 'live_else_filing_stress_50pct_desc',
      excluded_unclassified: typeof excluded === 'number' ? excluded : 0,
    });
    const open = assembleRows({ rows, picked: page.items, list: 'data', rest });
    return viewServable({ route: input.route, release, rows, open, view, ticker: null });
  });
}

/** R12: rows of the slice that pass every filter, in stored order (I4.R12.3, I4.R12.4). */
export async function findScreen(input: FindInput, release: Release): Promise<Found> {
  return cachedView(input, release, async (view) => {
    const rows = await rowsOf(input, release, `covenant-slice/${release.sourceDate}.ndjson`);
    const { values } = input.params;
    const filters: Record<string, string | number | boolean> = {};
    const conditions: [string, (value: unknown) => boolean][] = [];
    for (const name of ['period', 'risk_tier', 'quality_flag', 'debt_coverage_status']) {
      const wanted = values.get(name);
      if (wanted === undefined) continue;
      filters[name] = wanted;
      conditions.push([name, (value) => value === wanted]);
    }
    const least = values.get('min_stress');
    if (typeof least === 'number') {
      filters['min_stress'] = least;
      conditions.push(['stress_50pct', (value) => typeof value === 'number' && value >= least]);
    }
    if (values.get('linkbase_only') === true) {
      filters['linkbase_only'] = true;
      conditions.push(['is_linkbase_backed', (value) => value === true]);
    }
    const matched = selectRows(rows, conditions);
    const page = cutPage(matched, input.params);
    const rest = metaOf({
      total: matched.length,
      limit: page.limit,
      offset: page.offset,
      count: page.items.length,
      filters,
      source_date: release.sourceDate,
      sort: 'stress_50pct_desc',
    });
    const open = assembleRows({ rows, picked: page.items, list: 'data', rest });
    return viewServable({ route: input.route, release, rows, open, view, ticker: null });
  });
}

function metaOf(meta: { [member: string]: CanonicalValue }): string {
  return `,"meta":${canonicalJson(meta)}`;
}

async function rowsOf(input: FindInput, release: Release, key: string): Promise<StoredRows> {
  const rows = await release.rows(key);
  if (rows !== null) return rows;
  if (input.params.values.get('source_date') === undefined)
    throw unavailable(key, 'the release does not list it');
  throw missError(input.route, {
    reasonCode: 'no_artifact_for_source_date',
    message: `The slice of ${release.sourceDate} does not hold this list.`,
    hint: 'Leave source_date out for the current slice.',
    nearestSourceDates: { before: null, after: null },
  });
}

// the release already says which slice it is, so the selector of the slice is no part of the view
async function cachedView(
  input: FindInput,
  release: Release,
  make: (view: string) => Promise<Servable>,
): Promise<Found> {
  const given = input.params.given.filter((name) => name !== 'source_date');
  const view = normalizedQuery({ values: input.params.values, given });
  const cacheKey = `${release.name} ${input.route.id} ${view}`;
  const hot = input.cache.get(cacheKey);
  if (hot !== undefined) return { servable: hot, lookup: null, cacheKey };
  const servable = await make(view);
  // room for the codings a client may still ask for
  input.cache.set(cacheKey, servable, servable.bodies.length * 2 + 4096);
  return { servable, lookup: null, cacheKey };
}
