import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { priceCheck } from '../../crypto/priceCheck.ts';
import { agreedValue, isQuantity, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { quotient, rounded } from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { isPledgedCoins, isSubject } from '../../facilities/loanFacts.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import { agree, membersKey, roundedOf, roundedSum } from '../filedAmounts.ts';
import type { CoinStock } from '../parts.ts';
import {
  freeOf,
  freeValueOf,
  pledgedAmount,
  pledgedOf,
  restrictedOf,
  type StockInputs,
  stakedOf,
} from './boundCoins.ts';
import { assetOfScope, everyAsset, isOfScope } from './coinScope.ts';
import { flowClass } from './flowClass.ts';

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
  const cost = costBasis(asset, value, inputs);
  const pledged = pledgedOf(asset, inputs);
  const filedRestriction = restrictedOf(asset, inputs);
  // as many coins as are pledged: the restriction is the pledge (RIOT 3,300)
  const isPledge = same(pledged, filedRestriction);
  const restricted: Figure = isPledge
    ? figureOf(ExactDecimal.zero, {
        basis: 'equals_pledge',
        facts: filedRestriction.facts,
        status: 'supported',
      })
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
  const cost = costBasis(everyAsset, value, inputs);
  const pledgedValue = pledgedAmount(inputs);
  const own = parts.map(({ freeValue }) => freeValue.value);
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
      ? figureOf(sumOf(own.flatMap((amount) => amount ?? [])), { basis: 'sum_of_assets', facts: [] })
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
  return figureOf(tagged.value, { basis: 'lines_at_fair_value', facts: [tagged] });
}

const nothing: Figure = figureOf(ExactDecimal.zero, { basis: 'nothing_filed', facts: [] });

function heldValue(amount: ExactDecimal, { holdings, facts, period }: StockInputs): Figure {
  const stating = facts.filter(
    ({ start, end, value, isOfCoins }) =>
      start === null && end === period && isOfCoins && value.equals(amount),
  );
  return figureOf(amount, {
    basis: holdings.measurement ?? 'fair_value',
    facts: stating.slice(0, 1),
    status: 'supported',
  });
}

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
    return figureOf(roll.closing, {
      basis: 'closing_of_roll',
      facts: roll.facts.slice(-1),
      status: 'proven',
    });
  }
  if (filed.length === 0) return absentFigure('not_filed');
  if (holdings.measurement === 'carrying_lower_bound')
    return absentFigure('lower_bound', { part: 'value', facts: filed });
  if (close === undefined || value.value === null) {
    const agreed = agreedValue(filed);
    if (agreed === null) return absentFigure('conflict', { part: 'units', facts: filed });
    return figureOf(agreed, { basis: 'filed_units', facts: filed });
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
  return figureOf(first.quantity, { basis, facts: [first.fact], status: 'supported' });
}

function same(a: Figure, b: Figure): boolean {
  return a.value !== null && b.value !== null && a.value.equals(b.value);
}

function difference(a: Figure, b: Figure): Figure {
  if (a.value === null) return a;
  if (b.value === null) return absentFigure('missing', { part: 'cost_basis', facts: b.facts });
  return figureOf(a.value.minus(b.value), { basis: 'difference', facts: [...a.facts, ...b.facts] });
}

function ratio(amount: Figure, units: Figure): Figure {
  if (amount.value === null) return absentFigure('missing', { part: 'cost_basis' });
  if (units.value === null || units.value.sign <= 0) return absentFigure('missing', { part: 'units' });
  return figureOf(rounded(quotient(amount.value, units.value), 8), {
    basis: 'cost_per_unit',
    facts: [...amount.facts, ...units.facts],
  });
}

/** What coins have cost: by tag, by a name of the filer's. */
const costConcept =
  /^(CryptoAssetCost|(CostBasisOf|CostOf)(Bitcoin|Crypto|Digital|Ether|Solana)\w*|CostOfPlatformOperatorCryptoAssetHeldForUser|(Crypto|Digital|Bitcoin|Ether|Solana)\w*Cost(Basis)?)$/;
const otherCost = /(Per[A-Z]|Restricted|Purchased|Mined|Mining|Sold|Average|Lease|Unrestricted)/;
const cumulativeImpairment = /^(Cumulative|Accumulated)Impairment/;

type Cost = { readonly fact: StatedFact; readonly asset: string; readonly isWhole: boolean };

/**
 * What the coins of an asset have cost (M18.73). A cost that is the fair value again, or the purchases of the period beside
 * an earlier cost, is a wrong name and no cost; two that differ are none either.
 */
function costBasis(asset: string, fairValue: Figure, inputs: StockInputs): Figure {
  const { sole } = inputs;
  const costs = costsOf(inputs);
  const isSole = asset === sole;
  const isWholeAsked = isSole || asset === everyAsset;
  const whole = isWholeAsked ? costs.filter(({ isWhole }) => isWhole) : [];
  const members = costs.filter((cost) => !cost.isWhole && cost.asset === asset);
  const considered = whole.length > 0 ? whole : plainest(members);
  if (considered.length === 0) {
    return (isWholeAsked ? impairedCost(inputs) : null) ?? absentFigure('not_filed');
  }
  const refused = considered.flatMap((cost) => {
    const part = refusal(cost, { fairValue, inputs });
    return part === null ? [] : [{ cost, part }];
  });
  const left = considered.filter((cost) => !refused.some((one) => one.cost === cost));
  const [first] = left;
  if (first === undefined) return conflict(refused[0]?.part ?? 'cost_conflict', considered);
  const isTwofold = left.some(({ fact }) => !agree(roundedOf(fact), roundedOf(first.fact)));
  if (isTwofold || (first.isWhole && isBelowParts(first, members)))
    return conflict('cost_conflict', [...considered, ...members]);
  const finest = left.toSorted((a, b) => fineness(b.fact) - fineness(a.fact))[0] ?? first;
  return figureOf(finest.fact.value, { basis: localName(finest.fact.concept), facts: [finest.fact] });
}

