import { z } from 'zod';
import { date, datetime } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { etfAudit, thresholdMeanings } from './etfAudit.ts';
import { etfMeanings } from './etfPressureState.ts';
import * as shapes from './etfShapes.ts';
import { factorNumbers } from './marketRow.ts';

/** Thresholds payload (I2.65): members of the stored audit. */
const schema = z.object({
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
export const thresholdMembers = Object.keys(schema.shape);

export const etfAuditThresholds = payload({
  id: 'etf_audit_thresholds.v1',
  name: 'EtfAuditThresholds',
  schema,
  example: schema.parse(etfAudit.example),
  excerpt: ['product', 'threshold_flags[0].metric', 'threshold_flags[0].result'],
  meanings: { ...etfMeanings, ...thresholdMeanings },
  // the object is that of the audit
  stored: {},
});
