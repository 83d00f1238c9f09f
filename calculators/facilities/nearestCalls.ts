import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../data/contract/payloads/issuer/facility.ts';
import { compareText } from '../../data/contract/values/compareText.ts';

/** A loan with a call price, and whose it is. */
export type NearestCall = CovenantFacility & { readonly ticker: string };

/**
 * Loans whose coins are nearest to the price at which the lender calls, the one with the least room first; what happened
 * after a period end is not compared (M16.8, M16.9).
 */
export function nearestCalls(rows: readonly CovenantStress[], most: number): NearestCall[] {
  const loans = rows.flatMap(({ ticker, facilities = [] }) => facilities.map((one) => ({ ...one, ticker })));
  const room = (one: NearestCall) => one.live_price_fall_to_call ?? 1;
  return loans
    .filter((one) => !one.is_subsequent && one.live_price_fall_to_call !== null)
    .toSorted((a, b) => room(a) - room(b) || compareText(a.ticker, b.ticker))
    .slice(0, most);
}
