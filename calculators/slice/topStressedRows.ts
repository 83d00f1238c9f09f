import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { TopStressedRow } from '../../data/contract/payloads/universe/topStressed.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { exactly, published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { chargeLevel, covenantHeadroom } from '../stress/stressRatio.ts';
import { ageOfRow } from './filingAge.ts';
import { stressBasis } from './stressBasis.ts';
import { isJudged } from './towerState.ts';

/** Ranks every judged issuer: sort value descending, ecs_z ascending, ticker ascending (I2.49, M4.2). */
export function topStressedRows(rows: readonly CovenantStress[], parameters: Parameters): TopStressedRow[] {
  return rows
    .filter(isJudged)
    .toSorted(byStress)
    .map((row, i) => topStressedRow(row, { rank: i + 1, parameters }));
}

function topStressedRow(
  row: CovenantStress,
  { rank, parameters }: { rank: number; parameters: Parameters },
): TopStressedRow {
  const { core_tier, period, resonance_status } = row;
  if (core_tier === undefined || period === undefined || resonance_status === undefined) {
    throw new RangeError(`a judged row lacks its tier or period: CIK ${row.cik}`);
  }
  const { covenant_headroom_50pct, charge_level } = covenantOf(row, parameters);
  return {
    rank,
    ticker: row.ticker,
    cik: row.cik,
    ...(row.entity_name === undefined ? {} : { entity_name: row.entity_name }),
    source_date: row.source_date,
    period,
    ...ageOfRow(row),
    sort_basis: stressBasis(row).basis,
    stress_50pct: row.stress_50pct,
    covenant_headroom_50pct,
    risk_tier: row.risk_tier,
    core_tier,
    charge_level,
    resonance_status,
    is_linkbase_backed: row.is_linkbase_backed,
    quality_flag: row.quality_flag,
    data_source: row.data_source,
    calculation_arc_count: row.calculation_arc_count,
    debt_coverage_status: row.debt_coverage_status,
    st_z: row.st_z ?? null,
    mp_z: row.mp_z ?? null,
    ecs_z: row.ecs_z ?? null,
    live_ecs_z: row.live_ecs_z ?? null,
    live_mp_z: row.live_mp_z ?? null,
    live_st_z: row.live_st_z ?? null,
    live_stress_50pct: row.live_stress_50pct ?? null,
    live_covenant_headroom_50pct: row.live_covenant_headroom_50pct ?? null,
    live_stress_delta_24h: row.live_stress_delta_24h ?? null,
    live_stress_delta_7d: row.live_stress_delta_7d ?? null,
    live_risk_tier: row.live_risk_tier ?? null,
    live_charge_level: row.live_charge_level ?? null,
    live_resonance_status: row.live_resonance_status ?? null,
    stress_velocity: row.stress_velocity ?? null,
    market_regime: row.market_regime ?? null,
    btc_24h_change_pct: row.btc_24h_change_pct ?? null,
    btc_7d_change_pct: row.btc_7d_change_pct ?? null,
    uses_live_prices: row.uses_live_prices ?? false,
    price_source: row.price_source ?? null,
    price_last_updated: row.price_last_updated ?? null,
  };
}

/**
 * Headroom and charge of a row. Of coins at cost they follow from the published ratio, an upper bound that is LOW:
 * headroom is at least this, and the charge level is Low (M3.10b).
 */
function covenantOf(row: CovenantStress, parameters: Parameters) {
  const { stress_50pct: stress50, covenant_headroom_50pct: headroom, charge_level: charge } = row;
  return {
    covenant_headroom_50pct: headroom ?? published(covenantHeadroom(exactly(stress50), parameters), 6),
    charge_level: charge ?? chargeLevel(stress50, parameters),
  };
}

/** What an unknown ecs_z counts as in the order of M4.2. */
const unknownCushion = -3.5;

/**
 * Orders rows from the most stressed: sort value descending, ecs_z of the same basis ascending, ticker ascending
 * (I2.49, M4.2); total, since no two issuers share a CIK.
 */
export function byStress(a: CovenantStress, b: CovenantStress): number {
  return (
    stressBasis(b).stress50 - stressBasis(a).stress50 ||
    cushionOf(a) - cushionOf(b) ||
    compareText(a.ticker, b.ticker) ||
    compareText(a.cik, b.cik)
  );
}

function cushionOf(row: CovenantStress): number {
  return (stressBasis(row).basis === 'live' ? row.live_ecs_z : row.ecs_z) ?? unknownCushion;
}
