import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { cik10, count, date, int, ticker } from '../../values/primitives.ts';

/** How the evidence of one row is asked for (I2.28); ticker or cik is there. */
export const evidenceRef = z.object({
  tool: z.literal('intel_daily_change_evidence'),
  route: z.literal('GET /v1/daily-changes/evidence'),
  args: z.object({
    ticker: ticker.optional(),
    cik: cik10.optional(),
    source_date: date,
    limit: int,
    offset: int,
  }),
});

/** CompanyRow of the two lists (I2.27). `tags` is never part of a compact answer. */
export const changedCompany = z.object({
  cik: cik10,
  entity_name: z.string(),
  ticker: z.string().optional(),
  exchange: z.string().optional(),
  company_type: z.string().optional(),
  market_value: z.string().optional(),
  pre_ipo_reason: z.string().optional(),
  issuer_class: z.string().optional(),
  pre_ipo_likelihood: z.enum(e.preIpoLikelihoods).optional(),
  classifications: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  delta_size: int.optional(),
  fact_changes: int.optional(),
  raw_tag_count: int.optional(),
  has_crypto_assets: z.boolean().optional(),
  has_digital_assets: z.boolean().optional(),
  is_crypto: z.boolean().optional(),
  is_pre_ipo: z.boolean().optional(),
  evidence_available: z.boolean().optional(),
  evidence_ref: evidenceRef.optional(),
});

/** A change of one published number; a prior value the slice does not hold is null (I2.24). */
const changeLeader = <F extends string>(field: F) =>
  z.object({
    ticker,
    cik: cik10,
    entity_name: z.string(),
    prior_value: z.number().nullable(),
    new_value: z.number().nullable(),
    delta: z.number().nullable(),
    field: z.literal(field),
  });
export const alphaChangeLeader = changeLeader('alpha_score');
export const stressChangeLeader = changeLeader('stress_50pct');

/** An issuer whose risk tier differs from the slice before (I2.24). */
export const riskTierMove = z.object({
  ticker,
  cik: cik10,
  entity_name: z.string(),
  prior_tier: z.enum(e.riskTiers),
  new_tier: z.enum(e.riskTiers),
  direction: z.enum(['up', 'down']).nullable(),
});

/** CompanyfactsActivity (I2.29). */
export const companyfactsActivity = z.object({
  activity_basis: z.string(),
  selector_status: z.string(),
  subscriber_signal: z.string(),
  changed_cik_count: count,
  changed_file_count: count,
  companies_with_crypto_changes: count,
  companies_with_digital_changes: count,
  crypto_changed_company_count: count,
  digital_assets_changed_company_count: count,
  total_companies_scanned: count,
  crypto_changed_companies: z.array(z.record(z.string(), z.unknown())),
  scan_date: date,
  source_date: date,
  target_date: date,
});

/** DeltaDay: what one scan saw (I2.30); kept of every recorded day. */
export const deltaDay = z.object({
  date,
  change_blob_count: count,
  changed_filing_count: count,
  change_blobs: z.array(z.string()),
  changed_filings: z.array(z.record(z.string(), z.unknown())),
  companyfacts_zip_exists: z.boolean(),
  summary_exists: z.boolean(),
});

/** DeltaWindow (I2.30, I3.21). */
export const deltaWindow = z.object({
  date_from: date.nullable(),
  date_to: date.nullable(),
  source: z.string(),
  status: z.enum(e.deltaWindowStatuses),
  totals: z.object({ change_blob_count: count, changed_filing_count: count, day_count: count }),
  days: z.array(deltaDay),
});

export type EvidenceRef = z.infer<typeof evidenceRef>;
export type ChangedCompany = z.infer<typeof changedCompany>;
export type AlphaChangeLeader = z.infer<typeof alphaChangeLeader>;
export type StressChangeLeader = z.infer<typeof stressChangeLeader>;
export type RiskTierMove = z.infer<typeof riskTierMove>;
export type CompanyfactsActivity = z.infer<typeof companyfactsActivity>;
export type DeltaDay = z.infer<typeof deltaDay>;

/** Days of a window of daily changes, both ends included: the most, and without bounds (I3.21). */
export const deltaWindowDays = { most: 31, byDefault: 7 } as const;
