import type { AnySingle } from '../../../data/contract/payloads/stored.ts';
import type { ProductHistoryAnswer } from '../../../data/contract/routes/answer.ts';
import { assembleObject, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import { storedMembers } from '../../body/openBodies.ts';
import { type Params, valuesOf } from '../../routing/readParams.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release, StoredObject } from '../../store/artifactStore.ts';
import { askedRange, type HistoryRange, pageOf } from '../asked/askedRows.ts';
import { type NamedProduct, productMiss, productScope } from '../asked/namedProduct.ts';
import { askedDate, currentRelease } from '../asked/selectRelease.ts';
import {
  bucketReach,
  cellOf,
  datesOfProducts,
  datesOfRows,
  selectProductRows,
  spansOfRows,
} from '../rows/productRows.ts';
import { storedHistory } from '../rows/storedHistory.ts';
import { artifactKey, cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import { payloadModeOf, viewServable } from '../servable/servableOf.ts';

/** Rows of one product, or of those in scope, by bucket: a page that counts from the newest (I4.R13–I4.R15, I4.R18). */
export async function findProductHistory(input: FindInput, answer: ProductHistoryAnswer): Promise<Found> {
  const { route, params } = input;
  const release = await currentRelease(input.snapshot);
  const { named, subjects } = await productScope(input, release);
  const lookup = named?.lookup ?? null;
  const about = `${named?.product.product ?? ''} ${lookup?.asked ?? ''}`;
  return cachedView(input, { release, about, lookup }, async (view) => {
    const slice = release.sourceDate;
    const history = await storedHistory(release, answer.history(params.values));
    const all = await history.segments();
    const dates = datesOfProducts(all, subjects);
    const range = rangeOf(input, answer, dates);
    const picked = selectProductRows(all, { subjects, range });
    if (picked.total === 0) throw productMiss(input, { answer, named, range, dates });
    const page = pageOf(picked.total, params);
    const rows = picked.page(page);
    const read = await history.rows(spansOfRows(rows), { form: answer.form(params.values) });
    const around = named === null ? null : await objectAround(input, { answer, release, named });
    const said = answer.members({
      slice,
      asked: params.values,
      page: { total: picked.total, ...page, count: rows.length },
      filters: filtersOf(params, named),
      methodVersion: history.list.method_version,
      sourceDates: datesOfRows(rows),
      status: rows.every((row) => cellOf(row, 'status') === 'ok') ? 'complete' : 'partial',
      persistence: bucketReach(selectProductRows(all, { subjects, range: always })),
    });
    const bytes = answer.sent === 'oldest_first' ? read.rows : read.rows.toReversed();
    const open = assembleObject(membersOf({ around, said, member: answer.member, rows: bytes }));
    const [first, ...others] = [...(around === null ? [] : [around.entry]), history.entry];
    const product = named?.product.product;
    return viewServable({
      route,
      release,
      sources: [first ?? history.entry, ...others, ...read.entries],
      open,
      view,
      subject: product === undefined ? null : { kind: 'product', product },
      payloadMode: payloadModeOf(params),
    });
  });
}

const always: HistoryRange = { from: null, to: null };

function rangeOf(input: FindInput, answer: ProductHistoryAnswer, dates: readonly string[]): HistoryRange {
  const range = askedRange(input);
  if (range.from !== null || range.to !== null) return range;
  const exact = askedDate(input);
  if (exact !== null) return { from: exact, to: exact };
  const newest = dates.at(-1);
  return answer.byDefault === 'all' || newest === undefined ? always : { from: newest, to: newest };
}

async function objectAround(
  { params }: FindInput,
  { answer, release, named }: { answer: ProductHistoryAnswer; release: Release; named: NamedProduct },
): Promise<StoredObject | null> {
  if (answer.around === null) return null;
  const around: AnySingle = answer.around;
  const key = artifactKey(around, params, { slice: release.sourceDate, product: named.product.product });
  const stored = await release.object(key);
  if (stored === null) throw unavailable(key, 'the release does not list it');
  return stored;
}

function membersOf({
  around,
  said,
  member,
  rows,
}: {
  around: StoredObject | null;
  said: ReturnType<ProductHistoryAnswer['members']>;
  member: string;
  rows: readonly Buffer[];
}): Map<string, MemberValue> {
  const members = new Map<string, MemberValue>();
  for (const [name, stored] of around === null ? [] : storedMembers(around.bodies))
    members.set(name, { stored });
  for (const [name, made] of Object.entries(said)) if (made !== undefined) members.set(name, { made });
  return members.set(member, { rows });
}

function filtersOf(params: Params, named: NamedProduct | null): Record<string, string> {
  const names = ['underlying_ticker', 'source_date', 'source_date_from', 'source_date_to'];
  const sent = valuesOf(params, names, String);
  return named === null ? { ...sent } : { product: named.product.product, ...sent };
}
