import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { priceCheck } from '../../crypto/priceCheck.ts';
import { agreedValue, isQuantity, localName } from '../../crypto/statedFacts.ts';
import { quotient, rounded } from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { isPledgedCoins, isSubject } from '../../facilities/loanFacts.ts';
import { absentFigure, capitalFact } from '../absentFigure.ts';
import type { Figure } from '../figure.ts';
import { pledgedAmount, pledgedOf, restrictedOf, type StockInputs, stakedOf } from './boundCoins.ts';
import type { CoinStock } from './coinFlows.ts';
import { assetOfScope, everyAsset, isOfScope } from './coinScope.ts';
import { costBasis } from './costBasis.ts';

/** Units, cost and freedom of the coins at the period end, one row an asset; a mix has a row of all of them (M18.73–M18.75). */
export function coinStocks(inputs: StockInputs): readonly CoinStock[] {
  const { holdings, mix, sole } = inputs;
  if (holdings.amount.sign <= 0) return [];
  const parts = mix.map(({ asset, amount }) => stockOf(asset, amount, inputs));
  if (sole !== null && mix.length === 1) return parts;
  return [...parts, wholeOf(parts, inputs)];
}

function stockOf(asset: string, amount: ExactDecimal, inputs: StockInputs): CoinStock {
  const { holdings, sole } = inputs;
  const isLowerBound = holdings.measurement === 'carrying_lower_bound';
  const value = heldValue(sole === asset ? holdings.amount : amount, inputs);
  const units = unitsOf(asset, value, inputs);
  const cost = costBasis(asset, value, costInputs(inputs));
  const pledged = pledgedOf(asset, inputs);
  const filedRestriction = restrictedOf(asset, inputs);
  // as many coins as are pledged: the restriction is the pledge (RIOT 3,300)
  const isPledge = valueIn(pledged) !== null && same(pledged, filedRestriction);
  const restricted: Figure = isPledge
    ? { value: ExactDecimal.zero, status: 'supported', basis: 'equals_pledge', facts: filedRestriction.facts }
    : filedRestriction;
  const free = freeOf({ units, pledged, restricted }, asset, inputs);
  const pledgedValue = sole === asset ? pledgedAmount(inputs) : absentFigure('not_filed');
  const priced = sole === asset ? valueOfCost(value, cost, inputs) : value;
  const isPart = priced.value?.equals(value.value ?? amount) === false;
  const gain: Figure = isLowerBound
    ? absentFigure('lower_bound', { part: 'fair_value' })
    : difference(priced, cost);
  return {
    asset,
    units,
    value,
    costBasis: cost,
    unrealisedGain: gain,
    averageCost: isPart ? absentFigure('missing', { part: 'units' }) : ratio(cost, units),
    pledged,
    pledgedValue,
    restricted,
    staked: stakedOf(asset, inputs),
    free,
    freeValue: freeValueOf({ value, units, free, pledged, pledgedValue, restricted }, asset, inputs),
    notes: [...(isPart ? ['cost_of_part'] : []), ...(isPledge ? ['restricted_is_pledged'] : [])],
  };
}

function wholeOf(parts: readonly CoinStock[], inputs: StockInputs): CoinStock {
  const value = heldValue(inputs.holdings.amount, inputs);
  const cost = costBasis(everyAsset, value, costInputs(inputs));
  const pledgedValue = pledgedAmount(inputs);
  const own = parts.map(({ freeValue }) => valueIn(freeValue));
  const isKnown = own.length > 0 && own.every((amount) => amount !== null);
  const left = difference(value, pledgedValue.value === null ? nothing : pledgedValue);
  return {
    asset: everyAsset,
    units: absentFigure('not_applicable'),
    value,
    costBasis: cost,
    unrealisedGain: difference(value, cost),
    averageCost: absentFigure('not_applicable'),
    pledged: absentFigure('not_applicable'),
    pledgedValue,
    restricted: absentFigure('not_applicable'),
    staked: absentFigure('not_applicable'),
    free: absentFigure('not_applicable'),
    freeValue: isKnown
      ? {
          value: sumOf(own.flatMap((amount) => amount ?? [])),
          status: 'stated',
          basis: 'sum_of_assets',
          facts: [],
        }
      : left,
    notes: [],
  };
}

