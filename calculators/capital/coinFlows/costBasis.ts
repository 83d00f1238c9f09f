import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { absentFigure, capitalFact } from '../absentFigure.ts';
import { agree, roundedOf, roundedSum } from '../agree.ts';
import type { Figure } from '../figure.ts';
import { assetOfScope, everyAsset, isOfScope, keyOf } from './coinScope.ts';
import { flowClass } from './flowClass.ts';

/** What coins have cost: by tag, by a name of the filer's. */
const costConcept =
  /^(CryptoAssetCost|(CostBasisOf|CostOf)(Bitcoin|Crypto|Digital|Ether|Solana)\w*|CostOfPlatformOperatorCryptoAssetHeldForUser|(Crypto|Digital|Bitcoin|Ether|Solana)\w*Cost(Basis)?)$/;
const otherCost = /(Per[A-Z]|Restricted|Purchased|Mined|Mining|Sold|Average|Lease|Unrestricted)/;
const cumulativeImpairment = /^(Cumulative|Accumulated)Impairment/;

export type CostInputs = {
  readonly period: string;
  readonly facts: readonly StatedFact[];
  readonly holdings: Pick<CryptoHoldings, 'carried' | 'roots'>;
  readonly sole: string | null;
  readonly scope: Parameters<typeof assetOfScope>[1];
};

/** Costs of coins at the period end with the scope that each is filed for. */
type Cost = { readonly fact: StatedFact; readonly asset: string; readonly isWhole: boolean };

/**
 * What the coins of an asset have cost (M18.73). A cost that is the fair value again, or the purchases of the period beside
 * an earlier cost, is a wrong name and no cost; two that differ are none either.
 */
export function costBasis(asset: string, fairValue: Figure, inputs: CostInputs): Figure {
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
  return {
    value: finest.fact.value,
    status: 'stated',
    basis: localName(finest.fact.concept),
    facts: [capitalFact(finest.fact)],
  };
}

function costsOf({ period, facts, scope }: CostInputs): readonly Cost[] {
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
    return [{ fact, asset: assetOfScope(fact.dimensions, scope), isWhole }];
  });
}

/** Of several members of one coin those of the standard element (BTBT: ETH before its wrapped form). */
function plainest(costs: readonly Cost[]): readonly Cost[] {
  const standard = costs.filter(({ fact }) => fact.concept.startsWith('us-gaap:'));
  const isSplit = new Set(costs.map(({ fact }) => keyOf(fact.dimensions))).size > 1;
  return isSplit && standard.length > 0 ? standard : costs;
}

/** Carried at cost less impairment: what was written down is added again (MSTR). */
function impairedCost({ period, facts, holdings }: CostInputs): Figure | null {
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
  return {
    value: amount.plus(written.value),
    status: 'stated',
    basis: 'carrying_and_impairment',
    facts: [...carried, written].map(capitalFact),
  };
}

function refusal(
  { fact }: Cost,
  { fairValue, inputs }: { fairValue: Figure; inputs: CostInputs },
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
      keyOf(dimensions) === keyOf(fact.dimensions),
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
