import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { daysBetween } from '../exact/civilDate.ts';
import { absolute } from '../exact/decimals.ts';
import { divide, exactly, type Fraction, published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import {
  type ChainLink,
  chainStocks,
  flowsOf,
  flowsWithin,
  netOf,
  type StatedFlow,
  stocksByDay,
} from './chainStocks.ts';
import type { DebtSince } from './debtSince.ts';
import type { Confidence, Statement } from './statement.ts';

/** The units of a coin in the balance sheet in force; null units where the filing states none that are accepted. */
export type FiledUnits = { readonly periodEnd: string; readonly units: ExactDecimal | null };

/** A stock stated for the balance-sheet day against the filed units (M17.23). */
export type ScopeVerdict =
  | { readonly verdict: 'agrees' }
  | { readonly verdict: 'differs'; readonly percent: number }
  | null;

/** Units of a coin on a day, and what they rest on (M17.24). */
export type CurrentUnits = {
  readonly units: ExactDecimal | null;
  readonly basis: 'periodic' | 'stated' | 'stated_rolled';
  readonly asOf: string;
  readonly ageDays: number;
  readonly confidence: Confidence | null;
  readonly stock: Statement | null;
  /** What filed values are scaled from: filed units, or the stock stated for the balance-sheet day. */
  readonly scopeUnits: ExactDecimal | null;
  /** That stock; null where filed units are scaled. */
  readonly scopeStock: Statement | null;
  /** How the stock follows from the one before it. */
  readonly link: ChainLink | null;
  /** Flows counted after the stock. */
  readonly flows: readonly StatedFlow[];
  readonly notes: readonly string[];
};

const mostOff = ExactDecimal.parse('0.005');
const staleDays = 45;
const provenLinks = 3;

/** The stock of the balance-sheet day, or the last before it with the flows between, against the filed units (M17.23). */
export function scopeOf(statements: readonly Statement[], asset: string, filed: FiledUnits): ScopeVerdict {
  const stated = statedFor(statements, asset, filed.periodEnd);
  if (stated === null || filed.units === null || filed.units.sign <= 0) return null;
  const off = stated.minus(filed.units);
  const distance = absolute(off);
  if (distance.compare(filed.units.times(mostOff)) <= 0) return { verdict: 'agrees' };
  const percent = published(divide(exactly(off.times(ExactDecimal.parse('100'))), exactly(filed.units)), 2);
  return { verdict: 'differs', percent };
}

function statedFor(statements: readonly Statement[], asset: string, day: string): ExactDecimal | null {
  const stock = stocksByDay(
    statements.filter((one) => one.asset === asset && one.confidence !== 'Low'),
  ).findLast(({ asOf }) => asOf <= day);
  if (stock === undefined) return null;
  return stock.units.plus(netOf(flowsWithin(flowsOf(statements, asset), stock.asOf, day)));
}

/** What an issuer stated last of a coin: a stock, and the table flows after it on a proven chain (M17.24). */
export type NewestUnits = {
  readonly stock: Statement & { readonly asOf: string };
  readonly units: ExactDecimal;
  readonly basis: 'stated' | 'stated_rolled';
  /** Day of the stock or the last flow. */
  readonly asOf: string;
  /** One step less sure than the stock after a gap. */
  readonly confidence: Confidence;
  readonly link: ChainLink | null;
  readonly flows: readonly StatedFlow[];
};

/** Least confidence that moves units where a deployment says nothing else (M17.40). */
const usualLeast: Parameters['statedUnitsConfidence'] = { '8-K': 'Medium', '6-K': 'Medium' };

/**
 * The newest stock an issuer stated after a day, with the flows that later tables add to it; null for none.
 *
 * @param after day of the balance sheet; every stock counts without one
 */
export function newestUnits({
  statements,
  asset,
  day,
  after = '',
  links = chainStocks(statements, asset),
  least = usualLeast,
}: {
  statements: readonly Statement[];
  asset: string;
  day: string;
  after?: string;
  links?: readonly ChainLink[];
  least?: Parameters['statedUnitsConfidence'];
}): NewestUnits | null {
  const moving = statements.filter((one) => movesUnits(one, least));
  const stock = usableStock(moving, asset, { links, after, until: day });
  if (stock === null) return null;
  const rolled =
    links.length >= provenLinks && links.slice(-provenLinks).every(({ verdict }) => verdict === 'proven');
  const flows = rolled ? tableFlowsAfter(moving, asset, stock.asOf, day) : [];
  const link = links.find(({ to }) => to === stock) ?? null;
  return {
    ...{ stock, flows, link },
    units: stock.units.plus(netOf(flows)),
    basis: flows.length > 0 ? 'stated_rolled' : 'stated',
    asOf: flows.at(-1)?.to ?? stock.asOf,
    confidence: link?.verdict === 'gap' ? oneDown(stock.confidence) : stock.confidence,
  };
}

/**
 * The newest stock after the balance sheet in force, with table flows on a proven chain; else the filed units (M17.24).
 *
 * @param statements of one issuer, all accepted by `day`
 */
export function currentUnits({
  statements,
  asset,
  day,
  filed,
  least = usualLeast,
}: {
  statements: readonly Statement[];
  asset: string;
  day: string;
  filed: FiledUnits;
  /** Least confidence that moves units, by form (M17.40). */
  least?: Parameters['statedUnitsConfidence'];
}): CurrentUnits {
  const links = chainStocks(statements, asset);
  const periodic = (notes: readonly string[]): CurrentUnits => ({
    ...{
      units: filed.units,
      basis: 'periodic',
      asOf: filed.periodEnd,
      ageDays: daysBetween(filed.periodEnd, day),
    },
    ...{
      confidence: null,
      stock: null,
      scopeUnits: filed.units,
      scopeStock: null,
      link: null,
      flows: [],
      notes,
    },
  });
  const newest = newestUnits({ statements, asset, day, after: filed.periodEnd, links, least });
  const quarantined = links.some(
    ({ to, isQuarantined }) =>
      isQuarantined && (to.asOf ?? '') > (newest?.stock.asOf ?? filed.periodEnd) && (to.asOf ?? '') <= day,
  );
  const held = quarantined ? ['units_quarantined'] : [];
  if (newest === null) return periodic(held);
  const scope = scopeOf(statements, asset, filed);
  const sameDay = stocksByDay(statements.filter((one) => one.asset === asset)).find(
    ({ asOf }) => asOf === filed.periodEnd,
  );
  const scopeStock = scope?.verdict === 'agrees' ? null : (sameDay ?? null);
  const scopeUnits = scope?.verdict === 'agrees' ? filed.units : (scopeStock?.units ?? null);
  if (scopeUnits === null) return periodic(['units_scope_unknown', ...held]);
  const { asOf, link } = newest;
  const ageDays = daysBetween(asOf, day);
  return {
    ...newest,
    ageDays,
    scopeUnits,
    scopeStock,
    notes: [
      `units_stated:${asOf}`,
      ...(ageDays > staleDays ? [`units_stale:${ageDays}`] : []),
      ...(link?.verdict === 'gap' ? [`coins_gap:${link.difference}`] : []),
      ...held,
    ],
  };
}

/** True where a deployment lets the form and confidence of a statement move live units (M17.40). */
export function movesUnits(
  {
    confidence,
    source: { form },
  }: Pick<Statement, 'confidence'> & { source: Pick<Statement['source'], 'form'> },
  least: Parameters['statedUnitsConfidence'],
): boolean {
  const wanted = least[form.startsWith('6-K') ? '6-K' : '8-K'];
  return wanted === 'High' ? confidence === 'High' : wanted === 'Medium' && confidence !== 'Low';
}

type UsableStock = ReturnType<typeof stocksByDay>[number];

/** The newest stock that no rule holds back: not quarantined, not contradicted, after the balance sheet. */
function usableStock(
  statements: readonly Statement[],
  asset: string,
  { links, after, until }: { links: readonly ChainLink[]; after: string; until: string },
): UsableStock | null {
  const stocks = stocksByDay(statements.filter((one) => one.asset === asset && one.confidence !== 'Low'));
  const heldBack = new Set(
    links.flatMap(({ from, to, verdict, isQuarantined }) =>
      verdict === 'contradiction' ? [from, to] : isQuarantined ? [to] : [],
    ),
  );
  return (
    stocks.findLast((stock) => stock.asOf > after && stock.asOf <= until && !heldBack.has(stock)) ?? null
  );
}

/** Flows wholly after a stock that move units: from a table, with both days stated, of high confidence. */
function tableFlowsAfter(statements: readonly Statement[], asset: string, after: string, until: string) {
  const sure = statements.filter(
    ({ fromTable, periodFrom, confidence }) =>
      fromTable && periodFrom !== null && periodFrom > after && confidence === 'High',
  );
  return flowsWithin(flowsOf(sure, asset), after, until);
}

function oneDown(confidence: Confidence): Confidence {
  return confidence === 'High' ? 'Medium' : 'Low';
}

/** Current units that are not those of the balance sheet. */
export type MovedUnits = CurrentUnits & {
  readonly units: ExactDecimal;
  readonly basis: 'stated' | 'stated_rolled';
  readonly stock: Statement;
  readonly confidence: 'High' | 'Medium';
};

/** Coins an issuer stated after its balance sheet, and the debt of the same time (M17.24, M17.26). */
export type StatedUnits = {
  /** The coin of the largest filed value that moved. */
  readonly asset: string;
  readonly current: MovedUnits;
  /** By coin: units now over the units the filed value stands for. */
  readonly factors: ReadonlyMap<string, Fraction>;
  readonly debt: DebtSince;
};
