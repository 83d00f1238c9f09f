import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type FilingRead, isBalanceOfCoins, namesAnyCoins, readsAsCoins } from '../assets/classifyCoins.ts';
import { addDays } from '../exact/civilDate.ts';
import { closeTo, exceeds } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { FiledFact } from '../filing/rows.ts';
import { isStandard } from '../network/conceptNames.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { TrailFact, TrailPrice, TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';
import type { CoinFact, CoinFacts } from './coinFacts.ts';
import { type CryptoHoldings, type CryptoInputs, coinRoot, noHoldings } from './cryptoHoldings.ts';
import { type FairValueTotal, fairValueTotal, measuredAtFairValue } from './fairValues.ts';
import { boundedPriceCheck, priceCheck } from './priceCheck.ts';

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
  const { sheet, parameters } = inputs;
  const fair = fairValueTotal(sheet, parameters);
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
  return value === null ? [] : [coinRoot(sheet, { concept, value, rung, reason: 'dictionary' })];
}

/** Totals that a filing gives for the same coins where nothing decides between them. */
type CoinCandidates = {
  readonly smallest: ExactDecimal;
  readonly largest: ExactDecimal;
  /** They are further apart than the limit: the coins are not proven (M2.4b). */
  readonly disagree: boolean;
};

type Asked = Pick<CryptoInputs, 'issuer' | 'sheet' | 'facts' | 'prices' | 'parameters'> & {
  readonly fair: FairValueTotal;
};

/**
 * Every total a filing gives for its coins: by tag, by member, by its own balances, by quantity and price (M2.4b).
 * Cost and customers' coins are no total of the issuer; a larger one shows that coins may be missing (BTCS 2025-09-30:
 * 2,304,873 by tag, 293,180,682 under the tag of customers' coins), a smaller one shows nothing (M15.15), nor
 * does one that is owed to the dollar.
 */
