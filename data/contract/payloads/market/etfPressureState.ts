import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { date, datetime, product, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { type BucketParts, object } from '../stored.ts';
import example from './etfPressureState.example.json' with { type: 'json' };
import { identityLineage, pressureState } from './etfShapes.ts';

/** SyntheticEtfPressureStateResponse (I2.62). */
const schema = z.object({
  display_name: z.string(),
  route: z.string(),
  method_version: z.string(),
  evidence_boundary: z.string(),
  product,
  payload_mode: z.literal('compact'),
  source_date: date,
  observed_bucket_utc: datetime,
  computed_at_utc: datetime,
  evidence_hash: sha256,
  identity_lineage: identityLineage,
  pressure_state: pressureState,
  constituent_readiness: z.object({
    status: z.enum(e.levelStatuses),
    mapped_weight: z.number().nullable(),
    covered_weight: z.number().nullable(),
  }),
  data_quality_warnings: z.array(z.string()),
  quality_flags: z.array(z.string()),
  caveats: z.array(z.string()),
  disclosures: z.array(z.string()),
  recommended_followups: z.array(
    z.object({ route: z.string(), args: z.record(z.string(), z.string()), reason: z.string() }),
  ),
});

export type EtfPressureState = z.infer<typeof schema>;

export const etfPressureState = payload({
  id: 'etf_pressure_state.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['product', 'pressure_state.market_state', 'pressure_state.pressure'],
  stored: {
    object: object({
      subject: 'product',
      schema,
      key: ({ slice, product: id, bucket_length }: BucketParts & { readonly product: string }) =>
        `etf-pressure/${id}/${slice}/${bucket_length}.json`,
    }),
  },
});
