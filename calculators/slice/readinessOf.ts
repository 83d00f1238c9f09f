import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { MarketRegime } from '../../data/contract/values/enums.ts';
import { addDays } from '../exact/civilDate.ts';
import { divide, exactly, type Fraction, published, sumOfDecimals } from '../exact/fraction.ts';
import type { Filing } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { dailyChange } from '../prices/priceBook.ts';
import type { SliceContext } from './assessIssuers.ts';
import { stressBasis } from './stressBasis.ts';
import { isJudged, type TowerState, towerMembers } from './towerState.ts';

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

type Aggregates = Pick<
  ReadinessArtifact,
  | 'avg_live_stress_50pct'
  | 'avg_live_stress_50pct_scope'
  | 'raw_avg_live_stress_50pct'
  | 'raw_avg_live_stress_50pct_scope'
  | 'high_stress_avg_live_stress_50pct'
  | 'high_stress_avg_live_stress_50pct_scope'
  | 'high_stress_ratio'
  | 'tower_resolved_nonzero_count'
  | 'tower_high_stress_count'
  | 'tower_linkbase_backed_count'
  | 'tower_stress_resonance'
  | 'tower_avg_mp_z'
>;

/** Averages and counts over the judged indebted issuers of a slice, live where live (M5.14); an empty set averages to null. */
function stressAggregates(rows: readonly CovenantStress[], { tower }: Parameters): Aggregates {
  const indebted = rows.filter((row) => row.debt_coverage_status === 'resolved_nonzero' && isJudged(row));
  const stressOf = (row: CovenantStress) => stressBasis(row).stress50;
  const isHigh = (row: CovenantStress) => stressOf(row) >= tower.high_stress_min;
  const highStress = indebted.filter(isHigh);
  const towers = towerMembers(rows);
  const pressures = towers.map((row) => stressBasis(row).mpZ).filter((mpZ) => mpZ !== null);
  const isAdverse = (row: CovenantStress) => {
    const { resonance, mpZ } = stressBasis(row);
    return resonance === 'Aligned' && mpZ !== null && mpZ >= tower.resonance_abs_m;
  };
  return {
    avg_live_stress_50pct: mean(
      indebted.map((row) => Math.min(1, stressOf(row))),
      6,
    ),
    avg_live_stress_50pct_scope: 'resolved_nonzero_all_capped_0_1',
    raw_avg_live_stress_50pct: mean(indebted.map(stressOf), 6),
    raw_avg_live_stress_50pct_scope: 'resolved_nonzero_all_raw_arithmetic_mean_outlier_sensitive',
    high_stress_avg_live_stress_50pct: mean(highStress.map(stressOf), 6),
    high_stress_avg_live_stress_50pct_scope: 'resolved_nonzero_high_stress_only',
    high_stress_ratio:
      indebted.length === 0 ? null : published(ofCounts(highStress.length, indebted.length), 4),
    tower_stress_resonance:
      towers.length === 0 ? null : published(ofCounts(towers.filter(isAdverse).length, towers.length), 4),
    tower_avg_mp_z: mean(pressures, 4),
    tower_resolved_nonzero_count: towers.length,
    tower_high_stress_count: towers.filter(isHigh).length,
    tower_linkbase_backed_count: rows.filter((row) => row.core_tier === 'Tower' && row.is_linkbase_backed)
      .length,
  };
}

function mean(values: readonly number[], digits: number): number | null {
  if (values.length === 0) return null;
  return published(divide(sumOfDecimals(values), exactly(values.length)), digits);
}

function ofCounts(part: number, whole: number): Fraction {
  return { numerator: BigInt(part), denominator: BigInt(whole) };
}

/** A slice and the issuers that have a row in it. */
export type SliceMembership = { readonly sourceDate: string; readonly ciks: readonly string[] };

/** Slices, rows and issuers of the last day, week (7 days) and month (30 days), ends included (I2.46). */
export function timeWindows(
  slices: readonly SliceMembership[],
  sourceDate: string,
): ReadinessArtifact['time_windows'] {
  return {
    latest_day: window('latest_day', 1),
    latest_week: window('latest_week', 7),
    latest_month: window('latest_month', 30),
  };

  function window<L extends string>(label: L, days: number) {
    const from = addDays(sourceDate, 1 - days);
    const inside = slices.filter((slice) => slice.sourceDate >= from && slice.sourceDate <= sourceDate);
    return {
      label,
      date_from: from,
      date_to: sourceDate,
      source_date_count: new Set(inside.map((slice) => slice.sourceDate)).size,
      row_count: inside.reduce((rows, slice) => rows + slice.ciks.length, 0),
      distinct_issuer_count: new Set(inside.flatMap((slice) => slice.ciks)).size,
    };
  }
}
