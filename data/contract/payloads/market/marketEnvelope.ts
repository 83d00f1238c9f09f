import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, int } from '../../values/primitives.ts';
import { factorRegistry } from './factorRegistry.ts';

const persistence = z.object({
  first_bucket_utc: datetime.nullable(),
  last_bucket_utc: datetime.nullable(),
  row_interval_minutes: int.nullable(),
});

/** Which buckets are stored of what was asked for. */
export type Persistence = z.infer<typeof persistence>;

const factorDefinition = z.object({
  id: z.string(),
  unit: z.string(),
  definition: z.string(),
  higher_means: z.string(),
});

/**
 * MarketEnvelope (I2.55): what the lists of perpetual products share around their rows.
 *
 * @param more members of `meta` that only some of them have
 */
export function marketEnvelope<Row extends z.ZodType, More extends z.ZodRawShape>({
  row,
  more,
}: {
  row: Row;
  more: More;
}) {
  return z.object({
    route: z.string(),
    payload_mode: z.enum(e.payloadModes),
    method_version: z.string(),
    materialization_status: z.enum(e.materializationStatuses),
    boundary: z.string(),
    filters: z.record(z.string(), z.string()),
    data: z.array(row),
    meta: z.object({
      total: count,
      total_before_pagination: count,
      limit: count,
      offset: count,
      count,
      source_dates: z.array(date),
      factor_registry: z.array(factorDefinition),
      persistence,
      ...more,
    }),
  });
}

/** The factor registry as the envelope sends it. */
export const sentFactorRegistry = factorRegistry.map((factor) => ({ ...factor }));

/** What members of the envelope mean. */
export const marketEnvelopeMeanings = {
  route: 'METHOD and path template of the route.',
  method_version: 'Version of the method the rows were made by.',
  materialization_status:
    'complete: every row of the page has all its inputs; partial: some lack one; empty: no row fits.',
  boundary: 'What the data does not say.',
  total_before_pagination: 'Rows that fit, before the page is cut.',
  source_dates: 'Source dates of the rows of the page, newest first.',
  factor_registry: 'Unit and definition of each factor, by id.',
  id: 'Id of the factor.',
  unit: 'Unit of the factor.',
  definition: 'How the factor is calculated.',
  higher_means: 'What a higher value says.',
  persistence: 'Which buckets are stored of the products in scope.',
  first_bucket_utc: 'Start of the oldest stored bucket.',
  last_bucket_utc: 'Start of the newest stored bucket.',
  row_interval_minutes: 'Minutes between two buckets; null where rows are days of a registry.',
} as const;

/** What every answer over stored observations leaves open. */
export const observationBoundary = 'Stored observations only; nothing is fetched when a call is answered.';
