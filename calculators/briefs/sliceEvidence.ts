import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { TopStressedRow } from '../../data/contract/payloads/universe/topStressed.ts';
import { type RiskTier, riskTiers } from '../../data/contract/values/enums.ts';
import { tierDirection } from '../../data/contract/values/tierMove.ts';
import { type NearestCall, nearestCalls } from '../facilities/facilityRow.ts';
import { codeOf } from './briefCaveats.ts';
import { type BriefSources, moneyText, scalesOf } from './briefEvidence.ts';

const shownCalls = 3;

/** What both briefs on a whole slice say of it: how fresh and how complete it is. */
export function readinessEvidence({
  readiness,
  sliceStatus,
  universeCount,
}: Pick<BriefSources, 'readiness' | 'sliceStatus' | 'universeCount'>) {
  return {
    slice_status: sliceStatus,
    computed_at_utc: readiness.latest_computed_at_utc,
    filing_source_date: readiness.filing_source_date ?? null,
    universe_count: universeCount,
    row_count: readiness.row_count,
    resolved_nonzero_count: readiness.resolved_nonzero_count,
    zero_debt_count: readiness.legitimate_zero_debt_count + readiness.resolved_zero_count,
    low_confidence_missing_debt_count: readiness.low_confidence_missing_debt_count,
    live_price_coverage_count: readiness.live_price_coverage_count ?? 0,
    live_price_source: readiness.live_price_source ?? null,
    live_price_last_updated: readiness.live_price_last_updated ?? null,
    btc_24h_change_pct: readiness.btc_24h_change_pct ?? null,
    btc_7d_change_pct: readiness.btc_7d_change_pct ?? null,
    market_regime: readiness.market_regime ?? null,
    avg_live_stress_50pct: readiness.avg_live_stress_50pct ?? null,
    high_stress_ratio: readiness.high_stress_ratio ?? null,
    high_stress_min: readiness.tower_thresholds.high_stress_min,
    tower_status: readiness.tower_status,
    tower_coherence: readiness.tower_coherence ?? null,
  };
}

/** The first rows of the stress ranking with the filing each rests on. */
export function stressRows(
  { topStressed, covenantRows }: Pick<BriefSources, 'topStressed' | 'covenantRows'>,
  limit: number,
) {
  const byCik = new Map(covenantRows.map((row) => [row.cik, row]));
  return topStressed.slice(0, limit).map((row) => stressRow(row, byCik.get(row.cik ?? '') ?? null));
}

function stressRow(row: TopStressedRow, filed: CovenantStress | null) {
  return {
    rank: row.rank,
    ticker: row.ticker,
    period: row.period,
    filing_form: filed?.filing_form ?? null,
    accession_number: filed?.accession_number ?? null,
    filing_url: filed?.filing_url ?? null,
    old_filing_days: filed === null ? null : oldFilingDays(filed),
    total_long_term_debt: moneyText(filed?.total_long_term_debt),
    total_crypto_fair_value: moneyText(filed?.total_crypto_fair_value),
    live_total_crypto_fair_value: moneyText(filed?.live_total_crypto_fair_value),
    sort_basis: row.sort_basis ?? 'filing',
    stress_50pct: row.stress_50pct,
    covenant_headroom_50pct: row.covenant_headroom_50pct,
    risk_tier: row.risk_tier,
    live_stress_50pct: row.live_stress_50pct ?? null,
    live_covenant_headroom_50pct: row.live_covenant_headroom_50pct ?? null,
    live_risk_tier: row.live_risk_tier ?? null,
    live_stress_delta_24h: row.live_stress_delta_24h ?? null,
    live_stress_delta_7d: row.live_stress_delta_7d ?? null,
    stress_velocity: row.stress_velocity ?? null,
    quality_flag: row.quality_flag,
  };
}

/** Age of a balance sheet whose row says that it is old (M1.60); null of any other. */
function oldFilingDays({
  filing_age_days: days,
  data_quality_notes: notes = [],
}: CovenantStress): number | null {
  return notes.some((note) => codeOf(note) === 'filing_age') ? (days ?? null) : null;
}

export type StressRow = ReturnType<typeof stressRow>;

/** What the ranked issuers have in common, counted over all of them. */
export function patternEvidence(rows: readonly TopStressedRow[]) {
  const count = (keep: (row: TopStressedRow) => boolean) => rows.filter(keep).length;
  return {
    ranked_count: rows.length,
    live_count: count(({ sort_basis }) => sort_basis === 'live'),
    debt_above_shocked_coins_count: count(
      ({ live_stress_50pct: live, stress_50pct: filed }) => (live ?? filed) >= 1,
    ),
    debt_free_count: count(({ debt_coverage_status: coverage }) => coverage !== 'resolved_nonzero'),
    worse_live_count: count((row) => liveMove(row) === 'up'),
    better_live_count: count((row) => liveMove(row) === 'down'),
    rising_count: count(({ stress_velocity }) => stress_velocity === 'rising'),
    falling_count: count(({ stress_velocity }) => stress_velocity === 'falling'),
  };
}

/** Where live closes move the tier of the filing; null where they do not, or either is outside the scale. */
function liveMove({ risk_tier: filed, live_risk_tier: live }: TopStressedRow): 'up' | 'down' | null {
  return live == null ? null : tierDirection(filed, live);
}

/** Counts and shares of the tiers, worst first. */
export function tierEvidence({ filing, live }: BriefSources['riskDistribution']) {
  const of = (counted: typeof filing) =>
    Object.fromEntries(riskTiers.map((tier) => [tier, counted[tier]])) as Record<
      RiskTier,
      { count: number; percentage: number }
    >;
  return { total: filing.meta.total, filing: of(filing), live: of(live) };
}

/** The loans of the slice that are nearest to a call. */
export const callEvidence = (rows: readonly CovenantStress[]) => nearestCalls(rows, shownCalls).map(callRow);

function callRow(call: NearestCall) {
  return {
    ticker: call.ticker,
    name: call.name,
    collateral_asset: call.collateral_asset,
    margin_call_price: call.margin_call_price,
    live_price_fall_to_call: call.live_price_fall_to_call,
    live_ltv: call.live_ltv,
    trigger_ltv: call.trigger_ltv,
    price_date: call.price_date,
    as_of: call.as_of,
  };
}

export type CallRow = ReturnType<typeof callRow>;

/** Caveats of a whole slice, those of its own state last. */
export function sliceCaveats({ sliceStatus, readiness, excludedUnclassified }: BriefSources): string[] {
  const missing = readiness.row_count - (readiness.live_price_coverage_count ?? 0);
  return [
    'enterprise_level_leverage',
    ...(sliceStatus === 'partial' ? ['partial_slice'] : []),
    ...(excludedUnclassified > 0 ? ['unproven_rows'] : []),
    ...(missing > 0 ? ['live_overlay_missing'] : []),
    ...(readiness.market_regime == null ? ['regime_unavailable'] : []),
  ];
}

/** The compact evidence of a top-stressed brief with `limit` rows (I2.39, I4.R26.2). */
export function topStressedEvidence(sources: BriefSources, limit: number) {
  return {
    brief: 'top_stressed' as const,
    source_date: sources.sourceDate,
    limit,
    ...scalesOf(sources.parameters),
    readiness: readinessEvidence(sources),
    top_stressed: stressRows(sources, limit),
    excluded_unclassified: sources.excludedUnclassified,
    pattern: patternEvidence(sources.topStressed),
    margin_calls: callEvidence(sources.covenantRows),
    caveats: sliceCaveats(sources),
  };
}

export type TopStressedEvidence = ReturnType<typeof topStressedEvidence>;
