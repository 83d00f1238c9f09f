import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isBalanceOfCoins } from '../assets/classifyCoins.ts';
import { closeTo, exceeds } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import { isStandard } from '../network/conceptNames.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';
import { trailFact } from '../trail/trailFact.ts';
import type { CoinFacts } from './coinFacts.ts';
import { coinsAmongIntangibles, coinsBeforeAdoption } from './coinsBeforeAdoption.ts';
import { type CryptoHoldings, type CryptoInputs, noHoldings } from './cryptoHoldings.ts';
import { type FairValueTotal, fairValueTotal, measuredAtFairValue } from './fairValues.ts';
import { priceCheck } from './priceCheck.ts';

const noTags: TrailRung = { rung: 'fair_value_tags', taken: false, reason: 'no fair-value tag is filed' };

/**
 * Coins by their tags where no walk of the assets side decides: fair values, else the intangible line (M2.4–M2.6); null
 * when the filing has neither above zero. Totals that contradict each other prove none, and the smallest is published
 * (M2.4b).
 */
export function taggedCoins(inputs: CryptoInputs): CryptoHoldings | null {
  return fairValueCoins(inputs) ?? intangibleLine(inputs);
}

function fairValueCoins(inputs: CryptoInputs): CryptoHoldings | null {
  const { sheet } = inputs;
  const fair = fairValueTotal(sheet);
  if (fair === null || fair.amount.sign <= 0) return null;
  const { smallest, largest, disagree } = coinCandidates({ ...inputs, fair });
  const amount = disagree ? smallest : fair.amount;
  const found = `${fair.concepts.join(' + ')} = ${fair.amount}`;
  const reason = disagree ? `${found}, but the filing gives totals from ${smallest} to ${largest}` : found;
  return {
    ...noHoldings,
    amount,
    carried: amount,
    measurement: 'fair_value',
    isProven: !disagree,
    disagreement: disagree,
    notes: disagree ? [`crypto_candidates_disagree:${smallest}/${largest}`] : [],
    rungs: [{ rung: 'fair_value_tags', taken: true, reason }],
    roots: fair.concepts.flatMap((concept) => tagRoot(sheet, concept, 'fair_value_tags')),
  };
}

function intangibleLine(inputs: CryptoInputs): CryptoHoldings | null {
  const { sheet, parameters } = inputs;
  const { intangibleCoins } = parameters.concepts;
  const amount = coinsAmongIntangibles(inputs);
  if (amount === null) return null;
  const holdings: CryptoHoldings = {
    ...noHoldings,
    amount,
    carried: amount,
    measurement: 'fair_value',
    rungs: [noTags, { rung: 'intangible_line', taken: true, reason: `${intangibleCoins} = ${amount}` }],
    roots: tagRoot(sheet, intangibleCoins, 'intangible_line'),
  };
  return measuredAtFairValue(inputs, amount) ? holdings : coinsBeforeAdoption(inputs, holdings);
}

function tagRoot(sheet: FactSheet, concept: string, rung: string): TrailRoot[] {
  const value = sheet.amount(concept);
  const fact = trailFact(sheet, concept, 1);
  if (value === null || fact === null) return [];
  return [
    {
      kind: 'root',
      bucket: 'T',
      concept,
      value,
      weight: 1,
      parent: null,
      role: null,
      rung,
      reason: 'dictionary',
      children: [fact],
    },
  ];
}

/** Totals that a filing gives for the same coins where nothing decides between them. */
type CoinCandidates = {
  readonly smallest: ExactDecimal;
  readonly largest: ExactDecimal;
  /** They are further apart than the limit: the coins are not proven (M2.4b). */
  readonly disagree: boolean;
};

type Asked = {
  readonly issuer: Issuer;
  readonly fair: FairValueTotal;
  readonly sheet: FactSheet;
  /** Coin figures of the instance; null when it is not available. */
  readonly facts: CoinFacts | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/**
 * Every total a filing gives for its coins: by tag, by member, by its own balances, by quantity and price (M2.4b).
 * Cost and customers' coins are no total of the issuer; a larger one shows that coins may be missing (BTCS 2025-09-30:
 * 2,304,873 by tag, 293,180,682 under the tag of customers' coins), a smaller one shows nothing (M15.15).
 */
export function coinCandidates(asked: Asked): CoinCandidates {
  const { fair, sheet, facts, parameters } = asked;
  const doubt = facts === null ? null : unprovenCoins(sheet, fair.amount, parameters);
  const others = [...parameters.concepts.customerCoins, 'us-gaap:CryptoAssetCost']
    .map((concept) => sheet.positive(concept))
    .filter((amount) => amount !== null && amount.compare(fair.amount) > 0);
  const all = [
    ...fair.totals,
    ...others.filter((amount) => amount !== null),
    ...(doubt === null ? [] : [fair.amount.plus(doubt)]),
    ...membersOf(facts),
    ...worthOf(asked),
  ].filter((amount) => amount.sign > 0);
  const smallest = all.reduce((a, b) => (b.compare(a) < 0 ? b : a), fair.amount);
  const largest = all.reduce((a, b) => (b.compare(a) > 0 ? b : a), fair.amount);
  return { smallest, largest, disagree: exceeds(largest, smallest, parameters.cryptoDisagreement) };
}

/** Sums over the members of one coin axis, one for each fair-value concept. */
function membersOf(facts: CoinFacts | null): ExactDecimal[] {
  const byConcept = Map.groupBy(facts?.valuesByMember ?? [], ({ concept }) => concept);
  return [...byConcept.values()]
    .filter((found) => found.length > 1)
    .map((found) => sumOf(found.map(({ value }) => value)));
}

/** A whole-entity quantity that names its coin, at the close, when it is worth more than the total (M2.9). */
function worthOf({ issuer, fair, sheet, facts, prices, parameters }: Asked): ExactDecimal[] {
  return (facts?.quantities ?? []).flatMap(({ asset, value }): ExactDecimal[] => {
    const close = asset === null || asset !== issuer.primaryAsset ? null : prices.close(asset, sheet.period);
    if (close === null) return [];
    const check = priceCheck({ fairValue: fair.amount, quantity: value, close: close.close, parameters });
    const worth = value.times(ExactDecimal.fromNumber(close.close));
    return check.verdict === 'reject' && worth.compare(fair.amount) > 0 ? [worth.rounded(0)] : [];
  });
}

/**
 * The filer's own balances that read as coins while no network shows where they belong, and that no standard figure
 * already includes: the total found from standard concepts may lack them (DFDV 2025-09-30: 209,448 of 453,719 K).
 */
function unprovenCoins(
  sheet: FactSheet,
  total: ExactDecimal,
  { identityTolerance, concepts }: Parameters,
): ExactDecimal {
  const known = [
    total,
    ...concepts.coins.map((concept) => sheet.positive(concept)).filter((amount) => amount !== null),
  ];
  const near = (a: ExactDecimal, b: ExactDecimal) => closeTo(a, b, identityTolerance);
  const amounts: ExactDecimal[] = [];
  for (const fact of sheet.facts) {
    if (fact.unit !== 'USD' || fact.start !== null || fact.end !== sheet.period) continue;
    const concept = qualifiedName(fact);
    const value = sheet.positive(concept);
    if (value === null || isStandard(concept) || !isBalanceOfCoins(concept, concepts)) continue;
    if (![...known, ...amounts].some((amount) => near(amount, value))) amounts.push(value);
  }
  const sum = sumOf(amounts);
  // lines that add up to the total are its parts (FLD 2025-09-30: 9,295,587 + 170,392,495)
  return near(sum, total) ? sum.minus(sum) : sum;
}
