import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, pageMeta, product, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { type BucketParts, object } from '../stored.ts';
import * as shapes from './etfShapes.ts';
import { exampleBucketRow, factorNumbers } from './marketRow.ts';
import { perpFactorRow } from './perpFactors.ts';

const hash = '0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d';
const { factors, deltas, quality, observed_bucket_utc: bucket } = exampleBucketRow;
const zScores = {
  funding_annualized: 0.3,
  basis_bps: 0.3,
  oi_change_24h: 0.2,
  turnover: -0.2,
  vol_ratio: 0.13,
};

/** An example of an audit. */
const etfAuditExample = {
  audit_status: 'partial' as const,
  payload_mode: 'audit' as const,
  product: 'BTC-PERP-INTX',
  linked_product: null,
  display_name: 'Bitcoin perpetual',
  method_version: 'etf-1.0',
  evidence_boundary: 'Stored constituent and factor rows only.',
  source_date: '2026-02-06',
  observed_bucket_utc: bucket,
  computed_at_utc: '2026-02-07T07:12:40Z',
  pressure_state: {
    headline:
      'Pressure is balanced at 0.21; carry (funding and basis against their own window) is 0.30: long side.',
    market_state: 'balanced' as const,
    direction: 'long_crowding' as const,
    pressure: 0.21,
    group_scores: { carry: 0.3, positioning: 0.2, market: 0.13 },
    factor_values: factors,
    quality: { status: quality.status, flags: [] },
    warnings: [],
  },
  current_bucket: {
    status: 'available' as const,
    bucket_utc: bucket,
    factors,
    deltas,
    market_inputs: { mark: 70_010.5, index_price: 69_981.1 },
    quality,
    evidence_hash: hash,
  },
  previous_bucket: {
    status: 'unavailable' as const,
    bucket_utc: null,
    factors: {},
    deltas: {},
    market_inputs: {},
    quality: {},
    evidence_hash: null,
  },
  bucket_comparison: { basis_bps: { current: 4.2, previous: null, delta: null } },
  factor_history: {
    rows: [{ ...exampleBucketRow, z_scores: zScores }],
    page: { limit: 100, offset: 0, count: 1, total: 1, has_more: false },
    export: {
      row_count: 1,
      route: 'GET /v1/synthetic-etf/audit/BTC-PERP-INTX/export',
      payload_sha256: null,
    },
  },
  z_scores: zScores,
  threshold_contract: {
    version: 'pc-1.0',
    rows: [
      { threshold_id: 'pressure', metric: 'pressure', operator: '>=' as const, threshold: 1.5, unit: 'z' },
    ],
  },
  threshold_flags: [
    {
      threshold_id: 'pressure',
      metric: 'pressure',
      operator: '>=' as const,
      threshold: 1.5,
      unit: 'z',
      observed: 0.21,
      result: 'fail' as const,
      evidence_ref: 'ii://perp-factors/1d/2026-02-06/BTC-PERP-INTX',
    },
  ],
  canonical_event: {
    canonical_event_status: 'not_confirmed' as const,
    type: null,
    linked_state: null,
    reason: 'no threshold is passed',
    boundary: 'State is not an event.',
    blockers: [],
  },
  event_classification: { canonical_confirmed: false },
  four_level_coverage: {
    levels: {
      level_1_issuer_truth: {
        status: 'not_applicable' as const,
        reason: 'a coin is no issuer',
        meaning: 'issuers behind the basket',
      },
      level_2_public_market: {
        status: 'available' as const,
        reason: null,
        meaning: 'prices of the constituents',
      },
      level_3_basket_pressure: {
        status: 'available' as const,
        reason: null,
        meaning: 'registry and weights',
      },
      level_4_perp_dislocation: { status: 'available' as const, reason: null, meaning: 'inputs and history' },
    },
    level_summary: 'Levels 2, 3 and 4 are available; level 1 does not apply.',
    boundary: 'A missing level is never inferred from another.',
  },
  pressure_attribution: {
    pressure_unrounded: 0.21,
    rows: [{ factor: 'basis_bps', contribution: 0.21 }],
  },
  constituent_contributions: {
    status: 'available' as const,
    basis: 'returns' as const,
    rows: [{ ticker: 'BTC', name: 'Bitcoin', weight: 1, contribution: 0.02, leave_one_out: null }],
    tracking_residual: 0.0001,
    max_leave_one_out: null,
    flags: [],
  },
  presentation_parity: { status: 'requires_artifact' as const, reason: 'no chart artifact is bound' },
  further_analysis: { status: 'unavailable' as const, reason: 'not enabled' },
  question_readiness: {
    current_state: 'answerable' as const,
    drivers: 'answerable' as const,
    canonical_event: 'answerable' as const,
    seven_day_history: 'partial' as const,
    constituent_attribution: 'answerable' as const,
    presentation_parity: 'artifact_dependent' as const,
    further_analysis: 'unavailable' as const,
    publication_safety: 'answerable' as const,
  },
  provenance: {
    source_date: '2026-02-06',
    computed_at_utc: '2026-02-07T07:12:40Z',
    artifact_keys: ['etf-audit/BTC-PERP-INTX/2026-02-06/1d.json'],
    evidence_hash: hash,
    evidence_hash_version: 'evh-1-jcs-sha256',
  },
  identity_lineage: {
    canonical_name: 'Bitcoin perpetual',
    aliases: ['BTC'],
    methodology_changed: false,
    method_version: 'mcore-1.1',
  },
  quality_flags: ['event_not_confirmed'],
  caveats: [],
  disclosures: ['Market-state telemetry, not a trade signal.'],
};

