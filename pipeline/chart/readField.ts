import type { z } from 'zod';
import { isPeriodicForm } from '../../calculators/filing/periodicForms.ts';
import type { fieldMapRows } from '../../calculators/visual/chart/fieldMapRows.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { indexKeyOf, readSegmentIndex } from '../../data/contract/history/segmentIndex.ts';
import { readSegmentList } from '../../data/contract/history/segmentList.ts';
import {
  type FieldPoint,
  fieldPoint,
  issuerFieldMap,
  mostFieldPoints,
} from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import {
  type MarketFieldMap,
  type MarketFieldPoint,
  marketFieldMap,
  marketFieldPoint,
} from '../../data/contract/payloads/market/marketFieldMap.ts';
import { perpRankings, productsOf } from '../../data/contract/payloads/market/perpRankings.ts';
import { findIssuer, type IssuerLabel } from '../explain/findRow.ts';
import { releaseOrCurrent } from '../release/namedRelease.ts';
import { type OpenRelease, openRelease, readJson } from '../release/openRelease.ts';
import { releaseParts } from '../release/releaseStore.ts';
import { readList } from '../release/rowStore.ts';
import { type ChartRequest, type Input, nothingToDraw, subjectOf } from './chartRequest.ts';

const labels = { field_pressure: 'Pressure', stored_energy: 'Energy', price_echo: 'Price echo' };

/**
 * Field map of one product or one issuer, from the current release; the id of a product comes before the name of an issuer.
 *
 * @throws IssuerError `usage`, `input_missing`, `validation_failed`
 */
export async function readField(chartRequest: ChartRequest): Promise<Input<typeof fieldMapRows>> {
  const { connection, layout, width } = chartRequest;
  const subject = subjectOf(chartRequest, 'issuer or product');
  const name = await releaseOrCurrent(layout, undefined);
  const release = await openRelease(layout.artifacts, name, {});
  const { sourceDate } = releaseParts(name);
  const products = await knownProducts(release, sourceDate);
  const product = products.find((id) => id === subject.toUpperCase());
  if (product !== undefined) return productField(release, { sourceDate, product, width });
  const issuer = await findIssuer(connection, subject).catch((error: unknown) => {
    throw withProducts(error, products);
  });
  return issuerField(release, { sourceDate, issuer, width });
}

async function issuerField(
  release: OpenRelease,
  { sourceDate, issuer: { cik, ticker }, width }: { sourceDate: string; issuer: IssuerLabel; width: number },
): Promise<Input<typeof fieldMapRows>> {
  const { object, points: history } = issuerFieldMap.stored;
  const key = object.key({ slice: sourceDate, cik });
  const frame = await readJson(release, { key, schema: object.schema });
  if (frame === null)
    throw nothingToDraw(`Release ${release.manifest.version} has no field map of ${ticker ?? cik}.`);
  const points = await newestPoints(release, {
    listKey: history.listKey({ slice: sourceDate }),
    subject: cik,
    row: fieldPoint,
    most: mostFieldPoints,
  });
  const first = points[0]?.date ?? sourceDate;
  const read = frame.summary?.current_read ?? 'no read';
  return {
    subject: ticker ?? cik,
    points,
    labels,
    read,
    missing: read === 'Needs Core Confirmation' ? whyUnconfirmed(points) : null,
    events: (frame.events ?? [])
      .filter(({ date }) => date >= first && date <= sourceDate)
      .map(({ date, form }) => ({ date, label: isPeriodicForm(form) ? form : null })),
    isMadeUp: false,
    width,
  };
}

/** Why an issuer's read needs confirmation, as far as its points tell (M9.7). */
export function whyUnconfirmed(
  points: readonly Pick<FieldPoint, 'field_pressure' | 'stored_energy'>[],
): string {
  const last = points.at(-1);
  if (last === undefined || points.length < 5) return 'fewer than 5 points';
  if (last.field_pressure === null) return 'the newest point has no pressure';
  if (last.stored_energy === null) return 'the newest point has no energy';
  return 'the row behind it is of low quality, a Coil or unclassified';
}

/** What names no issuer may have been meant as a product, so that the products are named too. */
function withProducts(error: unknown, products: readonly string[]): unknown {
  if (!(error instanceof IssuerError) || error.code !== 'usage' || products.length === 0) return error;
  const { code, message, hint } = error;
  return new IssuerError({
    code,
    message,
    hint: `${hint} The products are ${products.join(', ')}.`,
    cause: error,
  });
}

