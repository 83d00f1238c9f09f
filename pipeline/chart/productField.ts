import type { fieldMapRows } from '../../calculators/visual/chart/fieldMapRows.ts';
import {
  type MarketFieldMap,
  type MarketFieldPoint,
  marketFieldMap,
  marketFieldPoint,
} from '../../data/contract/payloads/market/marketFieldMap.ts';
import { perpRankings, productsOf } from '../../data/contract/payloads/market/perpRankings.ts';
import { rowStoreIndex } from '../../data/contract/release/releaseFiles.ts';
import { type OpenRelease, readJson } from '../release/openRelease.ts';
import { type Input, nothingToDraw } from './chartRequest.ts';
import { newestPoints } from './newestPoints.ts';

/** As many as the map of an issuer shows. */
const lastBuckets = 400;

/** Ids of the products a release knows, with buckets or without; none in a release without market data. */
export async function knownProducts(release: OpenRelease, sourceDate: string): Promise<readonly string[]> {
  const { rows } = perpRankings.stored;
  const key = rows.indexKey({ slice: sourceDate, bucket_length: '1d' });
  const index = await readJson(release, { key, schema: rowStoreIndex });
  return index === null ? [] : productsOf(rows.meta.parse(index.meta)).map(({ product }) => product);
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
