import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { count, date, datetime, int, pageMeta } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object, rows } from '../stored.ts';
import {
  alphaChangeLeader,
  changedCompany,
  companyfactsActivity,
  deltaDay,
  deltaWindow,
  evidenceRef,
  riskTierMove,
  stressChangeLeader,
} from './dailyChanges.ts';
import example from './latestDailyChanges.example.json' with { type: 'json' };

const note = z.string().optional();
const knownDate = date.optional();

/**
 * The stored part of LatestDailyChangesResponse: everything but the two lists, their pages and the window, which
 * are views (I4.R02.2).
 */
const dailyChangesArtifact = z.object({
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
  /** Absent in slices of older builds. */
  universe_stats: z
    .object({ company_count: count, new_company_count: count, other_company_count: count })
    .optional(),
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
const schema = dailyChangesArtifact.extend({
  changed_companies: z.array(changedCompany),
  new_companies: z.array(changedCompany),
  changed_companies_page: pageMeta.optional(),
  new_companies_page: pageMeta.optional(),
  companyfacts_delta_window: deltaWindow.optional(),
  mcp_compaction_note: note,
  mcp_payload_mode: z.literal('monitoring').optional(),
});

export type DailyChangesArtifact = z.infer<typeof dailyChangesArtifact>;

export const latestDailyChanges = payload({
  id: 'latest_daily_changes.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['source_date', 'stats.changed_company_count', 'stats.total_facts'],
  stored: {
    object: object({
      subject: 'none',
      schema: dailyChangesArtifact,
      key: ({ slice }) => `daily-changes/${slice}.json`,
    }),
    /** The rows of both lists, each list ordered by delta_size desc, cik asc (I2.22). */
    rows: rows({
      name: ({ slice }) => `daily-changes/${slice}`,
      row: changedCompany,
      /** The days of `days` in this release, ascending, and what the totals of a window need. */
      meta: z.strictObject({
        /** `source_date` of the answer: `delta_source_date` of the release (I3.27). */
        source_date: date,
        window_source: z.string(),
        window_days: z.array(date),
        window_change_blob_counts: z.array(count),
        window_changed_filing_counts: z.array(count),
        /** True for a day that has its archive and its summary (I3.21). */
        window_complete: z.array(z.boolean()),
      }),
      beside: z.strictObject({ list: z.enum(['changed', 'new']) }),
      columns: {
        cik: (row) => row.cik,
        list: (_, beside) => beside.list,
      },
    }),
    /** What one scan saw; read as a part of windows alone. */
    days: object({
      subject: 'none',
      schema: deltaDay,
      key: ({ day }: { readonly day: string }) => `daily-window/${day}.json`,
      coded: false,
    }),
  },
});

/** Companies of a delta, those of the universe apart from the rest of the archive (M6.13). */
export type UniverseStats = NonNullable<DailyChangesArtifact['universe_stats']>;

/** The counts that briefs tell; of a delta of an older build, which does not tell them apart, all its companies. */
export function toldChanges({ stats, universe_stats }: DailyChangesArtifact): UniverseStats {
  if (universe_stats !== undefined) return universe_stats;
  const { changed_company_count: changed, new_company_count: added } = stats;
  return { company_count: changed + added, new_company_count: added, other_company_count: 0 };
}
