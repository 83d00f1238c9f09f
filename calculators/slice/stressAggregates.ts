import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';
import { divide, exactly, type Fraction, published, sumOfDecimals } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { isJudged } from './judgedRow.ts';
import { stressBasis } from './stressBasis.ts';
import { towerMembers } from './towerState.ts';

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
export function stressAggregates(rows: readonly CovenantStress[], { tower }: Parameters): Aggregates {
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
