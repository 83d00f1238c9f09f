import { factorRegistry, observationBoundary, type Persistence } from '../payloads/market/marketEnvelope.ts';
import { type BucketLength, bucketLengths } from '../values/enums.ts';
import type { Asked, ProductPage } from './answer.ts';

/** Minutes of a bucket by its length. */
const bucketMinutes: Readonly<Record<BucketLength, number>> = { '15m': 15, '1h': 60, '1d': 1440 };

/** The bucket length of a request. */
export function askedLength(asked: Asked): BucketLength {
  return bucketLengths.find((length) => length === asked.get('bucket_length')) ?? '1d';
}

/** The mode of a request. */
export function askedMode(asked: Asked): 'compact' | 'full' {
  return asked.get('mode') === 'full' ? 'full' : 'compact';
}

/** The members of the market envelope around rows of buckets (I2.55). */
export function bucketMembers(
  page: Pick<
    ProductPage,
    'asked' | 'methodVersion' | 'status' | 'filters' | 'page' | 'sourceDates' | 'persistence'
  >,
  route: string,
) {
  const length = askedLength(page.asked);
  return {
    ...envelopeMembers(page, { route, boundary: observationBoundary }),
    meta: {
      ...metaMembers(page),
      factor_registry: factorRegistry,
      persistence: { ...page.persistence, row_interval_minutes: bucketMinutes[length] },
      bucket_length: length,
    },
  };
}

const registryBoundary =
  'Stored registry only; weights are those of the registry version in force on the day.';

/** The members of the market envelope around rows of a registry (I2.55). */
export function registryMembers(page: ProductPage, route: string) {
  const persistence: Persistence = {
    first_bucket_utc: null,
    last_bucket_utc: null,
    row_interval_minutes: null,
  };
  return {
    ...envelopeMembers(page, { route, boundary: registryBoundary }),
    meta: { ...metaMembers(page), factor_registry: [], persistence },
  };
}

function envelopeMembers(
  page: Pick<ProductPage, 'asked' | 'methodVersion' | 'status' | 'filters' | 'page'>,
  { route, boundary }: { readonly route: string; readonly boundary: string },
) {
  return {
    route,
    payload_mode: askedMode(page.asked),
    method_version: page.methodVersion,
    materialization_status: page.page.total === 0 ? ('empty' as const) : page.status,
    boundary,
    filters: { ...page.filters },
  };
}

function metaMembers({ page, sourceDates }: Pick<ProductPage, 'page' | 'sourceDates'>) {
  const { total, limit, offset, count } = page;
  return {
    total,
    total_before_pagination: total,
    limit,
    offset,
    count,
    source_dates: [...sourceDates],
  };
}
