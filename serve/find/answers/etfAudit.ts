import { etfAudit } from '../../../data/contract/payloads/market/etfAudit.ts';
import { exportBoundary } from '../../../data/contract/payloads/market/etfAuditExport.ts';
import { perpFactors } from '../../../data/contract/payloads/market/perpFactors.ts';
import { askedLength } from '../../../data/contract/routes/marketMembers.ts';
import { assembleObject, closed, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import { storedMembers } from '../../body/openBodies.ts';
import { missError } from '../../problem/missError.ts';
import type { Release, StoredObject } from '../../store/artifactStore.ts';
import { askedRange, type HistoryRange, type PageMeta, pageMeta, pageOf } from '../asked/askedRows.ts';
import { type NamedProduct, namedProduct, registryMissing } from '../asked/namedProduct.ts';
import { askedDate } from '../asked/selectRelease.ts';
import { storedHistory } from '../rows/storedHistory.ts';
import { askedRelease } from '../rows/storedRows.ts';
import { cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import { viewServable } from '../servable/servableOf.ts';
import { datesOfRows, selectProductRows, spansOfRows } from './productHistory.ts';

/** R20: the stored audit of a product, with a page of the factor rows it rests on (I4.R20.2). */
export function findEtfAudit(input: FindInput): Promise<Found> {
  const withExport = input.params.values.get('include_export') === true;
  return auditView(input, {
    form: 'compact',
    membersOf({ audit, product: { product } }, { page, rows }) {
      const exported = {
        row_count: page.total,
        route: `GET /v1/synthetic-etf/audit/${product}/export`,
        payload_sha256: null,
      };
      const history = { rows, page: { ...page }, export: withExport ? exported : null };
      return new Map<string, MemberValue>([
        ['factor_history', closed(assembleObject(history))],
        ...storedMembers(audit.bodies),
      ]);
    },
  });
}

const repeated = [
  'product',
  'display_name',
  'method_version',
  'source_date',
  'observed_bucket_utc',
  'computed_at_utc',
  'quality_flags',
  'caveats',
];

/** R21: which stored audit the rows belong to, and a page of them with their hashes (I4.R21.2, I2.66). */
export function findEtfAuditExport(input: FindInput): Promise<Found> {
  return auditView(input, {
    form: 'hashed',
    membersOf({ audit }, { page, rows, dates }) {
      const { key, version, sha256, bytes, media_type } = audit.entry;
      const artifact = { artifact_key: key, artifact_version: version, sha256, bytes, media_type };
      return new Map<string, MemberValue>([
        ['evidence_boundary', exportBoundary],
        ['artifact', artifact],
        ['rows', rows],
        ['page', { ...page }],
        ['source_dates', [...dates]],
        ...[...storedMembers(audit.bodies)].filter(([name]) => repeated.includes(name)),
      ]);
    },
  });
}

type Rows = Awaited<ReturnType<typeof auditedRows>>;
type Audit = Awaited<ReturnType<typeof askedAudit>>;

/**
 * An answer put together from a product's stored audit and a page of the factor rows it rests on (I4.R20.2, I4.R21.2).
 *
 * @param form which stored form of a row the page shows
 * @param membersOf the members of the answer
 * @throws IssuerError as `askedAudit` and `auditedRows`
 */
async function auditView(
  input: FindInput,
  {
    form,
    membersOf,
  }: {
    form: 'compact' | 'hashed';
    membersOf: (asked: Audit, history: Rows) => ReadonlyMap<string, MemberValue>;
  },
): Promise<Found> {
  const asked = await askedAudit(input);
  const { release, audit, lookup } = asked;
  const { product } = asked.product;
  const about = `${product} ${lookup?.asked ?? ''}`;
  return cachedView(input, { release, about, lookup }, async (view) => {
    const history = await auditedRows(input, { ...asked, form });
    return viewServable({
      route: input.route,
      release,
      sources: [audit.entry, ...history.sources],
      open: assembleObject(membersOf(asked, history)),
      view,
      subject: { kind: 'product', product },
      payloadMode: 'audit',
    });
  });
}

/** A product's audit in the release that was asked for. */
type AskedAudit = NamedProduct & { readonly release: Release; readonly audit: StoredObject };

/**
 * The stored audit a request names: that of the slice of `source_date`, or of the current one.
 *
 * @throws IssuerError `not_found`
 */
async function askedAudit(input: FindInput): Promise<AskedAudit> {
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
async function auditedRows(
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
