import { z } from 'zod';
import { count, date, datetime, pageMeta, sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
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
  name: 'EtfAuditExport',
  schema,
  example: {
    product: 'BTC-PERP-INTX',
    display_name: 'Bitcoin perpetual',
    method_version: 'etf-1.0',
    source_date: '2026-02-07',
    observed_bucket_utc: '2026-02-06T00:00:00Z',
    computed_at_utc: '2026-02-07T07:12:40Z',
    artifact: {
      artifact_key: 'etf-audit/BTC-PERP-INTX/2026-02-07/1d.json',
      artifact_version: '2026-02-07+0f3c4a5d6e7b',
      sha256: '0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d',
      bytes: 48_211,
      media_type: 'application/json',
    },
    rows: [exampleHashedRow],
    page: { limit: 250, offset: 0, count: 1, total: 1, has_more: false },
    source_dates: ['2026-02-06'],
    quality_flags: [],
    caveats: [],
    evidence_boundary: exportBoundary,
  },
  excerpt: ['product', 'rows[0].observed_bucket_utc', 'rows[0].factors.basis_bps'],
  // object and rows are those of the audit and of the factors
  stored: {},
});
