import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, product, sha256 } from '../../values/primitives.ts';
import { pageMeta } from '../pageMeta.ts';
import { payload } from '../payload.ts';
import { type BucketParts, object } from '../stored.ts';
import { etfAuditExample } from './etfAuditExample.ts';
import { etfMeanings } from './etfPressureState.ts';
import * as shapes from './etfShapes.ts';
import { factorNumbers, marketRowMeanings } from './marketRow.ts';
import { perpFactorRow } from './perpFactors.ts';

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