/**
 * The fair value beside the cost: where the tag of the same table states lines of the balance sheet and not all coins, the
 * cost is of those (DFDV 244.3 of 453.7 M).
 */
function valueOfCost(value: Figure, cost: Figure, { period, facts, holdings }: StockInputs): Figure {
  if (cost.value === null || cost.basis !== 'CryptoAssetCost') return value;
  const tagged = facts.find(
    ({ concept, start, end, dimensions }) =>
      concept === 'us-gaap:CryptoAssetFairValue' &&
      start === null &&
      end === period &&
      dimensions.length === 0,
  );
  const isLine = holdings.roots.some((root) => tagged !== undefined && root.value.equals(tagged.value));
  if (tagged === undefined || !isLine) return value;
  return {
    value: tagged.value,
    status: 'stated',
    basis: 'lines_at_fair_value',
    facts: [capitalFact(tagged)],
  };
}

const nothing: Figure = { value: ExactDecimal.zero, status: 'stated', basis: 'nothing_filed', facts: [] };

function costInputs({ period, facts, holdings, sole, parameters }: StockInputs) {
  return { period, facts, holdings, sole, scope: { sole, concepts: parameters.concepts } };
}

function heldValue(amount: ExactDecimal, { holdings, facts, period }: StockInputs): Figure {
  const stating = facts.filter(
    ({ start, end, value, isOfCoins }) =>
      start === null && end === period && isOfCoins && value.equals(amount),
  );
  return {
    value: amount,
    status: 'supported',
    basis: holdings.measurement ?? 'fair_value',
    facts: stating.slice(0, 1).map(capitalFact),
  };
}

/** Names of quantities that are a part of the coins held, or moved. */
const partOfUnits =
  /Restricted|Unrestricted|Purchased|Mined|Sold|Funded|Paid|Per[A-Z]|Stak|Unencumbered|Locked/;

/** Number of coins held: the end of a roll that closes, else a quantity that the value of the asset confirms (M2.9). */
function unitsOf(asset: string, value: Figure, inputs: StockInputs): Figure {
  const { period, facts, flows, holdings, sole, prices, parameters } = inputs;
  const rolled = flows.filter(
    (flow) => flow.measure === 'units' && flow.asset === asset && flow.status === 'proven',
  );
  const [roll] = rolled;
  const isOneRoll = rolled.every(({ closing }) => roll !== undefined && closing.equals(roll.closing));
  const scope = { sole, concepts: parameters.concepts };
  const named = facts.filter(
    (fact) =>
      fact.start === null &&
      fact.end === period &&
      isQuantity(fact) &&
      fact.isOfCoins &&
      isOfScope(fact) &&
      !fact.dimensions.some(isSubject) &&
      !isPledgedCoins(fact) &&
      !partOfUnits.test(localName(fact.concept)) &&
      !fact.dimensions.some(({ member }) => /Stak/.test(member)) &&
      assetOfScope(fact.dimensions, scope) === asset &&
      (fact.asset === null || fact.asset === asset),
  );
  // the whole before a treasury of it
  const filed = named.toSorted((a, b) => a.dimensions.length - b.dimensions.length);
  const close = prices.close(asset, period)?.close;
  if (roll !== undefined && isOneRoll) {
    return { value: roll.closing, status: 'proven', basis: 'closing_of_roll', facts: roll.facts.slice(-1) };
  }
  if (filed.length === 0) return absentFigure('not_filed');
  if (holdings.measurement === 'carrying_lower_bound')
    return absentFigure('lower_bound', { part: 'value', facts: filed });
  if (close === undefined || value.value === null) {
    const agreed = agreedValue(filed);
    if (agreed === null) return absentFigure('conflict', { part: 'units', facts: filed });
    return { value: agreed, status: 'stated', basis: 'filed_units', facts: filed.map(capitalFact) };
  }
  const fairValue = value.value;
  const checked = filed.flatMap((fact) => {
    const check = priceCheck({ fairValue, quantity: fact.value, close, parameters });
    return check.verdict === 'reject'
      ? []
      : [{ fact, quantity: check.quantity, isScaled: check.verdict === 'scale' }];
  });
  const [first] = checked;
  if (first === undefined) return absentFigure('conflict', { part: 'unit_price_mismatch', facts: filed });
  const basis = first.isScaled ? 'filed_units_scaled' : 'filed_units';
  return { value: first.quantity, status: 'supported', basis, facts: [capitalFact(first.fact)] };
}

