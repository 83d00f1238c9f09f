import {
  compare,
  distance,
  divide,
  exactly,
  type Fraction,
  published,
  subtract,
  sumOfDecimals,
  zero,
} from '../../calculators/exact/fraction.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { PeerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';

const clip = 3.5;
const resonanceFrom = 1;
const middle = exactly(50);
/** A percentile is rounded to two decimals, by at most half of the last; so is, all in one direction, their mean. */
const percentileRounding = exactly(0.005);

/** The laws of scores and motion one covenant row must satisfy on its own published values (METHODOLOGY 15). */
export function standingViolations(row: CovenantStress): string[] {
  const broken: string[] = [];
  const must = (holds: boolean, rule: string) => {
    if (!holds) broken.push(`${row.ticker}: ${rule}`);
  };
  const scores = [
    ...[row.ap_z, row.ecs_z, row.lsi_z, row.mp_z, row.st_z],
    ...[row.live_ap_z, row.live_ecs_z, row.live_lsi_z, row.live_mp_z, row.live_st_z],
  ];
  must(
    scores.every((z) => Math.abs(z ?? 0) <= clip),
    'M15.26 a z-score is beyond its clip',
  );
  const isNeutral = (mpZ: number | null | undefined) => Math.abs(mpZ ?? 0) < resonanceFrom;
  must(
    (row.resonance_status ?? 'Neutral') === 'Neutral' || !isNeutral(row.mp_z),
    'M15.28 resonance without market pressure',
  );
  must(
    (row.live_resonance_status ?? 'Neutral') === 'Neutral' || !isNeutral(row.live_mp_z),
    'M15.28 live resonance without market pressure',
  );
  const moved = row.live_stress_delta_7d ?? null;
  if (row.stress_velocity === 'rising') {
    must(moved !== null && moved >= 0, 'M15.30 stress rises without a seven-day change');
  }
  if (row.stress_velocity === 'falling') {
    must(moved !== null && moved <= 0, 'M15.30 stress falls without a seven-day change');
  }
  if (row.uses_live_prices !== true) {
    const live = Object.entries(row).filter(([member]) => member.startsWith('live_'));
    must(
      live.every(([, value]) => value === null),
      'I2.5 a live member without live prices',
    );
  }
  const adverse = (row.live_risk_tier_reasons ?? []).includes('adverse_resonance');
  must(!adverse || row.live_resonance_status === 'Aligned', 'M3.9 adverse resonance that is not Aligned');
  return broken;
}

/**
 * Ranks are 1…n by stress, percentiles mid-ranks of the same values (M15.34, M15.35): between 50/n and 100 − 50/n with
 * the mean 50, as far as two decimals can say.
 */
export function peerRankingViolations(rows: readonly PeerRanking[]): string[] {
  const broken: string[] = [];
  const n = rows.length;
  const isAround = (value: Fraction, reach: Fraction) =>
    compare(subtract(distance(value, middle), percentileRounding), reach) <= 0;
  rows.forEach((row, i) => {
    if (row.peer_rank !== i + 1 || row.peer_count !== n) {
      broken.push(
        `${row.ticker}: M15.34 rank ${row.peer_rank} of ${row.peer_count} at place ${i + 1} of ${n}`,
      );
    }
    if (!isAround(exactly(row.percentile), subtract(middle, divide(middle, exactly(n))))) {
      broken.push(`${row.ticker}: M15.35 percentile ${row.percentile}`);
    }
    const before = rows[i - 1];
    if (before === undefined) return;
    const [x, y] = [before.stressed_leverage_50pct, row.stressed_leverage_50pct];
    if (x < y) broken.push(`${row.ticker}: M15.34 more stress at a lower rank`);
    if (x === y ? before.percentile !== row.percentile : before.percentile > row.percentile) {
      broken.push(`${row.ticker}: M15.34 percentile and stress disagree`);
    }
  });
  if (n === 0) return broken;
  const mean = divide(sumOfDecimals(rows.map(({ percentile }) => percentile)), exactly(n));
  if (!isAround(mean, zero)) {
    broken.push(`peer ranking: M15.35 the mean percentile is ${published(mean, 4)}`);
  }
  return broken;
}

/** The tower and the averages of the slice agree with each other (M15.43, M15.44). */
export function towerViolations(readiness: ReadinessArtifact): string[] {
  const broken: string[] = [];
  const coherence = readiness.tower_coherence ?? null;
  if ((coherence === null) !== (readiness.tower_status === 'insufficient_data')) {
    broken.push('readiness: M15.43 tower status and coherence disagree');
  }
  // a third, rounded to the four published decimals
  if (coherence !== null && (coherence < 0.3333 || coherence > 1)) {
    broken.push(`readiness: M15.43 tower coherence ${coherence}`);
  }
  const { tower_high_stress_count, tower_resolved_nonzero_count, tower_linkbase_backed_count } = readiness;
  if (
    tower_high_stress_count > tower_resolved_nonzero_count ||
    tower_resolved_nonzero_count > tower_linkbase_backed_count
  ) {
    broken.push('readiness: M15.44 the tower counts are not nested');
  }
  const capped = readiness.avg_live_stress_50pct ?? null;
  const raw = readiness.raw_avg_live_stress_50pct ?? null;
  const high = readiness.high_stress_avg_live_stress_50pct ?? null;
  if (capped !== null && raw !== null && raw < capped) {
    broken.push('readiness: M15.44 the raw average is below the capped one');
  }
  if (high !== null && (high < readiness.tower_thresholds.high_stress_min || high < (raw ?? high))) {
    broken.push('readiness: M15.44 the high-stress average is too low');
  }
  return broken;
}
