import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { datedListMeta, datetime, int } from '../../values/primitives.ts';
import factors from './factorRegistry.json' with { type: 'json' };

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
      ...datedListMeta,
      factor_registry: z.array(factorDefinition),
      persistence,
      ...more,
    }),
  });
}

/** What each market factor is, in the order of the method (I2.56, M8.4): an open list, nullable in every row. */
export const factorRegistry: z.infer<typeof factorDefinition>[] = factors;

/** An example with what each factor is in its `meta`. */
export function withFactors<Example extends { readonly meta: object }>(example: Example) {
  return { ...example, meta: { ...example.meta, factor_registry: factorRegistry } };
}

/** What every answer over stored observations leaves open. */
export const observationBoundary = 'Stored observations only; nothing is fetched when a call is answered.';
