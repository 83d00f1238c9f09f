import { compareText } from '../../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../../crypto/cryptoHoldings.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { absolute } from '../../exact/decimals.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { Dimension, InstanceFact } from '../../filing/xbrlFiling.ts';
import type { Concepts } from '../../parameters/concepts.ts';
import { capitalFact } from '../figure.ts';
import { membersKey } from '../filedAmounts.ts';
import type { CoinFlow, FlowClass } from '../parts.ts';
import { type Closing, closeRoll, greatestSearch, type Rounded } from './closeRoll.ts';
import {
  assetOfScope,
  isOfScope,
  namesOneCoin,
  type StockPair,
  stockIndex,
  stockPairs,
  withoutDebt,
} from './coinScope.ts';
import { flowClass, signedAmount } from './flowClass.ts';

/** Scopes of a filing that are examined; a hostile one has thousands. */
const greatestScopes = 24;
const greatestPairs = 3;
const greatestGains = 12;

export type RollInputs = {
  readonly period: string;
  /** Facts that are not later than the period. */
  readonly facts: readonly StatedFact[];
  readonly instance: readonly InstanceFact[];
  readonly holdings: Pick<CryptoHoldings, 'carried' | 'roots'>;
  readonly sole: string | null;
  readonly concepts: Concepts;
};

/** The rolls of a filing's coins from one stock to the next, in units and in money (M18.71). */
export function coinRolls(inputs: RollInputs): {
  readonly flows: readonly CoinFlow[];
  readonly notes: readonly string[];
} {
  const { period, facts, instance, holdings, concepts } = inputs;
  const areIntangible = holdings.roots.some(({ concept }) => concept === concepts.intangibleCoins);
  const index = stockIndex(facts, instance);
  const groups = rowGroups(facts, { period, areIntangible }).filter(({ rows }) => rows.some(isClassified));
  const examined = groups.toSorted(
    (a, b) => a.key.length - b.key.length || compareText(a.start + a.key + a.unit, b.start + b.key + b.unit),
  );
  const openings = openingBalances(facts, period);
  const gains = unnamedGains(facts, period);
  const rolls = examined.slice(0, greatestScopes).flatMap((group) => {
    const pairs = stockPairs({
      index,
      scope: group,
      start: group.start,
      period,
      holdings,
      openings: openings.filter(
        ({ start, unit, dimensions }) =>
          start === group.start && unit === group.unit && membersKey(dimensions) === group.key,
      ),
    });
    return bestRoll(group, { pairs: pairs.slice(0, greatestPairs), gains, inputs });
  });
  return {
    flows: onePerStocks(rolls),
    notes: groups.length > greatestScopes ? [`coin_flow_scopes_limited:${groups.length}`] : [],
  };
}

function isClassified({ kind, amount }: CandidateRow): boolean {
  return kind !== 'other' && amount.sign !== 0;
}

function openingBalances(facts: readonly StatedFact[], period: string): readonly StatedFact[] {
  return facts.filter(
    ({ concept, start, end, namesCoins }) =>
      start !== null &&
      end === period &&
      namesCoins &&
      /(Beginning|Opening)\w*Balance/.test(localName(concept)),
  );
}

function unnamedGains(facts: readonly StatedFact[], period: string): readonly StatedFact[] {
  return facts.filter(
    ({ concept, start, end, dimensions, namesCoins, value }) =>
      start !== null &&
      end === period &&
      dimensions.length === 0 &&
      !namesCoins &&
      value.sign !== 0 &&
      /(Gain|Loss)/.test(localName(concept)) &&
      !/(IncomeLoss|ProfitLoss|Comprehensive|PerShare|Contingenc|CarryForward|Carryforward)/.test(concept),
  );
}

type Tried = {
  readonly pair: StockPair;
  readonly rows: readonly CandidateRow[];
  readonly closing: Closing;
  readonly gain: StatedFact | null;
};

