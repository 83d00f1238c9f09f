import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { date, datetime, product, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { type BucketParts, object } from '../stored.ts';
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
  name: 'EtfPressureState',
  schema,
  example: {
    display_name: 'Bitcoin perpetual',
    product: 'BTC-PERP-INTX',
    route: 'GET /v1/synthetic-etf/pressure-state/{product}',
    payload_mode: 'compact',
    method_version: 'etf-1.0',
    source_date: '2026-02-07',
    observed_bucket_utc: '2026-02-07T00:00:00Z',
    computed_at_utc: '2026-02-07T07:12:40Z',
    evidence_hash: '0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d',
    identity_lineage: {
      canonical_name: 'Bitcoin perpetual',
      aliases: ['BTC'],
      methodology_changed: false,
      method_version: 'mcore-1.1',
    },
    pressure_state: {
      headline:
        'Pressure is balanced at 0.21; carry (funding and basis against their own window) is 0.30: long side.',
      market_state: 'balanced',
      direction: 'long_crowding',
      pressure: 0.21,
      group_scores: { carry: 0.3, positioning: 0.2, market: 0.13 },
      factor_values: { basis_bps: 4.2 },
      quality: { status: 'ok', flags: [] },
      warnings: [],
    },
    constituent_readiness: { status: 'not_applicable', mapped_weight: 1, covered_weight: 0 },
    data_quality_warnings: [],
    quality_flags: ['event_not_confirmed'],
    caveats: ['weights_only_attribution'],
    disclosures: ['Market-state telemetry, not a trade signal.'],
    recommended_followups: [],
    evidence_boundary: 'Stored constituent and factor rows only.',
  },
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
