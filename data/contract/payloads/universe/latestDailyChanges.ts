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
  name: 'LatestDailyChanges',
  schema,
  example: {
    request_key: 'latest_daily_changes',
    source_date: '2026-01-14',
    computed_at_utc: '2026-01-14T07:12:40Z',
    stats: {
      changed_files: 109,
      new_files: 1,
      removed_files: 0,
      total_facts: 5081,
      total_delta_size: 7678466,
      changed_company_count: 109,
      new_company_count: 1,
      digital_assets_company_count: 7,
      crypto_company_count: 4,
    },
    universe_stats: { company_count: 4, new_company_count: 0, other_company_count: 106 },
    classification_summary: {
      changed_company_count: 109,
      new_company_count: 1,
      changed_crypto_count: 4,
      changed_pre_ipo_count: 2,
      changed_digital_assets_count: 7,
      new_crypto_count: 0,
      new_pre_ipo_count: 1,
      new_digital_assets_count: 0,
      available_classifications: ['crypto', 'digital_assets', 'pre_ipo'],
      issuer_classes: {
        changed: {
          crypto_treasury: 3,
          miner: 1,
        },
        new: {
          pre_ipo: 1,
        },
      },
    },
    changed_companies: [
      {
        cik: '0001829311',
        entity_name: 'Bitmine Immersion Technologies, Inc.',
        ticker: 'BMNR',
        issuer_class: 'crypto_treasury',
        delta_size: 182,
        fact_changes: 61,
        raw_tag_count: 182,
        has_crypto_assets: true,
        is_crypto: true,
        evidence_available: true,
        evidence_ref: {
          tool: 'intel_daily_change_evidence',
          route: 'GET /v1/daily-changes/evidence',
          args: {
            ticker: 'BMNR',
            source_date: '2026-01-14',
            limit: 100,
            offset: 0,
          },
        },
      },
    ],
    new_companies: [],
    changed_companies_page: {
      limit: 50,
      offset: 0,
      count: 1,
      total: 1,
      has_more: false,
    },
    daily_change_selector_status: 'published_snapshot',
    snapshot_status: 'published',
    companyfacts_delta_window: {
      date_from: '2026-01-08',
      date_to: '2026-01-14',
      source: 'companyfacts_daily',
      status: 'complete',
      totals: {
        change_blob_count: 174,
        changed_filing_count: 174,
        day_count: 7,
      },
      days: [],
    },
  },
  excerpt: ['source_date', 'stats.changed_company_count', 'stats.total_facts'],
  meanings: {
    stats: 'Counts of the night.',
    changed_files: 'Files of the archive whose content changed.',
    new_files: 'Files the archive did not have before.',
    removed_files: 'Files the archive no longer has.',
    total_facts: 'Facts of the archive.',
    universe_stats:
      'Companies of the shown delta, those of the universe apart; stats counts the whole archive.',
    'universe_stats.company_count':
      'Companies of the universe whose filed facts changed, new ones among them.',
    'universe_stats.new_company_count': 'Companies of the universe whose file is new.',
    'universe_stats.other_company_count': 'Companies outside the universe whose filed facts changed.',
    changed_company_count: 'Companies of the shown delta whose file was there before.',
    new_company_count: 'Companies of the shown delta whose file is new.',
    digital_assets_company_count: 'Changed companies with digital assets.',
    crypto_company_count: 'Changed companies with crypto assets.',
    total_delta_size: 'Changed fact rows, in the unit delta_basis states.',
    fallback_row_count: 'Rows taken from an earlier night.',
    classification_summary: 'Changed and new companies by class.',
    changed_crypto_count: 'Changed companies that hold crypto.',
    changed_pre_ipo_count: 'Changed companies before a listing.',
    changed_digital_assets_count: 'Changed companies with digital assets.',
    new_crypto_count: 'New companies that hold crypto.',
    new_pre_ipo_count: 'New companies before a listing.',
    new_digital_assets_count: 'New companies with digital assets.',
    available_classifications: 'Every class that companies are counted by, whether one occurs or not.',
    issuer_classes: 'Counts by issuer class.',
    changed: 'Changed companies by issuer class.',
    new: 'New companies by issuer class.',
    alpha_change_leaders: 'Largest changes of alpha_score.',
    stress_change_leaders: 'Largest changes of stress_50pct.',
    risk_tier_moves: 'Issuers whose risk tier differs from the slice before.',
    prior_value: 'Value in the slice before.',
    new_value: 'Value in this slice.',
    delta: 'New value minus prior value.',
    field: 'Name of the changed figure.',
    prior_tier: 'Risk tier in the slice before.',
    new_tier: 'Risk tier in this slice.',
    direction:
      'up is to a worse tier, down to a better one; null into or out of UNCLASSIFIED, which is neither.',
    evidence_refs: 'Calls that show the evidence of the rows.',
    movement_summary: 'Counts of moves between tiers and values.',
    freshness_summary: 'Dates the payload was built from.',
    daily_activity_note: 'What the archive shows of the day, in words.',
    daily_activity_selector_basis: 'What the activity was selected by.',
    daily_activity_selector_status: 'Whether activity of the archive is available.',
    daily_change_selector_basis: 'What the shown delta was selected by.',
    daily_change_selector_status: 'Which delta is shown: of this night or an earlier one.',
    delta_basis: 'Unit of the delta sizes.',
    fallback_reason: 'Why an earlier delta is shown.',
    freshness_note: 'How old the shown delta is, in words.',
    comparison_source_date: 'Slice the shown one is compared with.',
    latest_activity_source_date: 'Newest night with any activity.',
    latest_companyfacts_delta_source_date: 'Newest night with a delta of company facts.',
    latest_companyfacts_digital_assets_source_date: 'Newest night with a delta of digital assets.',
    latest_companyfacts_summary_source_date: 'Newest night with a summary.',
    latest_companyfacts_zip_source_date: 'Newest night with an archive.',
    latest_computed_source_date: 'Newest computed slice.',
    meaningful_tracked_crypto_delta_source_date: 'Newest night whose delta passed the gate.',
    snapshot_status: 'What the shown delta is.',
    companyfacts_activity: 'What the scan of the archive saw.',
    activity_basis: 'What the activity was counted over.',
    selector_status: 'Which activity was selected.',
    subscriber_signal: 'facts_changed, files_changed (files, but no fact of a tracked company) or quiet.',
    changed_cik_count: 'Registrants of the archive with a change.',
    changed_file_count: 'Files of the archive with a change.',
    companies_with_crypto_changes: 'Registrants with a change of a crypto fact.',
    companies_with_digital_changes: 'Registrants with a change of a digital-asset fact.',
    crypto_changed_company_count:
      'Tracked companies with any change that count as holding crypto; companies_with_crypto_changes counts changed crypto facts.',
    digital_assets_changed_company_count: 'Tracked companies with a change of a digital-asset fact.',
    total_companies_scanned: 'Registrants the scan read.',
    crypto_changed_companies: 'Companies with a change of a crypto fact.',
    scan_date: 'Day of the scan.',
    target_date: 'Day the scan was made for.',
    changed_companies: 'Companies with a change, largest delta first.',
    new_companies: 'Companies seen for the first time, largest delta first.',
    exchange: 'Exchange of the listing.',
    company_type: 'Kind of company as the registrant states it.',
    market_value: 'Not sent: no input states the market value of a registrant.',
    tags: 'Not sent: the evidence route has the raw lines.',
    pre_ipo_reason: 'What speaks for a coming listing.',
    issuer_class: 'Class of the issuer; first rule that fits.',
    pre_ipo_likelihood: 'Likelihood of a coming listing.',
    classifications: 'Every class that fits.',
    delta_size: 'Changed fact rows of the company.',
    fact_changes: 'Facts that were added, removed or given another value.',
    has_crypto_assets: 'True when a crypto fact was filed.',
    has_digital_assets: 'True when a digital-asset fact was filed.',
    is_crypto: 'True when the company counts as holding crypto.',
    is_pre_ipo: 'True when the company counts as before a listing.',
    changed_companies_page: 'Page of changed_companies.',
    new_companies_page: 'Page of new_companies.',
    companyfacts_delta_window: 'What the scans of a window of days saw.',
    totals: 'Sums over the days.',
    change_blob_count: 'Stored change documents.',
    changed_filing_count: 'Filings with a change.',
    day_count: 'Days of the window, with a scan or without; 0 where status says that no window was used.',
    days: 'One entry a day, ascending.',
    change_blobs: 'Names of the change documents.',
    changed_filings: 'Filings with a change.',
    companyfacts_zip_exists: 'True when the archive of the day is stored.',
    summary_exists: 'True when the summary of the day is stored.',
    mcp_compaction_note: 'What a tool result left out.',
    mcp_payload_mode: 'Form of the payload inside a tool result.',
    '$.source_date': 'Date of the shown delta; may be older than the slice.',
    'companyfacts_delta_window.status':
      'Whether the window is complete, and what is wrong with it otherwise.',
  },
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
