import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, pageMeta, product, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { type BucketParts, object } from '../stored.ts';
import { etfMeanings } from './etfPressureState.ts';
import * as shapes from './etfShapes.ts';
import { exampleBucketRow, factorNumbers, marketRowMeanings } from './marketRow.ts';
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

/** What members of thresholds and events mean, in the audit and alone. */
export const thresholdMeanings = {
  threshold_contract: 'The thresholds of the version in force.',
  'threshold_contract.version': 'Version of the threshold contract.',
  rows: 'One entry a threshold.',
  threshold_flags: 'One entry a threshold: what was observed, and whether it passes.',
  threshold_id: 'Id of the threshold.',
  metric: 'Factor the threshold is about.',
  operator: 'How the observed value is compared; abs>= compares its absolute value.',
  threshold: 'Value it is compared with.',
  unit: 'Unit of both values.',
  observed: 'Value of the bucket; null where it is missing.',
  result: 'pass, fail, or unavailable where the value is missing: a missing value never fails.',
  evidence_ref: 'Row the observed value stands in; null without one.',
  canonical_event: 'Whether the state is an event by the threshold contract.',
  canonical_event_status:
    'By first match: unavailable without a row, blocked by any blocker, confirmed by three passes with pressure among them, watch by one, else not_confirmed.',
  type: 'Side that is crowded, by the carry group; null unless the status is confirmed or watch.',
  linked_state: 'State of pressure of the bucket that was judged; null without one.',
  'canonical_event.reason': 'Why the status is what it is.',
  blockers: 'What forbids to confirm an event, one code a blocker.',
  event_classification: 'The event as a yes or no.',
  canonical_confirmed: 'True where the event is confirmed.',
  z_scores: 'Robust z of a factor against its own trailing window, by factor id.',
  artifact_keys: 'Keys of the artifacts the answer was made from.',
  boundary: 'What it does not say.',
} as const;

export const etfAudit = payload({
  id: 'etf_audit.v1',
  name: 'EtfAudit',
  schema,
  example: etfAuditExample,
  excerpt: ['product', 'audit_status', 'canonical_event.canonical_event_status'],
  meanings: {
    ...marketRowMeanings,
    ...etfMeanings,
    ...thresholdMeanings,
    audit_status:
      'complete where every part of the audit is there; partial where a part names what it lacks.',
    linked_product: 'Product this one is the twin of; null without one.',
    current_bucket: 'The newest stored bucket.',
    previous_bucket: 'The available bucket before it.',
    'current_bucket.status': 'available: it holds a mark and an index; else unavailable.',
    'previous_bucket.status': 'available, or unavailable without a bucket before.',
    bucket_utc: 'Start of the bucket; null without one.',
    'current_bucket.evidence_hash': 'SHA-256 of its row, as evidence_hash in the calculation history.',
    'previous_bucket.evidence_hash': 'SHA-256 of its row, as evidence_hash in the calculation history.',
    bucket_comparison: 'Each factor in both buckets, by its id.',
    current: 'Value in the newest bucket.',
    previous: 'Value in the bucket before.',
    delta: 'Difference of the published values.',
    factor_history: 'Rows of the factor history in the window or range.',
    'factor_history.rows': 'The rows of the page, newest first.',
    page: 'Where the page lies in the window or range.',
    export: 'How the same rows are exported; null with include_export=false.',
    row_count: 'Rows in the window or range.',
    'export.route': 'METHOD and path of the export.',
    'export.payload_sha256': 'SHA-256 of the exported payload; null: an export is hashed as it is sent.',
    four_level_coverage: 'Four levels of evidence, each judged by itself.',
    levels: 'The four levels.',
    level_1_issuer_truth: 'Whether our own issuers explain at least half of the weight.',
    level_2_public_market: 'Whether at least nine tenths of the weight have a fresh price.',
    level_3_basket_pressure: 'Whether the registry is there and its weights are valid.',
    level_4_perp_dislocation: 'Whether the inputs of pressure and their history are there.',
    'levels.level_1_issuer_truth.status': 'available, partial, missing or not_applicable.',
    'levels.level_2_public_market.status': 'available, partial, missing or not_applicable.',
    'levels.level_3_basket_pressure.status': 'available, partial, missing or not_applicable.',
    'levels.level_4_perp_dislocation.status': 'available, partial, missing or not_applicable.',
    level_summary: 'The four levels in one sentence.',
    pressure_attribution: 'What each factor adds to the pressure; the parts sum to it within 1e-9.',
    pressure_unrounded: 'The pressure before it is rounded.',
    'pressure_attribution.rows': 'One entry a factor.',
    factor: 'Id of the factor.',
    'pressure_attribution.rows[].contribution': 'What the factor adds to the pressure.',
    constituent_contributions: 'What each constituent adds to the return of the perpetual over seven days.',
    'constituent_contributions.status':
      'available; partial where a price is missing; unavailable without one.',
    basis: 'returns, weights_only where no return is known, or none.',
    'constituent_contributions.rows': 'One entry a constituent, in the order of the registry.',
    'constituent_contributions.rows[].ticker': 'Ticker or coin symbol.',
    'constituent_contributions.rows[].name': 'Name of the constituent.',
    weight: 'Weight in the basket.',
    contribution: 'Weight times return over seven days.',
    leave_one_out: 'Pressure minus the pressure without the constituent.',
    tracking_residual:
      'Return of the perpetual minus the sum of the contributions, with what the price moved between the last mark and the close; null in a bucket that does not end with a UTC day.',
    max_leave_one_out: 'Largest leave_one_out, without sign.',
    'constituent_contributions.flags': 'attribution_exceeds_bound, single_name_sensitive.',
    presentation_parity: 'Whether a chart of the read shows the same numbers.',
    'presentation_parity.status': 'confirmed, requires_artifact, mismatch or unavailable.',
    further_analysis: 'Whether a deeper analysis is at hand.',
    'further_analysis.status': 'available or unavailable.',
    question_readiness: 'Which questions the audit answers.',
    current_state: 'What is the state?',
    drivers: 'What drives it?',
    'question_readiness.canonical_event': 'Is it an event?',
    seven_day_history: 'What was it in the last seven days?',
    constituent_attribution: 'Which constituents are behind it?',
    'question_readiness.presentation_parity': 'Does a chart show the same?',
    'question_readiness.further_analysis': 'Is there more?',
    publication_safety: 'May it be published as it is?',
  },
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
  meanings: { ...etfMeanings, ...thresholdMeanings },
  // the object is that of the audit
  stored: {},
});
