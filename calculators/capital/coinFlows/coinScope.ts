import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { assetOf } from '../../assets/classifyCoins.ts';
import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import { isQuantity, isSubsequentMember, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { addDays } from '../../exact/civilDate.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { Dimension, InstanceFact } from '../../filing/xbrlFiling.ts';
import type { Concepts } from '../../parameters/concepts.ts';
import { membersKey } from '../filedAmounts.ts';
import type { Rounded } from './closeRoll.ts';

/** Stands for coins that no member divides by kind. */
export const everyAsset = '*';

/** Members that qualify a fact and make no stock of coins of their own: segments, levels, parties, what happened later. */
const qualifier =
  /:(ConsolidationItems|StatementBusinessSegments|Segments?|Subsegments|StatementGeographical|Geographical|Range|SubsequentEventType|Restatement|StatementScenario|CounterpartyName|RelatedParty\w*|OwnershipAxis|LegalEntity|TypeOfArrangement|PropertyPlantAndEquipmentByType|FairValueBy(FairValueHierarchyLevel|MeasurementBasis|MeasurementFrequency)|ProductOrService|StatementEquityComponents|ClassOfWarrantOrRight|AwardType|DerivativeInstrumentRisk|BusinessAcquisition|ScheduleOfEquityMethod\w*|ConcentrationRisk\w*)\w*/;
/** Members that name how coins are measured or kept; no coin has such a name (NXTT `DigitalAssetFairValue`, BTCS `Staked`). */
const measureMember =
  /(FairValue|NumberOf|Held|Cost|Purchase|Seller|Contract|Agreement|Treasury|Staked|Staking|Custod|Restricted|Pledge|DeFi|DigitalAssets?Member|CryptoAssets?(Other)?Member|Machine|Miner|Fund)/;
const debtAxis = /:\w*(Debt|Loan|Credit|Notes?)\w*Axis$/;

/** Members under which another figure stands than a stock of coins: a change, a cost, a stablecoin (NXTT, BTBT). */
const otherMember = /(FairValueChange|ChangeIn|Gain|Loss|CostBasis|OriginalCost|USDC|USDT|Stable[Cc]oin)/;

/** True for facts of the whole entity or of a stock of coins by member. */
export function isOfScope({ dimensions }: Pick<StatedFact, 'dimensions'>): boolean {
  return (
    dimensions.length <= 2 &&
    !dimensions.some(({ axis, member }) => qualifier.test(axis) || otherMember.test(localName(member)))
  );
}

/** Splits off a member that only says which note the coins came from (FLD), where the rest is a scope. */
export function withoutDebt(dimensions: readonly Dimension[]): readonly Dimension[] {
  const rest = dimensions.filter(({ axis }) => !debtAxis.test(axis));
  return rest.length === dimensions.length - 1 ? rest : dimensions;
}

export function isLater({ end, dimensions }: StatedFact, period: string): boolean {
  return end > period || dimensions.some(isSubsequentMember);
}

/** The coin of a scope (M18.74): its member's, else the one that is nearly all the issuer holds, else {@link everyAsset}. */
export function assetOfScope(
  dimensions: readonly Dimension[],
  { sole, concepts }: { readonly sole: string | null; readonly concepts: Concepts },
): string {
  const member = dimensions.find(({ axis }) => axis.endsWith(':CryptoAssetAxis'))?.member;
  if (member === undefined) return sole ?? everyAsset;
  if (measureMember.test(localName(member))) return sole ?? everyAsset;
  return coinOf(member, concepts) ?? member;
}

/** The coin a member names, in any capitals (KULR `BitCoinMember`). */
function coinOf(member: string, concepts: Concepts): string | null {
  const name = localName(member).replace(/Member$/, '');
  return (
    assetOf(member, concepts) ?? assetOf(name.charAt(0).toUpperCase() + name.slice(1).toLowerCase(), concepts)
  );
}

/** True where a member names one coin, known or not. */
export function namesOneCoin({ dimensions }: Pick<StatedFact, 'dimensions'>): boolean {
  return dimensions.some(
    ({ axis, member }) => axis.endsWith(':CryptoAssetAxis') && !measureMember.test(localName(member)),
  );
}

/** A stock of coins before and after a period, and the facts that state it. */
export type StockPair = {
  readonly opening: Rounded;
  readonly closing: Rounded;
  readonly facts: readonly StatedFact[];
  /** The closing amount is the coins of the balance sheet. */
  readonly isHoldings: boolean;
};

/** Amounts and quantities about coins that are no stock of them. */
const noStock =
  /(Restricted|Pledge|Collateral|Receivable|Payable|Liabilit|Per(Bitcoin|Ether|Coin|Token|Unit|CryptoAsset)|Price|Gain|Loss|Impairment|Unsettled|Safeguard|Loan|Financing|Borrow|Notional|Prepa(id|yment)|Lease|Trade|Managed|Delegated|Paid|Repaid|Funded|Derivative|Purchase|Sold|Received|Capacity|Contributed|Goodwill|Equipment|Note)/;

/** Stocks of coins by day, concept and members: indexed once, so that a roll finds its ends. */
type StockIndex = {
  readonly at: (concept: string, day: string, scope: Scope) => StatedFact | null;
  /** Coin concepts that state a stock of the scope on the day. */
  readonly of: (day: string, scope: Scope) => readonly StatedFact[];
  readonly isNil: (concept: string, day: string, scope: Scope) => boolean;
};

export function stockIndex(facts: readonly StatedFact[], instance: readonly InstanceFact[]): StockIndex {
  const byId = new Map<string, StatedFact>();
  const byScope = new Map<string, StatedFact[]>();
  const contradicted = new Set<string>();
  for (const fact of facts) {
    if (fact.start !== null || !isOfScope(fact)) continue;
    const key = membersKey(fact.dimensions);
    const id = `${fact.concept} ${fact.end} ${fact.unit} ${key}`;
    if (byId.has(id)) contradicted.add(id);
    byId.set(id, fact);
    if (!isStock(fact)) continue;
    const scope = `${fact.end} ${fact.unit} ${key}`;
    const found = byScope.get(scope);
    if (found === undefined) byScope.set(scope, [fact]);
    else found.push(fact);
  }
  const nil = new Set(
    instance
      .filter(({ value, start }) => value === null && start === null)
      .map(({ concept, end, dimensions }) => `${concept} ${end} ${membersKey(dimensions)}`),
  );
  return {
    at: (concept, day, { key, unit }) => {
      const id = `${concept} ${day} ${unit} ${key}`;
      return contradicted.has(id) ? null : (byId.get(id) ?? null);
    },
    of: (day, { key, unit }) => byScope.get(`${day} ${unit} ${key}`) ?? [],
    isNil: (concept, day, { key }) => nil.has(`${concept} ${day} ${key}`),
  };
}

function isStock(fact: StatedFact): boolean {
  if (!fact.isOfCoins || noStock.test(localName(fact.concept))) return false;
  if (isQuantity(fact)) return true;
  // CLSK files its number of coins in dollars
  return /^[A-Z]{3}$/.test(fact.unit) && fact.namesCoins && !/NumberOf|Quantity|Units/.test(fact.concept);
}

type Scope = { readonly key: string; readonly unit: string };
type PairSearch = {
  readonly index: StockIndex;
  readonly scope: Scope;
  readonly start: string;
  readonly period: string;
  readonly holdings: Pick<CryptoHoldings, 'carried' | 'roots'>;
  /** Balances filed on the context of the flows (CLSK `AdjustedBeginningBalanceFairValueOfBitcoin`). */
  readonly openings: readonly StatedFact[];
};

/**
 * The stocks that a roll of the scope may start from and lead to (M18.71): one concept at both days, the face lines of the
 * coins at both days, or a balance that is filed with the flows; those of the balance sheet first.
 */
export function stockPairs({ start, openings, ...search }: PairSearch): readonly StockPair[] {
  const { index, scope, period, holdings } = search;
  const before = addDays(start, -1);
  const isWhole = scope.key === '';
  const isMoney = /^[A-Z]{3}$/.test(scope.unit);
  const isHoldings = (amount: ExactDecimal) => isWhole && isMoney && amount.equals(holdings.carried);
  const closings = index.of(period, scope).filter(({ concept, value }) => {
    // a cost is a stock only where it is what the balance sheet shows (BTCS files its fair value under the cost)
    return !/Cost/.test(localName(concept)) || isHoldings(value);
  });
  const pairOf = (opening: StatedFact, closing: StatedFact): StockPair => ({
    ...{ opening: rounded(opening), closing: rounded(closing), facts: [opening, closing] },
    isHoldings: isHoldings(closing.value),
  });
  const named = closings.flatMap((closing): StockPair[] => {
    const opening = index.at(closing.concept, before, scope);
    if (opening !== null) return [pairOf(opening, closing)];
    if (!index.isNil(closing.concept, before, scope)) return [];
    return [{ ...pairOf(closing, closing), opening: nothing(closing), facts: [closing] }];
  });
  const face = isWhole && isMoney ? facePair(before, search) : null;
  const filed = openings.flatMap((opening) => closings.map((closing) => pairOf(opening, closing)));
  const same = [...named, ...(face === null ? [] : [face]), ...filed];
  // a line that has moved between current and noncurrent, or got a tag, has another concept before (RIOT, BTBT 2024)
  const moved =
    same.length > 0
      ? []
      : closings
          .filter(({ value }) => !isWhole || isHoldings(value))
          .flatMap((closing) =>
            index
              .of(before, scope)
              .filter(({ concept }) => !/Cost/.test(localName(concept)))
              .map((opening) => pairOf(opening, closing)),
          );
  return distinct([...same, ...moved]).toSorted((a, b) => Number(b.isHoldings) - Number(a.isHoldings));
}

/** The lines of the face that make up C, and the same lines the day before the start. */
function facePair(
  before: string,
  { index, scope, period, holdings }: Omit<PairSearch, 'start' | 'openings'>,
): StockPair | null {
  const concepts = [...new Set(holdings.roots.map(({ concept }) => concept))];
  const ends = concepts.flatMap((concept) => index.at(concept, period, scope) ?? []);
  const starts = concepts.flatMap((concept) => index.at(concept, before, scope) ?? []);
  const closing = sumOf(ends.map(({ value }) => value));
  if (ends.length === 0 || starts.length === 0 || !closing.equals(holdings.carried)) return null;
  return {
    opening: { amount: sumOf(starts.map(({ value }) => value)), decimals: coarsest(starts) },
    closing: { amount: closing, decimals: coarsest(ends) },
    facts: [...starts, ...ends],
    isHoldings: true,
  };
}

function coarsest(facts: readonly StatedFact[]): Rounded['decimals'] {
  const stated = facts.map(({ decimals }) => decimals).filter((decimals) => typeof decimals === 'number');
  return stated.length === 0 ? 'INF' : Math.min(...stated);
}

function distinct(pairs: readonly StockPair[]): readonly StockPair[] {
  const found = new Map<string, StockPair>();
  for (const pair of pairs) {
    const id = `${pair.opening.amount} ${pair.closing.amount}`;
    if (!found.has(id)) found.set(id, pair);
  }
  return [...found.values()];
}

function rounded({ value, decimals }: StatedFact): Rounded {
  return { amount: value, decimals };
}

/** A dash: reported, none. */
function nothing({ decimals }: StatedFact): Rounded {
  return { amount: ExactDecimal.zero, decimals };
}