/** The roll of one scope: between the stocks that close with the fewest rows excluded, else the first and what is missing. */
function bestRoll(
  group: RowGroup,
  { pairs, gains, inputs }: { pairs: readonly StockPair[]; gains: readonly StatedFact[]; inputs: RollInputs },
): readonly CoinFlow[] {
  const [first] = pairs;
  if (first === undefined) return [];
  const closing = pairs
    .flatMap((pair) => closed(group, pair) ?? [])
    .toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const [plainest] = closing;
  if (plainest !== undefined) return [flowOf(group, plainest, inputs)];
  const outside = gains.filter(({ start, unit }) => start === group.start && unit === group.unit);
  if (group.key === '' && outside.length > 0 && outside.length <= greatestGains) {
    for (const pair of pairs) {
      const tried = closedByGain(group, { pair, gains: outside });
      if (tried !== null) return [flowOf(group, tried, inputs)];
    }
  }
  return [openFlow(group, first, inputs)];
}

/** Rows as finely filed as the closing stock; coarser ones are sentences (M18.71). */
function fineRows(rows: readonly CandidateRow[], { closing }: StockPair): readonly CandidateRow[] {
  const fineness = (decimals: Rounded['decimals']) =>
    typeof decimals === 'number' ? decimals : Number.POSITIVE_INFINITY;
  return rows.filter(({ fact }) => fineness(fact.decimals) >= fineness(closing.decimals));
}

function closed(group: RowGroup, pair: StockPair): Tried | null {
  const all = fineRows(group.rows, pair).filter(({ amount }) => amount.sign !== 0);
  const ofTable = all.filter(({ isOfStatement }) => !isOfStatement);
  const ofStandard = ofTable.filter(({ fact }) => fact.concept.startsWith('us-gaap:'));
  const ofClass = ofTable.filter(({ kind }) => kind !== 'other');
  const sets = new Map([ofStandard, ofClass, ofTable, all].map((rows) => [rows.length, rows]));
  sets.delete(0);
  const found = [...sets.values()].flatMap((rows): Tried[] => {
    const closing = closeRoll({ ...pair, rows: rows.map(rollRow) });
    return closing === null || closing === 'ambiguous' ? [] : [{ pair, rows, closing, gain: null }];
  });
  return found.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? null;
}

/** How much of the filing has to be read otherwise than it stands. */
function sizeOf({ closing }: Tried): number {
  return closing.dropped.length + (closing.flipped === null ? 0 : 1);
}

function closedByGain(
  group: RowGroup,
  { pair, gains }: { pair: StockPair; gains: readonly StatedFact[] },
): Tried | null {
  const rows = fineRows(group.rows, pair).filter(
    ({ amount, isOfStatement }) => amount.sign !== 0 && !isOfStatement,
  );
  if (rows.length > greatestSearch) return null;
  const closing = closeRoll({
    ...pair,
    rows: rows.map(rollRow),
    gains: gains.map(({ value, decimals }) => ({ amount: value, decimals })),
  });
  if (closing === null || closing === 'ambiguous' || closing.gain === null) return null;
  return { pair, rows, closing, gain: gains[closing.gain.index] ?? null };
}

function rollRow({ amount, fact, kind }: CandidateRow) {
  return { amount, decimals: fact.decimals, canFlip: kind === 'gain' };
}

function flowOf(group: RowGroup, { pair, rows, closing, gain }: Tried, inputs: RollInputs): CoinFlow {
  const kept = rows.flatMap((row, index): CoinFlow['rows'] => {
    if (closing.dropped.includes(index)) return [];
    const amount = closing.flipped === index ? row.amount.negated() : row.amount;
    return [{ kind: row.kind, amount, fact: capitalFact(row.fact) }];
  });
  const taken: CoinFlow['rows'] =
    gain === null || closing.gain === null
      ? []
      : [
          {
            kind: 'gain',
            amount: closing.gain.isNegated ? gain.value.negated() : gain.value,
            fact: capitalFact(gain),
          },
        ];
  const dropped = closing.dropped.flatMap((index) => rows[index]?.fact.concept ?? []);
  return {
    ...framed({ group, pair, rows: [...kept, ...taken], inputs }),
    status: 'proven',
    notes: [
      ...(gain === null ? [] : [`roll_item_unnamed:${gain.concept}`]),
      ...dropped.map((concept) => `roll_row_excluded:${concept}`),
      ...(closing.flipped === null ? [] : [`roll_gain_sign:${rows[closing.flipped]?.fact.concept}`]),
    ].sort(compareText),
  };
}

