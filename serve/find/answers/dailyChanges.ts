import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import { assembleObject, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import { storedMembers } from '../../body/storedMembers.ts';
import { unavailable } from '../../store/unavailable.ts';
import { pageMeta, pageOf } from '../asked/page.ts';
import { currentRelease } from '../asked/selectRelease.ts';
import { deltaWindow } from '../rows/deltaWindow.ts';
import { bytesOfRows, metaOf, selectRows } from '../rows/rowView.ts';
import { storedRows } from '../rows/storedRows.ts';
import { cachedView } from '../servable/cachedView.ts';
import type { FindInput, Found } from '../servable/findInput.ts';
import { sourcesOf, viewServable } from '../servable/servableOf.ts';

/** R02: the stored difference with a page of each list and the asked window (I4.R02.2–I4.R02.4). */
export async function findDailyChanges(input: FindInput): Promise<Found> {
  const release = await currentRelease(input.snapshot);
  return cachedView(input, { release }, async (view) => {
    const parts = { slice: release.sourceDate };
    const key = latestDailyChanges.stored.object.key(parts);
    const stored = await release.object(key);
    if (stored === null) throw unavailable(key, 'the release does not list it');
    const rows = await storedRows(input, release, latestDailyChanges.stored.rows.key(parts));
    const lists = (['changed', 'new'] as const).map((list) => ({
      list,
      rows: selectRows<typeof latestDailyChanges.stored.rows>(rows, [['list', (value) => value === list]]),
    }));
    const page = pageOf(Math.max(...lists.map((list) => list.rows.length)), input.params);
    const members = new Map<string, MemberValue>();
    for (const [member, bytes] of storedMembers(stored.bodies)) members.set(member, { stored: bytes });
    for (const { list, rows: all } of lists) {
      const picked = all.slice(page.offset, page.offset + page.limit);
      members.set(`${list}_companies`, { rows: bytesOfRows(rows, picked) });
      members.set(`${list}_companies_page`, {
        made: pageMeta(page, { count: picked.length, total: all.length }),
      });
    }
    const window = await deltaWindow({
      release,
      from: text(input, 'date_from'),
      to: text(input, 'date_to'),
      known: metaOf(latestDailyChanges.stored.rows, rows),
    });
    members.set('companyfacts_delta_window', { stored: window.bytes });
    return viewServable({
      route: input.route,
      release,
      sources: [stored.entry, ...sourcesOf(rows), ...window.sources],
      open: assembleObject(members),
      view,
      subject: null,
    });
  });
}

function text({ params }: FindInput, name: string): string | null {
  const value = params.values.get(name);
  return typeof value === 'string' ? value : null;
}
