import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import {
  topStressedRow as schema,
  type TopStressedRow,
} from '../../data/contract/payloads/universe/topStressed.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { exactly, published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { chargeLevel, covenantHeadroom } from '../stress/stressRatio.ts';
import { listRow } from './filingAge.ts';
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
  if (row.core_tier === undefined || row.period === undefined || row.resonance_status === undefined) {
    throw new RangeError(`a judged row lacks its tier or period: CIK ${row.cik}`);
  }
  return listRow(schema, row, {
    ...covenantOf(row, parameters),
    rank,
    sort_basis: stressBasis(row).basis,
    uses_live_prices: row.uses_live_prices ?? false,
  });
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
