import { discoveryMembers } from '../../contract/billingEnvelope.ts';
import type { Route } from '../../contract/route.ts';
import * as stores from '../../contract/rowStores.ts';
import { normalizedQuery, type Params } from '../routing/readParams.ts';
import type { Release } from '../store/artifactStore.ts';
import { unavailable } from '../store/unavailable.ts';
import { assembleObject, closed, type MemberValue } from './assembleObject.ts';
import { type FreeDocument, freeDocument } from './freeDocument.ts';
import { cutPage } from './page.ts';
import { bytesOfRows, type Condition, selectRows } from './rowView.ts';
import { entityTagValue } from './servable.ts';
import { sourcesOf } from './servableOf.ts';

/** F08: issuers whose ticker, alias, name or CIK contains the search text (I4.F08). */
export async function companiesDocument(o: {
  route: Route;
  params: Params;
  release: Release;
}): Promise<FreeDocument> {
  const key = `${stores.companies.key(o.release.sourceDate)}.ndjson`;
  const rows = await o.release.rows(key);
  if (rows === null) throw unavailable(key, 'the release does not list it');
  const { values } = o.params;
  const search = values.get('search');
  const category = values.get('category');
  const needle = typeof search === 'string' ? search.toLowerCase() : null;
  const conditions: Condition<typeof stores.companies>[] = [];
  if (needle !== null)
    conditions.push(['search', (value) => typeof value === 'string' && value.includes(needle)]);
  if (category !== undefined) conditions.push(['category', (value) => value === category]);
  const matched = selectRows(rows, conditions);
  const { items, limit, offset } = cutPage(matched, o.params);
  const members = {
    source_date: o.release.sourceDate,
    limit,
    offset,
    count: items.length,
    total: matched.length,
    search: typeof search === 'string' ? search : null,
    ...discoveryMembers,
  };
  const open = assembleObject(
    new Map<string, MemberValue>([
      ['companies', { rows: bytesOfRows(rows, items) }],
      ...Object.entries(members).map(([name, made]): [string, MemberValue] => [name, { made }]),
    ]),
  );
  return freeDocument({
    bytes: closed(open),
    tag: entityTagValue({
      sha256s: sourcesOf(rows).map((entry) => entry.sha256),
      view: normalizedQuery(o.params),
      routeId: o.route.id,
    }),
  });
}
