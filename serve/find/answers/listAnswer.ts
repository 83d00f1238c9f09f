import type { ListCell } from '../../../data/contract/payloads/stored.ts';
import type { ListAnswer, ListPage } from '../../../data/contract/routes/answer.ts';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { assembleObject } from '../../../data/store/bytes/assembleObject.ts';
import type { ListRows } from '../../../data/store/bytes/listRows.ts';
import { type Params, valuesOf } from '../../routing/readParams.ts';
import type { Release } from '../../store/artifactStore.ts';
import { cutPage, type Page } from '../asked/askedRows.ts';
import { lackingMiss } from '../asked/selectRelease.ts';
import { askedRelease, type Condition, selectRows, storedRows } from '../rows/storedRows.ts';
import { artifactKey, cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import { payloadModeOf, viewServable } from '../servable/servableOf.ts';

/** A page of a stored list (I4.33, I4.13). */
export async function findList(input: FindInput, answer: ListAnswer): Promise<Found> {
  const { route, params } = input;
  const release = await askedRelease(input);
  const slice = release.sourceDate;
  return cachedView(input, { release }, async (view) => {
    const key = artifactKey(answer.rows, params, { slice });
    if (answer.lacking !== null && !release.has(key)) {
      const holds = (other: Release) =>
        other.has(artifactKey(answer.rows, params, { slice: other.sourceDate }));
      throw await lackingMiss(input, { release, what: answer.lacking, holds });
    }
    const { list, sources } = await storedRows(input, { release, store: answer.rows, key });
    const open = listBytes({ answer, list, params, slice });
    const payloadMode = payloadModeOf(params);
    return viewServable({ route, release, sources, open, view, subject: null, payloadMode });
  });
}

/** The open object of one page of a list. @throws IssuerError `offset_out_of_range` */
export function listBytes({
  answer,
  list,
  params,
  slice,
}: {
  answer: ListAnswer;
  list: ListRows;
  params: Params;
  slice: string;
}): Buffer {
  const conditions = answer.filters.flatMap(({ column, condition }): Condition[] => {
    const holds = condition(params.values);
    return holds === null ? [] : [[column, holds]];
  });
  const filtering = answer.filters.flatMap((filter) => filter.params);
  const selected = selectRows(list, conditions);
  const page = cutPage(selected, params);
  const cells = (column: string) => {
    const values = list.column(column);
    return page.items.map((row) => values[row] ?? null);
  };
  const members = answer.picked(params.values);
  const lines = page.items.map(list.line);
  const rows = members === null ? lines : lines.map((line) => pickedMembers(line, members));
  return pageObject(
    { ...answer, filtering },
    { params, slice, page, rows, total: selected.length, stored: list.meta, cells },
  );
}

function pickedMembers(line: Buffer, members: readonly string[]): Buffer {
  const row = Object.entries(JSON.parse(line.toString('utf8')) as Record<string, CanonicalValue>);
  return Buffer.from(canonicalJson(Object.fromEntries(row.filter(([name]) => members.includes(name)))));
}

/** What members around a page are made with. */
type PageDefinition = Pick<ListAnswer, 'member'> & {
  /** Parameters that select rows. */
  readonly filtering: readonly string[];
  readonly members: (page: ListPage<never>) => Readonly<Record<string, CanonicalValue | undefined>>;
};

/** The open object of a page of rows, with the members of its definition around it. */
export function pageObject(
  { member, members, filtering }: PageDefinition,
  {
    params,
    slice,
    page: { limit, offset },
    rows,
    total,
    stored,
    cells = () => [],
  }: {
    params: Params;
    slice: string;
    page: Page;
    /** Stored bytes of the rows of the page. */
    rows: readonly Buffer[];
    total: number;
    /** What holds for the whole store. */
    stored: unknown;
    /** What a column says of the rows of the page. */
    cells?: (column: string) => readonly ListCell[];
  },
): Buffer {
  const sent = [...params.given, ...(params.givenInBody ?? [])].filter((name) => filtering.includes(name));
  const around = members({
    slice,
    page: { total, limit, offset, count: rows.length },
    filters: valuesOf(params, sent, (value) => value),
    stored: stored as never,
    asked: params.values,
    cells,
  });
  return assembleObject({ ...around, [member]: rows });
}
