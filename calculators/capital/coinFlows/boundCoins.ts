import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import { agreedValue, isQuantity, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { quotient, rounded } from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { Facilities } from '../../facilities/facility.ts';
import { isPledgedCoins, isRestrictedCoins, isSubject } from '../../facilities/loanFacts.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { CoinMix } from '../../prices/coinMix.ts';
import type { PriceBook } from '../../prices/priceBook.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import { wholeInstants } from '../filedAmounts.ts';
import type { CoinFlow, CoinStock } from '../parts.ts';

export type StockInputs = {
  readonly period: string;
  readonly facts: readonly StatedFact[];
  readonly holdings: Pick<CryptoHoldings, 'amount' | 'carried' | 'measurement' | 'roots'>;
  readonly mix: CoinMix;
  /** The only coin held, whose members need not be named. */
  readonly sole: string | null;
  /** The coin that is nearly all of the holdings: what names none is of it. */
  readonly main: string | null;
  readonly flows: readonly CoinFlow[];
  readonly facilities: Pick<Facilities, 'found'>;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** Pledged coins (M16.7): of the loans found, else as the facts state them; a stock filed on a duration is read at its end. */
export function pledgedOf(asset: string, inputs: StockInputs): Figure {
  const { period, facts, facilities, main } = inputs;
  const secured = facilities.found.filter(
    ({ isSubsequent, asOf, collateral }) =>
      !isSubsequent && asOf === period && collateral !== null && (collateral.asset ?? main) === asset,
  );
  const counted = secured.flatMap(({ collateral }) => (collateral?.units == null ? [] : [collateral]));
  if (counted.length > 0 && counted.length === secured.length) {
    const used = new Set(
      counted.flatMap(({ facts: stated }) => stated.map(({ concept, date }) => `${concept} ${date}`)),
    );
    const stated = facts.filter(
      ({ concept, end, unit }) => used.has(`${concept} ${end}`) && isQuantity({ unit }),
    );
    const units = sumOf(counted.map(({ units: pledged }) => pledged ?? ExactDecimal.zero));
    return figureOf(units, { basis: 'facilities', facts: stated });
  }
  const pledges = quantitiesOf(asset, inputs).filter((fact) => isPledgedCoins(fact) && fact.value.sign >= 0);
  return agreedOrSummed(pledges, 'pledged');
}

/** Coins that cannot be sold, pledged ones among them. */
export function restrictedOf(asset: string, inputs: StockInputs): Figure {
  const found = quantitiesOf(asset, inputs).filter(
    (fact) =>
      (isRestrictedCoins(fact) || (fact.isOfCoins && /Locked/.test(localName(fact.concept)))) &&
      !/Unrestricted|Unlocked/.test(localName(fact.concept)) &&
      !isPledgedCoins(fact),
  );
  return agreedOrSummed(found, 'restricted');
}

/** Quantities at the period end of a coin; what names none is of the main one. */
function quantitiesOf(asset: string, { period, facts, main }: StockInputs): StatedFact[] {
  return facts.filter((fact) => fact.end === period && isQuantity(fact) && (fact.asset ?? main) === asset);
}

/** The figure of the whole entity; without one the sum over the members, each number of a name once. */
function agreedOrSummed(facts: readonly StatedFact[], basis: string): Figure {
  if (facts.length === 0) return absentFigure('not_filed');
  const whole = facts.filter(({ dimensions }) => !dimensions.some(isSubject));
  if (whole.length > 0) return agreedFigure(whole, basis);
  const once = new Map(facts.map((fact) => [`${subjectWords(fact)} ${fact.value}`, fact]));
  const parts = [...once.values()];
  const isTwofold = new Set(parts.map(subjectWords)).size < parts.length;
  if (isTwofold) return absentFigure('conflict', { part: basis, facts });
  return figureOf(sumOf(parts.map(({ value }) => value)), { basis, facts: parts });
}

/** The members a fact is about, without the small words that make two spellings of one note (FLD). */
function subjectWords({ dimensions }: StatedFact): string {
  return dimensions
    .filter(isSubject)
    .map(({ member }) => localName(member).replace(/And|Member$/g, ''))
    .sort()
    .join(' ');
}

/** What was pledged, in money, as it stands in the balance sheet; a claim to coins that left it is no part of them. */
export function pledgedAmount({ period, facts }: StockInputs): Figure {
  const found = wholeInstants(facts, { period, currency: 'USD' }).filter(
    (fact) =>
      fact.namesCoins &&
      (isPledgedCoins(fact) || isRestrictedValue(fact)) &&
      !/Receivable/.test(fact.concept),
  );
  return agreedFigure(found, 'pledged');
}

function isRestrictedValue({ concept }: StatedFact): boolean {
  return /FairValueRestricted/.test(localName(concept));
}

export function stakedOf(asset: string, inputs: StockInputs): Figure {
  const found = quantitiesOf(asset, inputs).filter(
    ({ start, concept, dimensions }) =>
      start === null &&
      [concept, ...dimensions.map(({ member }) => member)].some((name) => /Stak/.test(localName(name))),
  );
  return agreedFigure(found, 'staked');
}

function agreedFigure(facts: readonly StatedFact[], basis: string): Figure {
  if (facts.length === 0) return absentFigure('not_filed');
  const agreed = agreedValue(facts);
  if (agreed === null) return absentFigure('conflict', { part: basis, facts });
  return figureOf(agreed, { basis, facts });
}

/** Held less pledged less restricted; where nothing of either is filed, all of them, stated only. */
export function freeOf(
  { units, pledged, restricted }: Pick<CoinStock, 'units' | 'pledged' | 'restricted'>,
  asset: string,
  inputs: StockInputs,
): Figure {
  if (units.value === null) return absentFigure('missing', { part: 'units', facts: units.facts });
  if (isConflict(pledged)) return absentFigure('missing', { part: 'pledged', facts: pledged.facts });
  if (isConflict(restricted)) return absentFigure('missing', { part: 'restricted', facts: restricted.facts });
  const bound = [pledged, restricted].flatMap(({ value }) => value ?? []);
  const left = bound.reduce((rest, amount) => rest.minus(amount), units.value);
  const used = [...units.facts, ...pledged.facts, ...restricted.facts];
  // more is pledged than held: one of the numbers is of something else
  if (left.sign < 0) return absentFigure('conflict', { part: 'pledged', facts: used });
  const unrestricted = quantitiesOf(asset, inputs).some(
    ({ concept, value }) => /Unrestricted|Unencumbered/.test(localName(concept)) && value.equals(left),
  );
  const basis = bound.length === 0 ? 'nothing_pledged_filed' : 'held_less_bound';
  return figureOf(left, { basis, facts: used, status: unrestricted ? 'proven' : 'stated' });
}

/** What the free coins are worth at the period end. */
export function freeValueOf(
  {
    value,
    units,
    free,
    pledged,
    pledgedValue,
    restricted,
  }: Pick<CoinStock, 'value' | 'units' | 'free' | 'pledged' | 'pledgedValue' | 'restricted'>,
  asset: string,
  { holdings, period, prices }: StockInputs,
): Figure {
  if (value.value === null || holdings.measurement === 'carrying_lower_bound')
    return absentFigure('lower_bound', { part: 'value' });
  const isOnlyPledge = restricted.value === null || restricted.value.sign === 0;
  if (pledgedValue.value !== null && isOnlyPledge && value.value.compare(pledgedValue.value) >= 0) {
    const left = value.value.minus(pledgedValue.value);
    return figureOf(left, { basis: 'value_less_pledged', facts: pledgedValue.facts });
  }
  if (free.value !== null && units.value !== null && units.value.sign > 0) {
    const share = quotient(value.value.times(free.value), units.value);
    return figureOf(rounded(share, 0), { basis: 'share_of_units', facts: free.facts });
  }
  if (isConflict(free)) return absentFigure('missing', { part: 'free', facts: free.facts });
  if (pledgedValue.value !== null) {
    return absentFigure('conflict', { part: 'pledged', facts: pledgedValue.facts });
  }
  if ([pledged, restricted, pledgedValue].some(isConflict)) {
    return absentFigure('missing', { part: 'pledged', facts: pledged.facts });
  }
  const bound = [pledged, restricted].flatMap(({ value: amount }) => amount ?? []);
  if (bound.length === 0) {
    return figureOf(value.value, { basis: 'nothing_pledged_filed', facts: [] });
  }
  const close = prices.close(asset, period);
  if (close === null) return absentFigure('price_missing', { part: asset });
  const worth = sumOf(bound).times(ExactDecimal.fromNumber(close.close));
  const left = value.value.minus(worth).rounded(0);
  const used = [...pledged.facts, ...restricted.facts];
  if (left.sign < 0) return absentFigure('conflict', { part: 'pledged', facts: used });
  return figureOf(left, { basis: 'value_less_bound_units', facts: used });
}

function isConflict(figure: Figure): boolean {
  return figure.value === null && figure.reason === 'conflict';
}
