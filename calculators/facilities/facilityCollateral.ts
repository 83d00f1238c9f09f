import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { priceCheck } from '../crypto/priceCheck.ts';
import { agreedValue, isQuantity, type StatedFact } from '../crypto/statedFacts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { isPledgedCoins, isRestrictedCoins } from './loanFacts.ts';

/** Coins that secure a loan: their filed value, their number, or both (M16.7). */
type Collateral = {
  /** null where neither the facts nor the issuer's holdings name one coin. */
  readonly asset: string | null;
  readonly facts: readonly StatedFact[];
} & (
  | { readonly basis: 'tagged_value'; readonly value: ExactDecimal; readonly units: ExactDecimal | null }
  | { readonly basis: 'units_times_price'; readonly units: ExactDecimal }
);

/** The collateral by a group of facts. */
export type CollateralFound = {
  readonly collateral: Collateral | null;
  readonly notes: readonly string[];
  /** The facts state that nothing is pledged any more. */
  readonly isReleased: boolean;
};

export type CollateralContext = {
  readonly period: string;
  /** Place of the last line of the balance sheet among the facts; null where their order is not known. */
  readonly balanceSheetEnd: number | null;
  /** The coin that is nearly all of the issuer's holdings; null for a mix. */
  readonly soleAsset: string | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** True for a figure of coins that secure a loan; restricted ones only where the filing pledges just as many. */
export function isCollateral(
  fact: StatedFact,
  { pledgesRestricted }: { readonly pledgesRestricted: boolean },
): boolean {
  return isPledgedCoins(fact) || (pledgesRestricted && isRestrictedCoins(fact));
}

/** True where as many coins are restricted as are pledged: the restriction is the pledge (RIOT 2025-09-30: 3,300). */
export function pledgesRestrictedCoins(facts: readonly StatedFact[], period: string): boolean {
  const quantities = facts.filter((fact) => fact.end === period && isQuantity(fact));
  const pledged = quantities.filter(isPledgedCoins);
  return quantities.some(
    (fact) =>
      isRestrictedCoins(fact) && pledged.some(({ value }) => value.sign > 0 && value.equals(fact.value)),
  );
}

/** Reads the collateral among facts that are known to be of one loan and of its day. */
export function collateralOf(
  facts: readonly StatedFact[],
  context: CollateralContext & { readonly isAt: (fact: StatedFact) => boolean },
): CollateralFound {
  const now = facts.filter(context.isAt);
  const values = now.filter((fact) => fact.unit === 'USD' && fact.start === null && isWhole(fact));
  const units = now.filter((fact) => isQuantity(fact) && isWhole(fact));
  const stated = [...values, ...units];
  const isReleased = stated.length > 0 && stated.every(({ value }) => value.sign <= 0);
  if (isReleased) return { collateral: null, notes: [], isReleased };
  const value = statedValue(values, context);
  const quantity = agreedValue(units);
  const notes = [
    ...(values.length > 0 && value === null ? ['facility_collateral_conflict'] : []),
    ...(units.length > 0 && quantity === null ? ['facility_units_conflict'] : []),
  ];
  const used = [
    ...values.filter((fact) => value !== null && fact.value.equals(value)),
    ...(quantity === null ? [] : units),
  ];
  const asset = assetOfFacts(used, context.soleAsset);
  const pledged = quantity !== null && quantity.sign > 0 ? quantity : null;
  if (value === null || value.sign <= 0) {
    if (pledged === null) return { collateral: null, notes, isReleased: false };
    return {
      collateral: { asset, basis: 'units_times_price', units: pledged, facts: used },
      notes,
      isReleased,
    };
  }
  const checked = pledged === null ? null : unitsVerdict({ asset, value, units: pledged }, context);
  const isRejected = checked === 'rejected';
  const kept = isRejected ? used.filter(({ unit }) => unit === 'USD') : used;
  return {
    collateral: { asset, basis: 'tagged_value', value, units: isRejected ? null : pledged, facts: kept },
    notes: [...notes, ...(isRejected ? ['facility_units_rejected'] : [])],
    isReleased: false,
  };
}

/** The coin of the collateral by its facts, else the one the issuer holds. */
function assetOfFacts(facts: readonly StatedFact[], soleAsset: string | null): string | null {
  const named = [...new Set(facts.map((fact) => fact.asset).filter((asset) => asset !== null))];
  if (named.length > 1) return null;
  return named[0] ?? soleAsset;
}

/** The one value stated; of several unequal ones the line of the balance sheet, if one value is there (M16.7). */
function statedValue(
  values: readonly StatedFact[],
  { balanceSheetEnd }: Pick<CollateralContext, 'balanceSheetEnd'>,
): ExactDecimal | null {
  const agreed = agreedValue(values);
  if (agreed !== null || balanceSheetEnd === null) return agreed;
  const lines = values.filter(
    ({ position, dimensions }) =>
      position !== undefined && position < balanceSheetEnd && dimensions.length === 0,
  );
  return agreedValue(lines);
}

/** Do units at the close of the day make the filed value (M2.9)? Without a close the question stays open. */
function unitsVerdict(
  { asset, value, units }: { asset: string | null; value: ExactDecimal; units: ExactDecimal },
  { prices, parameters, period }: CollateralContext,
): 'accepted' | 'rejected' | 'unknown' {
  const close = asset === null ? null : prices.close(asset, period);
  if (close === null) return 'unknown';
  const { verdict } = priceCheck({ fairValue: value, quantity: units, close: close.close, parameters });
  return verdict === 'accept' ? 'accepted' : 'rejected';
}

function isWhole({ dimensions }: StatedFact): boolean {
  return !dimensions.some(({ axis }) => /:(RangeAxis|FairValue\w*Axis)$/.test(axis));
}