/** As many as the map of an issuer shows. */
const lastBuckets = 400;

/** Ids of the products a release knows, with buckets or without; none in a release without market data. */
export async function knownProducts(release: OpenRelease, sourceDate: string): Promise<readonly string[]> {
  const { rows } = perpRankings.stored;
  const list = await readList(rows, rows.key({ slice: sourceDate, bucket_length: '1d' }), release.read);
  return list === null ? [] : productsOf(list.meta).map(({ product }) => product);
}

/**
 * Field map of one product over its last 400 daily buckets (I2.61), its curves named by the map itself (M9.11).
 *
 * @throws IssuerError `input_missing` for a product without a bucket
 */
export async function productField(
  release: OpenRelease,
  { sourceDate, product, width }: { sourceDate: string; product: string; width: number },
): Promise<Input<typeof fieldMapRows>> {
  const { object, '1d': history } = marketFieldMap.stored;
  const key = object.key({ slice: sourceDate, product, bucket_length: '1d' });
  const map = await readJson(release, { key, schema: object.schema });
  if (map === null)
    throw nothingToDraw(`Release ${release.manifest.version} has no field map of ${product}.`);
  const points = await newestPoints(release, {
    listKey: history.listKey({ slice: sourceDate }),
    subject: product,
    row: marketFieldPoint,
    most: lastBuckets,
  });
  return { ...shownMap(map, { points, sourceDate }), width };
}

/** What a chart shows of a map: its read with the day of the newest bucket where that is not the day of the slice. */
export function shownMap(
  { product, summary, chart_label_authority: { labels } }: MarketFieldMap,
  { points, sourceDate }: { points: readonly MarketFieldPoint[]; sourceDate: string },
): Omit<Input<typeof fieldMapRows>, 'width'> {
  const newest = points.at(-1);
  const isOld = newest !== undefined && newest.date < sourceDate;
  const read = summary.current_read;
  return {
    subject: product,
    points,
    labels,
    read: isOld ? `${read} on ${newest.date}` : read,
    missing: read === 'Needs Core Confirmation' ? whyUnread(newest) : null,
    events: [],
    isMadeUp: points.some(({ quality }) => quality.flags?.includes('synthetic')),
  };
}

/** Why M9.10a reads nothing from the newest bucket. */
function whyUnread(newest: MarketFieldPoint | undefined): string {
  if (newest === undefined) return 'no bucket';
  const { field_pressure: pressure, stored_energy: energy, quality } = newest;
  if (pressure !== null && energy !== null) return 'too few buckets with a value';
  const status = (quality.status ?? 'ok').replaceAll('_', ' ');
  const lacking = [...(pressure === null ? ['pressure'] : []), ...(energy === null ? ['energy'] : [])];
  return `the newest bucket has no ${lacking.join(' and no ')}${status === 'ok' ? '' : ` (${status})`}`;
}

/**
 * The newest points of a subject, oldest first, out of the segments that a release lists (STORE ST8).
 *
 * @param listKey of the history's list; a release without it has no point
 * @throws RangeError when a list or an index is none, or a segment is missing
 */
async function newestPoints<Point>(
  release: OpenRelease,
  { listKey, subject, row, most }: { listKey: string; subject: string; row: z.ZodType<Point>; most: number },
): Promise<Point[]> {
  const list = await release.read(listKey);
  const segments = list === null ? [] : sound(readSegmentList(JSON.parse(list.toString('utf8')))).segments;
  const lines: string[] = [];
  for (const { key } of segments.toReversed()) {
    if (lines.length >= most) break;
    const [body, index] = await Promise.all([release.read(key), release.read(indexKeyOf(key))]);
    if (body === null || index === null) throw new RangeError(`${key} is listed and is not stored whole`);
    const share = sound(readSegmentIndex(JSON.parse(index.toString('utf8')))).shares.get(subject);
    if (share === undefined) continue;
    const text = body.subarray(share.start, share.end).toString('utf8');
    lines.unshift(...text.split('\n').filter((line) => line !== ''));
  }
  return lines.slice(-most).map((line) => row.parse(JSON.parse(line)));
}

function sound<T>(found: { readonly value: T } | { readonly fault: string }): T {
  if ('fault' in found) throw new RangeError(`a stored field map cannot be read: ${found.fault}`);
  return found.value;
}
