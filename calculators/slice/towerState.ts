import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { TowerStatus, Velocity } from '../../data/contract/values/enums.ts';
import { published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Whether the stress of the well-measured indebted issuers moves together (M5.13). */
export type TowerState = {
  readonly status: TowerStatus;
  /** Share of the members in the modal direction, 4 decimals; null with too few members. */
  readonly coherence: number | null;
  readonly modal: Velocity | null;
};

/** Members of the tower set: core tier Tower, debt above zero, judged (M5.13). */
export function towerMembers(rows: readonly CovenantStress[]): CovenantStress[] {
  return rows.filter(
    (row) => row.core_tier === 'Tower' && row.debt_coverage_status === 'resolved_nonzero' && isJudged(row),
  );
}

/** Reads the tower from the seven-day directions of its members; unknown ones do not count (M5.13). */
export function towerState(directions: readonly (Velocity | null)[], { tower }: Parameters): TowerState {
  const known = directions.filter((direction) => direction !== null);
  if (known.length < tower.min_issuers) return { status: 'insufficient_data', coherence: null, modal: null };
  const counted = tower.tie_order.map((direction) => ({
    direction,
    count: known.filter((other) => other === direction).length,
  }));
  // the sort is stable: of equal counts the first of the tie order, the worse direction, stays first
  const [modal] = counted.toSorted((a, b) => b.count - a.count);
  if (modal === undefined) return { status: 'insufficient_data', coherence: null, modal: null };
  const coherence = published({ numerator: BigInt(modal.count), denominator: BigInt(known.length) }, 4);
  return { status: statusOf(coherence, tower), coherence, modal: modal.direction };
}

function statusOf(coherence: number, tower: Parameters['tower']): TowerStatus {
  if (coherence >= tower.synchronized_min) return 'synchronized';
  return coherence >= tower.building_min ? 'building' : 'isolated';
}

type Judged = Pick<
  CovenantStress,
  'total_crypto_fair_value' | 'debt_coverage_status' | 'figures_basis' | 'treasury_relevance' | 'risk_tier'
>;

/**
 * True for a row that may be ranked, averaged and compared with others: proven figures, coins that matter to the
 * issuer, a tier (M3.27).
 */
export function isJudged(row: Judged): boolean {
  const { treasury_relevance: relevance } = row;
  return (
    isStressPresent(row) &&
    (relevance === 'core' || relevance === 'material') &&
    row.risk_tier !== 'UNCLASSIFIED'
  );
}

/** Stress present: proven figures and coins above zero; a saturated cap is a sentinel, no measurement (M3.3). */
function isStressPresent(row: Judged): boolean {
  const crypto = row.total_crypto_fair_value;
  const isPositive = typeof crypto === 'number' ? crypto > 0 : crypto.sign > 0;
  return row.figures_basis === 'resolved' && isPositive;
}