export function coinCandidates(asked: Asked): CoinCandidates {
  const { fair, sheet, facts, parameters } = asked;
  const doubt = facts === null ? null : unprovenCoins(sheet, fair.amount, parameters);
  const owed = sheet.positive('srt:SafeguardingLiabilityPlatformOperatorCryptoAsset');
  const others = [...parameters.concepts.customerCoins, 'us-gaap:CryptoAssetCost']
    .map((concept) => sheet.positive(concept))
    .filter((amount) => amount !== null && amount.compare(fair.amount) > 0)
    .filter((amount) => owed === null || !amount?.equals(owed));
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

/**
 * The intangible line of an issuer that tags no `CryptoAsset*` fact and whose curated treasury asset is known,
 * when it is a large enough share of assets (M2.6). Brands of other companies sit under the same concept, so the
 * filing's instance, where it was read, has to name coins somewhere.
 */
export function coinsAmongIntangibles({
  issuer,
  sheet,
  filing,
  parameters,
}: Pick<CryptoInputs, 'issuer' | 'sheet' | 'filing' | 'parameters'>): ExactDecimal | null {
  if (issuer.primaryAsset === null || issuer.primaryAsset === 'mixed') return null;
  if (sheet.facts.some((fact) => fact.concept.startsWith('CryptoAsset'))) return null;
  const [coins, assets] = [
    sheet.positive(parameters.concepts.intangibleCoins),
    sheet.positive('us-gaap:Assets'),
  ];
  if (coins === null || assets === null) return null;
  const floor = assets.times(ExactDecimal.fromNumber(parameters.intangibleShareOfAssets));
  const isNamed = filing === null || namesAnyCoins({ sheet, filing, parameters });
  return isNamed && coins.compare(floor) >= 0 && !hasBrands(coins, { sheet, filing, parameters })
    ? coins
    : null;
}

/** True where the classes of the note add up to the line and one of them names no coins (M2.6). */
function hasBrands(line: ExactDecimal, { sheet, filing, parameters: { concepts } }: FilingRead): boolean {
  const classes = new Map<string, ExactDecimal>();
  for (const { concept, unit, start, end, value, dimensions } of filing?.facts ?? []) {
    const [dimension, second] = dimensions;
    if (concept !== concepts.intangibleCoins || unit !== 'USD' || start !== null || end !== sheet.period)
      continue;
    if (dimension === undefined || second !== undefined || value === null) continue;
    if (/ByMajorClassAxis$/.test(dimension.axis)) classes.set(dimension.member, value);
  }
  const isWhole = classes.size > 0 && sumOf([...classes.values()]).equals(line);
  return isWhole && ![...classes.keys()].every((member) => readsAsCoins(member, concepts));
}

/** The fair value on adoption: the same concept dated the day after the period, in a filing known by now (M2.6 a). */
function adoptionDateValue({
  sheet,
  supporting,
  parameters,
}: CryptoInputs): { readonly value: ExactDecimal; readonly fact: FiledFact } | null {
  const day = addDays(sheet.period, 1);
  const found = [...sheet.facts, ...supporting]
    .filter((fact) => `${fact.taxonomy}:${fact.concept}` === parameters.concepts.intangibleCoins)
    .filter((fact) => fact.unit === 'USD' && fact.start === null && fact.end === day);
  const [first] = found;
  // two vintages that differ are a contradiction, not a choice (M1.8)
  if (first === undefined || !found.every((fact) => fact.value.equals(first.value))) return null;
  return { value: first.value, fact: first };
}

/** A filed quantity at the close of the period end (M2.6 b), whole USD (M0.4). */
type UnitsAtClose = {
  readonly value: ExactDecimal;
  readonly quantity: CoinFact;
  readonly coins: ExactDecimal;
  readonly price: TrailPrice;
};

/** The first whole-entity quantity of the curated asset that agrees with the carrying value as a lower bound (M2.6 b). */
function unitsAtClose(
  carried: ExactDecimal,
  { issuer, facts, sheet, prices, parameters }: CryptoInputs,
): UnitsAtClose | null {
  const { primaryAsset: asset } = issuer;
  const close = asset === null || asset === 'mixed' ? null : prices.close(asset, sheet.period);
  if (close === null) return null;
  for (const quantity of facts?.quantities ?? []) {
    if (quantity.asset !== null && quantity.asset !== asset) continue;
    const check = boundedPriceCheck({
      fairValue: carried,
      quantity: quantity.value,
      close: close.close,
      parameters,
    });
    if (check.verdict === 'reject') continue;
    const { date, source } = close;
    return {
      value: check.quantity.times(ExactDecimal.fromNumber(close.close)).rounded(0),
      quantity,
      coins: check.quantity,
      price: { kind: 'price', asset: close.asset, date, close: close.close, source },
    };
  }
  return null;
}

/** Coins at cost less impairment: the adoption-date value, units at the close, else the lower bound (M2.6). */
export function coinsBeforeAdoption(inputs: CryptoInputs, holdings: CryptoHoldings): CryptoHoldings {
  const adopted = adoptionDateValue(inputs);
  const revalued = (
    value: ExactDecimal,
    taken: Pick<TrailRung, 'rung' | 'reason'>,
    before: readonly TrailRung[],
    childrenOf: (root: TrailRoot) => TrailRoot['children'],
  ): CryptoHoldings => ({
    ...holdings,
    amount: value,
    rungs: [...holdings.rungs, ...before, { ...taken, taken: true }],
    roots: holdings.roots.map((root) => ({ ...root, ...taken, value, children: childrenOf(root) })),
  });
  if (adopted !== null) {
    const reason = `fair value dated ${adopted.fact.end}, filed ${adopted.fact.filed}`;
    const taken = { rung: 'adoption_date_value', reason };
    return revalued(adopted.value, taken, [], () => [rowFact(adopted.fact)]);
  }
  const none: TrailRung = {
    rung: 'adoption_date_value',
    taken: false,
    reason: 'no fact dated the day after the period is known by now',
  };
  const units = unitsAtClose(holdings.carried, inputs);
  if (units === null) {
    const reason = 'no quantity of the instance agrees with the carrying value';
    return {
      ...holdings,
      measurement: 'carrying_lower_bound',
      rungs: [...holdings.rungs, none, { rung: 'units_at_close', taken: false, reason }],
    };
  }
  const reason = `${units.coins} ${units.price.asset} at ${units.price.close}`;
  return {
    ...revalued(units.value, { rung: 'units_at_close', reason }, [none], ({ children }) => [
      quantityFact(units.quantity, children),
      units.price,
    ]),
    measurement: 'units_at_close',
  };
}

function rowFact(fact: FiledFact): TrailFact {
  const { unit, start, end, value, accession } = fact;
  return {
    kind: 'fact',
    concept: qualifiedName(fact),
    value,
    weight: 1,
    unit,
    start,
    end,
    accession,
    context: null,
    dimensions: [],
    decimals: null,
    origin: 'companyfacts',
  };
}

function quantityFact({ concept, value, unit, fact }: CoinFact, line: TrailRoot['children']): TrailFact {
  const { contextId, start, end, dimensions, decimals } = fact;
  const accession = line.find((source) => source.kind === 'fact')?.accession ?? '';
  return {
    kind: 'fact',
    concept,
    value,
    weight: 1,
    unit,
    start,
    end,
    accession,
    context: contextId,
    dimensions,
    decimals,
    origin: 'instance',
  };
}
