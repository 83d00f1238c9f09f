import { z } from 'zod';
import { count, date, datetime, pageMeta, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import example from './etfAuditExport.example.json' with { type: 'json' };
import { exampleHashedRow, hashedFactorRow } from './perpCalculationHistory.ts';

/** What an export of evidence leaves open (I2.66). */
export const exportBoundary = 'Rows are evidence; they certify no event.';

/** Export payload (I2.66). */
const schema = z.object({
  product: z.string(),
  display_name: z.string(),
  method_version: z.string(),
  evidence_boundary: z.string(),
  source_date: date,
  observed_bucket_utc: datetime,
  computed_at_utc: datetime,
  artifact: z.object({
    artifact_key: z.string(),
    artifact_version: z.string(),
    sha256,
    bytes: count,
    media_type: z.string(),
  }),
  rows: z.array(hashedFactorRow),
  page: pageMeta,
  source_dates: z.array(date),
  quality_flags: z.array(z.string()),
  caveats: z.array(z.string()),
});

export const etfAuditExport = payload({
  id: 'etf_audit_export.v1',
  schema,
  example: { ...example, rows: [exampleHashedRow] },
  excerpt: ['product', 'rows[0].observed_bucket_utc', 'rows[0].factors.basis_bps'],
  // object and rows are those of the audit and of the factors
  stored: {},
});