/** A roll that does not close: of the rows of the table, or of the statements too, those that leave less, and what is missing. */
function openFlow(group: RowGroup, pair: StockPair, inputs: RollInputs): CoinFlow {
  const all = fineRows(group.rows, pair).filter(({ amount }) => amount.sign !== 0);
  const ofTable = all.filter(({ isOfStatement }) => !isOfStatement);
  const isPlainer = absolute(missingOf(pair, ofTable)).compare(absolute(missingOf(pair, all))) <= 0;
  const rows = isPlainer ? ofTable : all;
  const shown = rows
    .toSorted((a, b) => absolute(b.amount).compare(absolute(a.amount)))
    .slice(0, greatestSearch)
    .map(({ kind, amount, fact }) => ({ kind, amount, fact: capitalFact(fact) }));
  return {
    ...framed({ group, pair, rows: shown, inputs }),
    status: 'unproven',
    notes: rows.length > greatestSearch ? [`roll_search_limited:${rows.length}`] : [],
  };
}

function missingOf({ opening, closing }: StockPair, rows: readonly CandidateRow[]): ExactDecimal {
  return closing.amount.minus(opening.amount).minus(sumOf(rows.map(({ amount }) => amount)));
}

function framed({
  group,
  pair,
  rows,
  inputs,
}: {
  group: RowGroup;
  pair: StockPair;
  rows: CoinFlow['rows'];
  inputs: RollInputs;
}): Omit<CoinFlow, 'status' | 'notes'> {
  const { opening, closing } = pair;
  const sum = sumOf(rows.map(({ amount }) => amount));
  return {
    asset: assetOfScope(dimensionsOf(pair), inputs),
    dimensions: dimensionsOf(pair),
    measure: /^[A-Z]{3}$/.test(group.unit) ? 'value' : 'units',
    start: group.start,
    end: inputs.period,
    opening: opening.amount,
    rows,
    closing: closing.amount,
    residual: closing.amount.minus(opening.amount).minus(sum),
    facts: pair.facts.map(capitalFact),
  };
}

function dimensionsOf({ facts }: StockPair): readonly Dimension[] {
  return facts[0]?.dimensions ?? [];
}

/** Of rolls between the same two stocks one: that which closes, else that with fewer members. */
function onePerStocks(flows: readonly CoinFlow[]): readonly CoinFlow[] {
  const groups = Map.groupBy(
    flows,
    ({ measure, start, opening, closing }) => `${measure} ${start} ${opening} ${closing}`,
  );
  return [...groups.values()].flatMap((same) => {
    const proven = same.filter(({ status }) => status === 'proven');
    const named = proven.filter(({ asset, dimensions }) => dimensions.length === 0 || asset.length > 1);
    const [best] = [...named, ...proven, ...same];
    return best === undefined ? [] : [best];
  });
}

type CandidateRow = {
  readonly kind: FlowClass;
  readonly amount: ExactDecimal;
  readonly fact: StatedFact;
  readonly isOfStatement: boolean;
  /** Its sign is the filed one, since the name does not say which way the coins went. */
  readonly isAsFiled: boolean;
};

type RowGroup = {
  readonly key: string;
  readonly unit: string;
  readonly start: string;
  readonly rows: readonly CandidateRow[];
};

/** What buys, impairs or sells an intangible asset, where the coins are carried as one (MSTR). */
const intangibleFlow =
  /^us-gaap:(PaymentsToAcquireIntangibleAssets|ImpairmentOfIntangibleAssets\w*|ProceedsFromSaleOf\w*IntangibleAssets\w*)$/;

