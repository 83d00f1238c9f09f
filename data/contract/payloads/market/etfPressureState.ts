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

/** What members of the pressure read and of its audit mean. */
export const etfMeanings = {
  display_name: 'Name of the product.',
  method_version: 'Version of the method.',
  evidence_boundary: 'What the evidence does not say.',
  product: 'Perpetual-contract product.',
  observed_bucket_utc: 'Start of the closed bucket the read is of: the newest stored one.',
  evidence_hash: 'SHA-256 of the factor row the read is of, as its evidence_hash in the calculation history.',
  identity_lineage: 'Names of the product, and whether its method changed.',
  canonical_name: 'Name the product is kept under.',
  aliases: 'Labels that name the product as well.',
  methodology_changed: 'True where the registry version in force is another than in the bucket before.',
  'identity_lineage.method_version': 'Version of the factor method.',
  pressure_state: 'Pressure, its state, direction and parts.',
  headline: 'The state in one fixed sentence.',
  market_state:
    'State of the pressure: relief, balanced, building, elevated, extreme, or insufficient_evidence without levels 2 to 4 of coverage.',
  direction:
    'long_crowding or short_crowding by the sign of the carry group, which is of z-scores and not of rates; none without it or without a pressure.',
  pressure:
    'A z-score: mean of carry, positioning and market, each against its own window, so that it rises when prices fall; no amount of money and no forecast. Null without sufficient evidence.',
  group_scores: 'Mean of the signed z-scores of each group; null where none is there.',
  carry: 'Mean of the z of funding and basis.',
  positioning: 'Mean of the z of open interest and of the negated z of turnover.',
  market:
    'Mean of the z of the volatility ratio and of the negated z of momentum and breadth: high when prices fell.',
  factor_values: 'Factors of the bucket, by id.',
  'pressure_state.quality': 'How far the row behind the state can be trusted.',
  'pressure_state.quality.status':
    'ok, partial where an input is missing, stale where it is older than its bound.',
  'pressure_state.quality.flags': 'What limits the row, one code a flag.',
  warnings: 'What a reader should know of the state, one code a warning.',
  spectra_read: 'The largest parts of the pressure in words.',
  quality_flags: 'What limits the answer, one code a flag.',
  disclosures: 'What the answer is and is not.',
} as const;

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
  meanings: {
    ...etfMeanings,
    route: 'METHOD and path template of the route.',
    constituent_readiness: 'How much of the basket our own issuers explain.',
    'constituent_readiness.status': 'Status of level 1 of coverage; not_applicable to coins.',
    mapped_weight: 'Weight of the constituents that the registry names with an identity.',
    covered_weight: 'Weight of the constituents with a risk tier in the slice of the day.',
    data_quality_warnings: 'Flags of the row behind the read, a sentence each.',
    recommended_followups: 'Calls that show more of the read.',
    'recommended_followups[].route': 'METHOD and path template to call.',
    'recommended_followups[].reason': 'What the call shows.',
  },
  stored: {
    object: object({
      subject: 'product',
      schema,
      key: ({ slice, product: id, bucket_length }: BucketParts & { readonly product: string }) =>
        `etf-pressure/${id}/${slice}/${bucket_length}.json`,
    }),
  },
});
