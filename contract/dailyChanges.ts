import { z } from 'zod';
import * as e from './enums.ts';
import { cik10, count, date, datetime, int, ticker } from './primitives.ts';

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
  direction: z.enum(['up', 'down']),
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

/** DeltaDay: what one scan saw (I2.30); stored as `daily-window/{day}.json`. */
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

const pageMeta = z.object({
  limit: count,
  offset: count,
  count,
  total: count,
  has_more: z.boolean(),
  next_offset: count.optional(),
});

const note = z.string().optional();
const knownDate = date.optional();

/**
 * The stored part of LatestDailyChangesResponse: everything but the two lists, their pages and the window, which
 * are views (I4.R02.2).
 */
export const dailyChangesArtifact = z.object({
  request_key: z.literal('latest_daily_changes'),
  source_date: date,
  computed_at_utc: datetime,
  stats: z.object({
    changed_files: count,
    new_files: count,
    removed_files: count,
    total_facts: count,
    changed_company_count: count,
    new_company_count: count,
    digital_assets_company_count: count,
    crypto_company_count: count,
    total_delta_size: int,
    fallback_row_count: count.optional(),
  }),
  classification_summary: z.object({
    changed_company_count: count,
    new_company_count: count,
    changed_crypto_count: count,
    changed_pre_ipo_count: count,
    changed_digital_assets_count: count,
    new_crypto_count: count,
    new_pre_ipo_count: count,
    new_digital_assets_count: count,
    available_classifications: z.array(z.string()),
    issuer_classes: z.object({
      changed: z.record(z.string(), count),
      new: z.record(z.string(), count),
    }),
  }),
  alpha_change_leaders: z.array(alphaChangeLeader).optional(),
  stress_change_leaders: z.array(stressChangeLeader).optional(),
  risk_tier_moves: z.array(riskTierMove).optional(),
  evidence_refs: z.array(evidenceRef).optional(),
  movement_summary: z.record(z.string(), z.unknown()).optional(),
  freshness_summary: z.record(z.string(), z.unknown()).optional(),
  daily_activity_note: note,
  daily_activity_selector_basis: note,
  daily_change_selector_basis: note,
  delta_basis: note,
  fallback_reason: note,
  freshness_note: note,
  message: note,
  comparison_source_date: knownDate,
  latest_activity_source_date: knownDate,
  latest_companyfacts_delta_source_date: knownDate,
  latest_companyfacts_digital_assets_source_date: knownDate,
  latest_companyfacts_summary_source_date: knownDate,
  latest_companyfacts_zip_source_date: knownDate,
  latest_computed_source_date: knownDate,
  meaningful_tracked_crypto_delta_source_date: knownDate,
  daily_activity_selector_status: z.literal('current_companyfacts_activity_available').optional(),
  daily_change_selector_status: z.enum(e.dailyChangeSelectors).optional(),
  snapshot_status: z.enum(e.snapshotStatuses).optional(),
  companyfacts_activity: companyfactsActivity.optional(),
});

/** LatestDailyChangesResponse (I2.22, I2.23); the `mcp_` members are part of tool results only. */
export const latestDailyChanges = dailyChangesArtifact.extend({
  changed_companies: z.array(changedCompany),
  new_companies: z.array(changedCompany),
  changed_companies_page: pageMeta.optional(),
  new_companies_page: pageMeta.optional(),
  companyfacts_delta_window: deltaWindow.optional(),
  mcp_compaction_note: note,
  mcp_payload_mode: z.literal('monitoring').optional(),
});

export type EvidenceRef = z.infer<typeof evidenceRef>;
export type ChangedCompany = z.infer<typeof changedCompany>;
export type AlphaChangeLeader = z.infer<typeof alphaChangeLeader>;
export type StressChangeLeader = z.infer<typeof stressChangeLeader>;
export type RiskTierMove = z.infer<typeof riskTierMove>;
export type CompanyfactsActivity = z.infer<typeof companyfactsActivity>;
export type DeltaDay = z.infer<typeof deltaDay>;
export type DailyChangesArtifact = z.infer<typeof dailyChangesArtifact>;