/** Flow facts of coins that end with the period, by their members, unit and start (M18.71). */
function rowGroups(
  facts: readonly StatedFact[],
  { period, areIntangible }: { readonly period: string; readonly areIntangible: boolean },
): readonly RowGroup[] {
  const groups = new Map<string, { key: string; unit: string; start: string; facts: StatedFact[] }>();
  for (const fact of facts) {
    const { start, end, unit } = fact;
    if (start === null || end !== period) continue;
    const isIntangible = areIntangible && fact.dimensions.length === 0 && intangibleFlow.test(fact.concept);
    if (!isIntangible && !isCoinFlow(fact)) continue;
    const dimensions = withoutDebt(fact.dimensions);
    if (!isOfScope({ dimensions })) continue;
    const key = membersKey(dimensions);
    const id = `${start} ${unit} ${key}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { key, unit, start, facts: [fact] });
    else group.facts.push(fact);
  }
  return [...groups.values()].map((group) => ({ ...group, rows: candidates(group.facts) }));
}

function isCoinFlow(fact: StatedFact): boolean {
  if (!fact.namesCoins && !namesOneCoin(fact)) return false;
  // a number of coins in dollars is neither (KULR)
  if (/^[A-Z]{3}$/.test(fact.unit)) return !/NumberOf|Quantity|Units/.test(localName(fact.concept));
  return !/^(pure|shares)$|\//.test(fact.unit);
}

/** Classified and signed, each amount once (M18.70, M18.71). */
function candidates(facts: readonly StatedFact[]): readonly CandidateRow[] {
  const purchases = facts.filter(({ concept }) => /Purchase/.test(localName(concept)));
  const isBesidePurchase = ({ concept, value }: StatedFact) =>
    localName(concept).startsWith('PaymentForAcquisition') &&
    purchases.length > 0 &&
    !purchases.some((purchase) => purchase.value.equals(value));
  const rows = facts.flatMap((fact): CandidateRow[] => {
    const found = flowClass(fact.concept);
    // a figure of a member that is about its coins without a word for it, such as revenue by coin
    if (found === null || (found.kind === 'other' && !fact.namesCoins)) return [];
    const { kind, sign, isOfStatement } = isBesidePurchase(fact)
      ? ({ kind: 'paid', sign: 'out', isOfStatement: true } as const)
      : found;
    const amount = signedAmount(fact.value, sign);
    // no statement counts coins
    const isOfMoneyStatement = isOfStatement && /^[A-Z]{3}$/.test(fact.unit);
    return [{ kind, amount, fact, isOfStatement: isOfMoneyStatement, isAsFiled: sign === 'filed' }];
  });
  return once(rows.toSorted(byWord));
}

/** The plainest name first: of the table before the statements, of a class before none, of the standard before the filer's. */
function byWord(a: CandidateRow, b: CandidateRow): number {
  const rank = ({ kind, isOfStatement, isAsFiled, fact }: CandidateRow) =>
    (isOfStatement ? 8 : 0) + (kind === 'other' ? 4 : 0) + (isAsFiled ? 2 : 0) + (isStandard(fact) ? 0 : 1);
  return (
    rank(a) - rank(b) ||
    compareText(a.fact.concept, b.fact.concept) ||
    compareText(a.fact.identity, b.fact.identity)
  );
}

function isStandard({ concept }: StatedFact): boolean {
  return concept.startsWith('us-gaap:');
}

/** An amount that several names state is one row; where the names say no direction, the one that is filed negative counts. */
function once(rows: readonly CandidateRow[]): readonly CandidateRow[] {
  const byMagnitude = new Map<string, CandidateRow[]>();
  for (const row of rows) {
    const magnitude = absolute(row.amount).toString();
    const found = byMagnitude.get(magnitude);
    if (found === undefined) byMagnitude.set(magnitude, [row]);
    else found.push(row);
  }
  return [...byMagnitude.values()].flatMap((same) => {
    const certain = same.filter(({ isAsFiled }) => !isAsFiled);
    const [first] = certain.length > 0 ? certain : same;
    if (first === undefined) return [];
    if (certain.length === 0) return [same.find(({ amount }) => amount.sign < 0) ?? first];
    const opposite = certain.find(({ amount }) => amount.sign !== first.amount.sign);
    return opposite === undefined ? [first] : [first, opposite];
  });
}
