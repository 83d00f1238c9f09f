import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { stressBasis } from './stressBasis.ts';

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
