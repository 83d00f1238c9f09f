import { discoveryMembers } from '../../contract/billingEnvelope.ts';
import type { Route } from '../../contract/route.ts';
import type { Release } from '../artifactStore.ts';
import { normalizedQuery, type Params } from '../routing/readParams.ts';
import { unavailable } from '../store/directoryRelease.ts';
import { type FreeDocument, freeDocument } from './freeDocument.ts';
import { cutPage } from './page.ts';
import { assembleRows, selectRows } from './rowView.ts';
import { entityTagValue } from './servable.ts';

/** F08: issuers whose ticker, alias, name or CIK contains the search text (I4.F08). */
export async function companiesDocument(o: {
  route: Route;
  params: Params;
  release: Release;
}): Promise<FreeDocument> {
  const key = `companies/${o.release.sourceDate}.ndjson`;
  const rows = await o.release.rows(key);
  if (rows === null) throw unavailable(key, 'the release does not list it');
  const { values } = o.params;
  const search = values.get('search');
  const category = values.get('category');
  const needle = typeof search === 'string' ? search.toLowerCase() : null;
  const matched = selectRows(rows, [
    ...(needle === null
      ? []
      : [['search', (value: unknown) => typeof value === 'string' && value.includes(needle)] as const]),
    ...(category === undefined ? [] : [['category', (value: unknown) => value === category] as const]),
  ]);
  const page = cutPage(matched, o.params);
  const members = {
    source_date: o.release.sourceDate,
    limit: page.limit,
    offset: page.offset,
    count: page.items.length,
    total: matched.length,
    search: typeof search === 'string' ? search : null,
    ...discoveryMembers,
  };
  const open = assembleRows({
    rows,
    picked: page.items,
    list: 'companies',
    rest: `,${JSON.stringify(members).slice(1)}`,
  });
  return freeDocument({
    bytes: open,
    tag: entityTagValue({
      sha256s: [rows.entry.sha256, rows.indexEntry.sha256],
      view: normalizedQuery(o.params),
      routeId: o.route.id,
    }),
  });
}
