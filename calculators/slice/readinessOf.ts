import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { MarketRegime } from '../../data/contract/values/enums.ts';
import type { Filing } from '../filing/rows.ts';
import { dailyChange } from '../prices/dailyChange.ts';
import type { SliceContext } from './sliceContext.ts';
import { stressAggregates } from './stressAggregates.ts';
import { type SliceMembership, timeWindows } from './timeWindows.ts';
import type { TowerState } from './towerState.ts';

/** The stored part of the readiness answer: counts, aggregates, windows of one slice (I2.46, M5.14, M5.15). */
export function readinessOf({
  rows,
  filings,
  history,
  context,
  regime,
  tower,
}: {
  rows: readonly CovenantStress[];
  filings: readonly Filing[];
  history: readonly SliceMembership[];
  context: SliceContext;
  regime: MarketRegime | null;
  tower: TowerState;
}): ReadinessArtifact {
  const { parameters, prices, sourceDate } = context;
  const bitcoin = { asset: 'BTC', date: sourceDate, prices, parameters };
  const slices = [
    ...history.filter((slice) => slice.sourceDate !== sourceDate),
    { sourceDate, ciks: rows.map((row) => row.cik) },
  ];
  return {
    source_date: sourceDate,
    filing_source_date: last(filings.map((filing) => filing.filed)),
    latest_computed_at_utc: context.asOf,
    freshness_window_hours: parameters.freshnessWindowHours,
    row_count: rows.length,
    distinct_issuer_count: new Set(rows.map((row) => row.cik)).size,
    ...provenanceCounts(rows),
    ...livePrices(rows),
    btc_24h_change_pct: dailyChange(bitcoin, 1),
    btc_7d_change_pct: dailyChange(bitcoin, 7),
    market_regime: regime,
    ...stressAggregates(rows, parameters),
    tower_version: parameters.tower.version,
    tower_scope: 'core_tier_tower_resolved_nonzero',
    tower_status: tower.status,
    tower_coherence: tower.coherence,
    tower_thresholds: parameters.tower,
    time_windows: timeWindows(slices, sourceDate),
  };
}

function provenanceCounts(rows: readonly CovenantStress[]) {
  const count = <K extends keyof CovenantStress>(member: K, value: CovenantStress[K]) =>
    rows.filter((row) => row[member] === value).length;
  return {
    linkbase_backed_count: count('is_linkbase_backed', true),
    resolved_nonzero_count: count('debt_coverage_status', 'resolved_nonzero'),
    legitimate_zero_debt_count: count('debt_coverage_status', 'legitimate_zero_debt'),
    low_confidence_missing_debt_count: count('debt_coverage_status', 'low_confidence_missing_debt'),
    resolved_zero_count: count('debt_coverage_status', 'resolved_zero'),
    linkbase_rollup_count: count('data_source', 'linkbase_rollup'),
    linkbase_rooted_facts_count: count('data_source', 'linkbase_rooted_facts'),
    direct_facts_fallback_count: count('data_source', 'direct_facts_fallback'),
    high_quality_count: count('quality_flag', 'High'),
    medium_quality_count: count('quality_flag', 'Medium'),
    low_quality_count: count('quality_flag', 'Low'),
  };
}

function livePrices(rows: readonly CovenantStress[]) {
  const live = rows.filter((row) => row.uses_live_prices === true);
  const sources = live.flatMap((row) => row.price_source?.split(',') ?? []);
  return {
    live_prices_active: live.length > 0,
    live_price_source: sources.length === 0 ? null : [...new Set(sources)].sort(compareText).join(','),
    live_price_last_updated: last(live.map((row) => row.price_last_updated ?? '').filter((at) => at !== '')),
    live_price_coverage_count: live.length,
  };
}

function last(texts: readonly string[]): string | null {
  return texts.reduce<string | null>(
    (latest, text) => (latest === null || text > latest ? text : latest),
    null,
  );
}
