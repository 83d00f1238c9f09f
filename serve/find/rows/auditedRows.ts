import { etfAudit } from '../../../data/contract/payloads/market/etfAudit.ts';
import { perpFactors } from '../../../data/contract/payloads/market/perpFactors.ts';
import { askedLength } from '../../../data/contract/routes/marketMembers.ts';
import { missError } from '../../problem/missError.ts';
import type { Release, StoredObject } from '../../store/artifactStore.ts';
import { askedDate } from '../asked/askedDate.ts';
import { askedRange, type HistoryRange } from '../asked/historyRange.ts';
import { type NamedProduct, namedProduct } from '../asked/namedProduct.ts';
import { type PageMeta, pageMeta, pageOf } from '../asked/page.ts';
import { registryMissing } from '../asked/productMiss.ts';
import type { FindInput } from '../servable/findInput.ts';
import { datesOfRows, selectProductRows, spansOfRows } from './productRows.ts';
import { storedHistory } from './storedHistory.ts';
import { askedRelease } from './storedRows.ts';

/** A product's audit in the release that was asked for. */
export type AskedAudit = NamedProduct & { readonly release: Release; readonly audit: StoredObject };

/**
 * The stored audit a request names: that of the slice of `source_date`, or of the current one.
 *
 * @throws IssuerError `not_found`
 */
export async function askedAudit(input: FindInput): Promise<AskedAudit> {
  const { params, route } = input;
  const release = await askedRelease(input);
  const named = await namedProduct(input, release, String(params.values.get('product')));
  const { product, has_registry } = named.product;
  const bucket_length = askedLength(params.values);
  const audit = await release.object(
    etfAudit.stored.object.key({ slice: release.sourceDate, product, bucket_length }),
  );
  if (audit !== null) return { ...named, release, audit };
  if (!has_registry) throw registryMissing(input, product);
  throw missError(route, {
    reasonCode: 'no_artifact_for_source_date',
    message: `${product} has no stored bucket up to the slice of ${release.sourceDate}.`,
    hint: 'GET /v1/market-core/perps/rankings shows the products with stored buckets.',
    product,
  });
}

/**
 * A page of the factor rows an audit rests on, newest first: of the date, the range, or the days of the window that
 * ends with the slice (I4.R20.2).
 */
export async function auditedRows(
  input: FindInput,
  { release, product: { product }, form }: AskedAudit & { form: 'compact' | 'hashed' },
) {
  const { params } = input;
  const kind = perpFactors.stored[askedLength(params.values)];
  const history = await storedHistory(release, kind);
  const range = rangeOf(input, release);
  const picked = selectProductRows(await history.segments(range), { subjects: [product], range });
  const page = pageOf(picked.total, params);
  const rows = picked.page(page);
  const read = await history.rows(spansOfRows(rows), { form: kind.forms.indexOf(form) });
  const said: PageMeta = pageMeta(page, { count: rows.length, total: picked.total });
  return {
    rows: read.rows.toReversed(),
    page: said,
    dates: datesOfRows(rows),
    sources: [history.entry, ...read.entries],
  };
}

const dayMs = 86_400_000;

function rangeOf(input: FindInput, { sourceDate }: Release): HistoryRange {
  const exact = askedDate(input);
  if (exact !== null) return { from: exact, to: exact };
  const range = askedRange(input);
  if (range.from !== null || range.to !== null) return range;
  const days = Number(input.params.values.get('window_days'));
  const from = new Date(Date.parse(sourceDate) - (days - 1) * dayMs).toISOString().slice(0, 10);
  return { from, to: sourceDate };
}
