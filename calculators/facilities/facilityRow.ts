import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../data/contract/payloads/issuer/facility.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { statedPledge } from '../currentReports/statedBeside.ts';
import type { Statement } from '../currentReports/statement.ts';
import { addDays } from '../exact/civilDate.ts';
import {
  divide,
  exactly,
  type Fraction,
  multiply,
  one,
  published,
  quotient,
  rounded,
  subtract,
} from '../exact/fraction.ts';
import type { Close, PriceBook } from '../prices/priceBook.ts';
import type { Facility, FacilityFact } from './facility.ts';

/**
 * A facility on a day: ratios at its own date and at the close of the day, debt and pledge as filed (M16.9).
 *
 * Coins added or released after `as_of` are not known; no close after `sourceDate` is read (M15.71).
 */
export function facilityRow(
  facility: Facility,
  {
    sourceDate,
    prices,
    pledged = [],
  }: {
    readonly sourceDate: string;
    readonly prices: PriceBook;
    /** What current reports state, where no other loan is secured by the same coin (M17.42). */
    readonly pledged?: readonly Statement[];
  },
): CovenantFacility {
  const { drawn, limit, collateral, trigger, asOf } = facility;
  const asset = collateral?.asset ?? null;
  const reference = asset === null || asOf > sourceDate ? null : prices.close(asset, asOf);
  const live = asset === null ? null : liveClose(prices, { asset, sourceDate, asOf });
  const value = valueAt(facility, reference);
  const call = callPrice(facility);
  const liveValue = valueLive(facility, { reference, live });
  const owed = drawn === null ? null : exactly(drawn.amount);
  const fall = (close: Close | null) =>
    call === null || close === null
      ? null
      : published(subtract(one, divide(exactly(call), exactly(close.close))), 6);
  const ltv = (worth: Fraction | null) =>
    owed === null || worth === null || worth.numerator === 0n ? null : published(divide(owed, worth), 6);
  const liveLtv = ltv(liveValue);
  const liveFall = fall(live);
  return {
    facility_id: facility.id,
    name: facility.name,
    drawn: drawn?.amount ?? null,
    drawn_basis: drawn?.basis ?? null,
    limit: limit?.amount ?? null,
    collateral_asset: asset,
    collateral_units: collateral?.units?.toNumber() ?? null,
    collateral_value: value === null ? null : rounded(value, 0),
    collateral_basis: collateral?.basis ?? null,
    ...statedTwin(pledged, { asset, after: asOf, until: sourceDate }),
    ltv: ltv(value),
    trigger_ltv: trigger?.ltv.toNumber() ?? null,
    trigger_kind: trigger?.kind ?? null,
    margin_call_price: call?.toNumber() ?? null,
    price_fall_to_call: fall(reference),
    live_ltv: liveLtv,
    live_price_fall_to_call: liveFall,
    price_date: liveLtv === null && liveFall === null ? null : (live?.date ?? null),
    as_of: asOf,
    is_subsequent: facility.isSubsequent,
    confidence: facility.confidence,
    notes: [...facility.notes],
    fact_refs: factRefs(facility),
  };
}

/** Coins stated as pledged since, beside the filed ones; absent where none are (M17.42). */
function statedTwin(
  pledged: readonly Statement[],
  { asset, ...days }: { readonly asset: string | null; readonly after: string; readonly until: string },
): Pick<CovenantFacility, 'collateral_units_stated' | 'collateral_stated_as_of'> {
  const stated = asset === null ? null : statedPledge(pledged, { asset, ...days });
  if (stated === null || stated.units === null || stated.asOf === null) return {};
  return { collateral_units_stated: stated.units.toNumber(), collateral_stated_as_of: stated.asOf };
}

/** The close at which what is drawn is the trigger's share of the coins; only where all three are filed (M16.9). */
function callPrice({ drawn, collateral, trigger }: Facility): ExactDecimal | null {
  const units = collateral?.units ?? null;
  if (drawn === null || drawn.amount.sign <= 0 || units === null || trigger === null) return null;
  return rounded(quotient(drawn.amount, trigger.ltv.times(units)), 2);
}

function liveClose(
  prices: PriceBook,
  { asset, sourceDate, asOf }: { asset: string; sourceDate: string; asOf: string },
): Close | null {
  const close = prices.close(asset, sourceDate);
  return close !== null && close.date >= addDays(asOf, -1) ? close : null;
}

function valueAt({ collateral }: Facility, reference: Close | null): Fraction | null {
  if (collateral === null) return null;
  if (collateral.basis === 'tagged_value') return exactly(collateral.value);
  return reference === null ? null : multiply(exactly(collateral.units), exactly(reference.close));
}

/** Coins at the close of the day; a value without coins moves with the close since its own day. */
function valueLive(
  { collateral }: Facility,
  { reference, live }: { reference: Close | null; live: Close | null },
): Fraction | null {
  if (collateral === null || live === null) return null;
  const price = exactly(live.close);
  if (collateral.units !== null) return multiply(exactly(collateral.units), price);
  if (collateral.basis !== 'tagged_value' || reference === null) return null;
  return multiply(exactly(collateral.value), divide(price, exactly(reference.close)));
}

function factRefs({ drawn, limit, collateral, trigger }: Facility): CovenantFacility['fact_refs'] {
  const facts = [drawn, limit, collateral, trigger].flatMap((figure) => figure?.facts ?? []);
  const refs = facts.map(({ concept, date, dimensions, value, unit }: FacilityFact) => ({
    concept,
    date,
    members: dimensions.map(({ member }) => member),
    value: value.toString(),
    unit,
  }));
  return [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
}

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