/** Held less pledged less restricted; where nothing of either is filed, all of them, stated only. */
function freeOf(
  { units, pledged, restricted }: Pick<CoinStock, 'units' | 'pledged' | 'restricted'>,
  asset: string,
  { period, facts, main }: StockInputs,
): Figure {
  if (units.value === null) return absentFigure('missing', { part: 'units', facts: units.facts });
  if (isConflict(pledged)) return absentFigure('missing', { part: 'pledged', facts: pledged.facts });
  if (isConflict(restricted)) return absentFigure('missing', { part: 'restricted', facts: restricted.facts });
  const bound = [pledged, restricted].flatMap((figure) => valueIn(figure) ?? []);
  const left = bound.reduce((rest, amount) => rest.minus(amount), units.value);
  const used = [...units.facts, ...pledged.facts, ...restricted.facts];
  // more is pledged than held: one of the numbers is of something else
  if (left.sign < 0) return absentFigure('conflict', { part: 'pledged', facts: used });
  const unrestricted = facts.some(
    (fact) =>
      fact.end === period &&
      /Unrestricted|Unencumbered/.test(localName(fact.concept)) &&
      isQuantity(fact) &&
      (fact.asset ?? main) === asset &&
      fact.value.equals(left),
  );
  const basis = bound.length === 0 ? 'nothing_pledged_filed' : 'held_less_bound';
  return { value: left, status: unrestricted ? 'proven' : 'stated', basis, facts: used };
}

/** What the free coins are worth at the period end. */
function freeValueOf(
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
    return { value: left, status: 'stated', basis: 'value_less_pledged', facts: pledgedValue.facts };
  }
  if (free.value !== null && units.value !== null && units.value.sign > 0) {
    const share = quotient(value.value.times(free.value), units.value);
    return { value: rounded(share, 0), status: 'stated', basis: 'share_of_units', facts: free.facts };
  }
  if (isConflict(free)) return absentFigure('missing', { part: 'free', facts: free.facts });
  if (pledgedValue.value !== null) {
    return absentFigure('conflict', { part: 'pledged', facts: pledgedValue.facts });
  }
  if ([pledged, restricted, pledgedValue].some(isConflict)) {
    return absentFigure('missing', { part: 'pledged', facts: pledged.facts });
  }
  const bound = [pledged, restricted].flatMap((figure) => valueIn(figure) ?? []);
  if (bound.length === 0) {
    return { value: value.value, status: 'stated', basis: 'nothing_pledged_filed', facts: [] };
  }
  const close = prices.close(asset, period);
  if (close === null) return absentFigure('price_missing', { part: asset });
  const worth = sumOf(bound).times(ExactDecimal.fromNumber(close.close));
  const left = value.value.minus(worth).rounded(0);
  const used = [...pledged.facts, ...restricted.facts];
  if (left.sign < 0) return absentFigure('conflict', { part: 'pledged', facts: used });
  return { value: left, status: 'stated', basis: 'value_less_bound_units', facts: used };
}

function isConflict(figure: Figure): boolean {
  return figure.value === null && figure.reason === 'conflict';
}

function valueIn(figure: Figure): ExactDecimal | null {
  return figure.value;
}

function same(a: Figure, b: Figure): boolean {
  return a.value !== null && b.value !== null && a.value.equals(b.value);
}

function difference(a: Figure, b: Figure): Figure {
  if (a.value === null) return a;
  if (b.value === null) return { value: null, reason: 'missing', part: 'cost_basis', facts: b.facts };
  return {
    value: a.value.minus(b.value),
    status: 'stated',
    basis: 'difference',
    facts: [...a.facts, ...b.facts],
  };
}

function ratio(amount: Figure, units: Figure): Figure {
  if (amount.value === null) return { value: null, reason: 'missing', part: 'cost_basis', facts: [] };
  if (units.value === null || units.value.sign <= 0) return absentFigure('missing', { part: 'units' });
  return {
    value: rounded(quotient(amount.value, units.value), 8),
    status: 'stated',
    basis: 'cost_per_unit',
    facts: [...amount.facts, ...units.facts],
  };
}