function costsOf({ period, facts, sole, parameters }: StockInputs): readonly Cost[] {
  const found = facts.filter(
    ({ concept, end, start, unit, dimensions, namesCoins }) =>
      start === null &&
      end === period &&
      /^[A-Z]{3}$/.test(unit) &&
      namesCoins &&
      costConcept.test(localName(concept)) &&
      !otherCost.test(localName(concept)) &&
      isOfScope({ dimensions }),
  );
  return found.flatMap((fact): Cost[] => {
    const isWhole = fact.dimensions.length === 0;
    const member = found.filter(
      ({ concept, dimensions }) => concept === fact.concept && dimensions.length > 0,
    );
    // one member that is the whole: the figure is that member's (BTBT's wrapped coins)
    const [only] = member;
    const isOfMember = isWhole && member.length === 1 && only?.value.equals(fact.value) === true;
    if (isOfMember && !fact.concept.startsWith('us-gaap:')) return [];
    return [{ fact, asset: assetOfScope(fact.dimensions, { sole, concepts: parameters.concepts }), isWhole }];
  });
}

/** Of several members of one coin those of the standard element (BTBT: ETH before its wrapped form). */
function plainest(costs: readonly Cost[]): readonly Cost[] {
  const standard = costs.filter(({ fact }) => fact.concept.startsWith('us-gaap:'));
  const isSplit = new Set(costs.map(({ fact }) => membersKey(fact.dimensions))).size > 1;
  return isSplit && standard.length > 0 ? standard : costs;
}

/** Carried at cost less impairment: what was written down is added again (MSTR). */
function impairedCost({ period, facts, holdings }: StockInputs): Figure | null {
  // filed on a period, it is the sum at its end (MSTR 2022)
  const [written, other] = facts.filter(
    ({ concept, end, dimensions }) =>
      end === period && dimensions.length === 0 && cumulativeImpairment.test(localName(concept)),
  );
  if (written === undefined || (other !== undefined && !other.value.equals(written.value))) return null;
  const roots = new Set(holdings.roots.map(({ concept }) => concept));
  const carried = facts.filter(
    ({ concept, start, end, dimensions }) =>
      start === null && end === period && dimensions.length === 0 && roots.has(concept),
  );
  const amount = sumOf(carried.map(({ value }) => value));
  if (carried.length === 0 || !amount.equals(holdings.carried)) return null;
  return figureOf(amount.plus(written.value), {
    basis: 'carrying_and_impairment',
    facts: [...carried, written],
  });
}

function refusal(
  { fact }: Cost,
  { fairValue, inputs }: { fairValue: Figure; inputs: StockInputs },
): string | null {
  const { facts, period } = inputs;
  const flows = facts.filter(
    ({ start, end, namesCoins, value }) => start !== null && end === period && namesCoins && value.sign !== 0,
  );
  const hasGain = flows.some(({ concept }) => flowClass(concept)?.kind === 'gain');
  const values = [
    ...(fairValue.value === null ? [] : [roundedOf({ value: fairValue.value, decimals: 'INF' })]),
    ...facts.filter((other) => isFairValueOf(other, fact, period)).map(roundedOf),
  ];
  if (hasGain && values.some((value) => agree(value, roundedOf(fact)))) return 'cost_equals_fair_value';
  const hasEarlier = facts.some(
    ({ concept, end, value, dimensions }) =>
      concept === fact.concept &&
      end < period &&
      value.sign > 0 &&
      membersKey(dimensions) === membersKey(fact.dimensions),
  );
  const purchases = flows.filter(({ concept }) => flowClass(concept)?.kind === 'bought');
  if (hasEarlier && purchases.some((purchase) => purchase.value.equals(fact.value)))
    return 'cost_equals_purchases';
  return null;
}

/** A fair value that is filed for the members of the cost, or for some of them (FLD files both for its treasuries). */
function isFairValueOf(value: StatedFact, cost: StatedFact, period: string): boolean {
  if (value.start !== null || value.end !== period || !/FairValue/.test(value.concept)) return false;
  if (!value.namesCoins || value.unit !== cost.unit || /Restricted|Per[A-Z]/.test(localName(value.concept)))
    return false;
  const members = new Set(cost.dimensions.map(({ axis, member }) => `${axis}=${member}`));
  return (
    (value.dimensions.length > 0 || cost.dimensions.length === 0) &&
    value.dimensions.every(({ axis, member }) => members.has(`${axis}=${member}`))
  );
}

/** A whole that is less than its parts is the cost of something else (FLD: 114.3 M beside 170.4 M). */
function isBelowParts({ fact }: Cost, members: readonly Cost[]): boolean {
  const parts = members.filter((member) => member.fact.concept === fact.concept);
  if (parts.length === 0) return false;
  const sum = roundedSum(parts.map((part) => roundedOf(part.fact)));
  const whole = roundedOf(fact);
  return sum.value.compare(whole.value) > 0 && !agree(sum, whole);
}

function fineness({ decimals }: StatedFact): number {
  return typeof decimals === 'number' ? decimals : Number.MAX_SAFE_INTEGER;
}

function conflict(part: string, costs: readonly Cost[]): Figure {
  return absentFigure('conflict', { part, facts: costs.map(({ fact }) => fact) });
}