const number = z.number().nullable();

/** The stored part of an audit: all members but the page of factor history, which is a view (I4.R20.2). */
const stored = z.object({
  audit_status: z.enum(['complete', 'partial']),
  payload_mode: z.literal('audit'),
  product,
  linked_product: z.string().nullable(),
  display_name: z.string(),
  method_version: z.string(),
  evidence_boundary: z.string(),
  source_date: date,
  observed_bucket_utc: datetime,
  computed_at_utc: datetime,
  pressure_state: shapes.pressureState,
  current_bucket: shapes.auditBucket,
  previous_bucket: shapes.auditBucket,
  bucket_comparison: z.record(z.string(), z.object({ current: number, previous: number, delta: number })),
  z_scores: factorNumbers,
  threshold_contract: shapes.thresholdContract,
  threshold_flags: z.array(shapes.thresholdFlag),
  canonical_event: shapes.canonicalEvent,
  event_classification: shapes.eventClassification,
  four_level_coverage: shapes.fourLevelCoverage,
  pressure_attribution: shapes.pressureAttribution,
  constituent_contributions: shapes.contributions,
  presentation_parity: z.object({ status: z.enum(e.parityStatuses), reason: z.string().nullable() }),
  further_analysis: z.object({ status: z.enum(['available', 'unavailable']), reason: z.string().nullable() }),
  question_readiness: shapes.questionReadiness,
  provenance: shapes.auditProvenance,
  identity_lineage: shapes.identityLineage,
  quality_flags: z.array(z.string()),
  caveats: z.array(z.string()),
  disclosures: z.array(z.string()),
});

/** SyntheticEtfAuditResponse (I2.63). */
const schema = z.object({
  ...stored.shape,
  factor_history: z.object({
    rows: z.array(perpFactorRow),
    page: pageMeta,
    export: z.object({ row_count: count, route: z.string(), payload_sha256: sha256.nullable() }).nullable(),
  }),
});

export type EtfAudit = z.infer<typeof stored>;

export const etfAudit = payload({
  id: 'etf_audit.v1',
  name: 'EtfAudit',
  schema,
  example: etfAuditExample,
  excerpt: ['product', 'audit_status', 'canonical_event.canonical_event_status'],
  stored: {
    object: object({
      subject: 'product',
      schema: stored,
      key: ({ slice, product: id, bucket_length }: BucketParts & { readonly product: string }) =>
        `etf-audit/${id}/${slice}/${bucket_length}.json`,
    }),
  },
});

/** Thresholds payload (I2.65): members of the stored audit. */
const thresholds = z.object({
  product: z.string(),
  display_name: z.string(),
  method_version: z.string(),
  source_date: date,
  observed_bucket_utc: datetime,
  computed_at_utc: datetime,
  threshold_contract: shapes.thresholdContract,
  threshold_flags: z.array(shapes.thresholdFlag),
  z_scores: factorNumbers,
  canonical_event: shapes.canonicalEvent,
  event_classification: shapes.eventClassification,
  provenance: shapes.auditProvenance,
  quality_flags: z.array(z.string()),
  caveats: z.array(z.string()),
});

/** The members of the audit that are sent. */
export const thresholdMembers = Object.keys(thresholds.shape);

export const etfAuditThresholds = payload({
  id: 'etf_audit_thresholds.v1',
  name: 'EtfAuditThresholds',
  schema: thresholds,
  example: thresholds.parse(etfAudit.example),
  excerpt: ['product', 'threshold_flags[0].metric', 'threshold_flags[0].result'],
  // the object is that of the audit
  stored: {},
});
