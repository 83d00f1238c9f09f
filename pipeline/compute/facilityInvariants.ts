import type { CovenantStress } from '../../contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../contract/payloads/issuer/facility.ts';

/**
 * The laws of published facilities (M15.66, M15.70, M15.71), evaluated on the published values.
 *
 * @returns one sentence per violation, each with the rule's number; empty when all hold
 */
export function facilityViolations({ ticker, source_date: day, facilities = [] }: CovenantStress): string[] {
  const found = facilities.flatMap((facility) =>
    violationsOf(facility, day).map((broken) => `${ticker}: ${broken} (${facility.facility_id})`),
  );
  const own = new Set(refsOf(facilities.filter((facility) => !facility.is_subsequent)));
  const shared = refsOf(facilities.filter((facility) => facility.is_subsequent)).find((ref) => own.has(ref));
  return [
    ...found,
    ...(shared === undefined
      ? []
      : [`${ticker}: M15.70 a fact after the period end is in a row of the period`]),
  ];
}

function violationsOf(facility: CovenantFacility, day: string): string[] {
  const { margin_call_price: call, trigger_ltv: trigger, collateral_units: units, live_ltv: live } = facility;
  const drawn = facility.drawn === null ? null : Number(facility.drawn);
  const broken: string[] = [];
  if (call !== null) {
    if (trigger === null || units === null || drawn === null)
      broken.push('M15.66 a call price without amount, coins or trigger');
    // the price is rounded to a cent a coin
    else if (Math.abs(call * trigger * units - drawn) > 0.01 * trigger * units)
      broken.push('M15.66 call price, trigger and coins do not make the amount');
  }
  const fall = facility.live_price_fall_to_call;
  const isNear = live !== null && trigger !== null && Math.abs(live - trigger) < 1e-5;
  if (fall !== null && live !== null && trigger !== null && !isNear && fall > 0 !== live < trigger)
    broken.push('M15.66 the fall to the call and the loan-to-value disagree');
  if (facility.price_date !== null && facility.price_date > day)
    broken.push('M15.71 a close after the day of the slice');
  return broken;
}

function refsOf(facilities: readonly CovenantFacility[]): string[] {
  return facilities.flatMap(({ fact_refs: refs }) => refs.map((ref) => JSON.stringify(ref)));
}
