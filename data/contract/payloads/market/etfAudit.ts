import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, pageMeta, product, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { type BucketParts, object } from '../stored.ts';
import example from './etfAudit.example.json' with { type: 'json' };
import * as shapes from './etfShapes.ts';
import { factorNumbers } from './marketRow.ts';
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

export const etfAudit = payload({
  id: 'etf_audit.v1',
  schema,
  example: example as z.output<typeof schema>,
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
  schema: thresholds,
  example: thresholds.parse(etfAudit.example),
  excerpt: ['product', 'threshold_flags[0].metric', 'threshold_flags[0].result'],
  // the object is that of the audit
  stored: {},
});
