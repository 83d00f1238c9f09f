import {
  add,
  compare,
  distance,
  divide,
  exactly,
  type Fraction,
  multiply,
  one,
  subtract,
} from '../../calculators/exact/fraction.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../data/contract/payloads/issuer/facility.ts';

/** Call prices are rounded to two decimals, ratios to six, each by at most half of the last. */
const priceRounding = exactly(0.005);
const ratioRounding = exactly(0.0000005);
/** Beyond sixteen digits a published double is another decimal than the figure: of four of them, 2⁻⁵¹ of their product. */
const doubles = exactly(2 ** 51);

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
  const broken: string[] = [];
  if (call !== null) {
    if (trigger === null || units === null || facility.drawn === null)
      broken.push('M15.66 a call price without amount, coins or trigger');
    else if (!makesAmount({ call, trigger, units, drawn: exactly(facility.drawn) }))
      broken.push('M15.66 call price, trigger and coins do not make the amount');
  }
  const fall = facility.live_price_fall_to_call;
  const isKnown = call !== null && fall !== null && live !== null && trigger !== null;
  if (isKnown && !isFallToCall({ call, fall, live, trigger }))
    broken.push('M15.66 the fall to the call and the loan-to-value disagree');
  if (facility.price_date !== null && facility.price_date > day)
    broken.push('M15.71 a close after the day of the slice');
  return broken;
}

/** call·trigger·units = drawn, the call price rounded to a cent a coin. */
function makesAmount({
  call,
  trigger,
  units,
  drawn,
}: {
  call: number;
  trigger: number;
  units: number;
  drawn: Fraction;
}): boolean {
  const owedPerPrice = multiply(exactly(trigger), exactly(units));
  const allowed = add(multiply(priceRounding, owedPerPrice), divide(drawn, doubles));
  return compare(distance(multiply(exactly(call), owedPerPrice), drawn), allowed) <= 0;
}

/**
 * At one close the loan-to-value is trigger·(1 − fall). Both are rounded, and the call price is to the cent: of the close,
 * call/(1 − fall), that is 0.005·(1 − fall)/call. All is multiplied by the call price, which is 0 for a coin worth less.
 */
function isFallToCall(published: { call: number; fall: number; live: number; trigger: number }): boolean {
  const [call, live, trigger] = [
    exactly(published.call),
    exactly(published.live),
    exactly(published.trigger),
  ];
  const left = subtract(one, exactly(published.fall));
  const ofRatios = add(multiply(ratioRounding, add(one, trigger)), divide(live, doubles));
  const ofPrice = multiply(multiply(priceRounding, trigger), add(left, ratioRounding));
  const apart = distance(live, multiply(trigger, left));
  return compare(multiply(apart, call), add(multiply(ofRatios, call), ofPrice)) <= 0;
}

function refsOf(facilities: readonly CovenantFacility[]): string[] {
  return facilities.flatMap(({ fact_refs: refs }) => refs.map((ref) => JSON.stringify(ref)));
}
