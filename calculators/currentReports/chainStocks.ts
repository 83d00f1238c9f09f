import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { addDays, daysBetween } from '../exact/civilDate.ts';
import { absolute } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Statement } from './statement.ts';

/** Does a stock follow from the one before it (M17.20)? */
export type LinkVerdict = 'proven' | 'rounded' | 'approximate' | 'gap' | 'contradiction';

/** Two stocks of one coin that follow each other, and the flows stated between them. */
export type ChainLink = {
  readonly asset: string;
  readonly from: Statement;
  readonly to: Statement;
  readonly flows: readonly StatedFlow[];
  /** What the newer stock exceeds the older one and the flows by. */
  readonly difference: ExactDecimal;
  readonly verdict: LinkVerdict;
  /** The newer stock is more than three times the older one, or less than a third, and no flow says why (M17.21). */
  readonly isQuarantined: boolean;
};

/** A flow of a link: as stated, or the difference of two that begin on one day. */
export type StatedFlow = {
  readonly kind: FlowKind;
  readonly units: ExactDecimal;
  readonly from: string | null;
  readonly to: string;
  readonly statements: readonly Statement[];
};

type FlowKind = 'purchase' | 'sale' | 'production';
type Stock = Statement & { readonly units: ExactDecimal; readonly asOf: string };

/** The stocks of one issuer and coin by day, each linked with the one before it (M17.19, M17.20). */
export function chainStocks(statements: readonly Statement[], asset: string): ChainLink[] {
  const own = statements.filter((one) => one.asset === asset && one.confidence !== 'Low');
  const stocks = stocksByDay(own);
  const flows = withDifferences(statedFlows(own));
  const links = stocks.slice(1).flatMap((to, index) => {
    const from = stocks[index];
    return from === undefined ? [] : [linkOf(from, to, flows)];
  });
  return links.map((link, index) => ({
    ...link,
    isQuarantined: link.isQuarantined && !isConfirmed(link.to, own, links[index + 1]),
  }));
}

/** One stock a day: of several the last accepted, so that an amendment replaces what it amends (M17.18). */
export function stocksByDay(statements: readonly Statement[]): Stock[] {
  const byDay = new Map<string, Stock>();
  const accepted = statements
    .filter((one): one is Stock => one.kind === 'holdings' && one.units !== null && one.asOf !== null)
    .toSorted((a, b) => compareText(a.source.acceptedAt, b.source.acceptedAt));
  for (const stock of accepted) byDay.set(stock.asOf, stock);
  return [...byDay.values()].toSorted((a, b) => compareText(a.asOf, b.asOf));
}

function statedFlows(statements: readonly Statement[]): StatedFlow[] {
  const flows = new Map<string, StatedFlow>();
  for (const one of statements.toSorted((a, b) => compareText(a.source.acceptedAt, b.source.acceptedAt))) {
    const { kind, units, asOf, periodFrom } = one;
    if ((kind !== 'purchase' && kind !== 'sale' && kind !== 'production') || units === null || asOf === null)
      continue;
    // a later filing that states the same period again replaces it
    const key = periodFrom === null ? `${kind} ${asOf} ${units}` : `${kind} ${periodFrom} ${asOf}`;
    flows.set(key, { kind, units, from: periodFrom, to: asOf, statements: [one] });
  }
  return [...flows.values()];
}

/** Of two flows that begin on one day the difference is the flow between their ends (M17.19). */
function withDifferences(flows: readonly StatedFlow[]): StatedFlow[] {
  const differences = flows.flatMap((longer) => {
    const shorter = flows
      .filter(
        (one) =>
          one.kind === longer.kind && one.from !== null && one.from === longer.from && one.to < longer.to,
      )
      .toSorted((a, b) => compareText(a.to, b.to))
      .at(-1);
    if (shorter === undefined) return [];
    const units = longer.units.minus(shorter.units);
    if (units.sign < 0) return [];
    const statements = [...longer.statements, ...shorter.statements];
    return [{ kind: longer.kind, units, from: addDays(shorter.to, 1), to: longer.to, statements }];
  });
  return [...flows, ...differences];
}

/** Flows that lie within (d0, d1], the shortest first, each longer one only where it overlaps none of them. */
export function flowsWithin(flows: readonly StatedFlow[], after: string, until: string): StatedFlow[] {
  const inside = flows
    .filter(({ from, to }) => to > after && to <= until && (from === null || from >= after))
    .toSorted((a, b) => lengthOf(a) - lengthOf(b));
  const chosen: StatedFlow[] = [];
  for (const flow of inside)
    if (!chosen.some((other) => other.kind === flow.kind && overlap(other, flow))) chosen.push(flow);
  return chosen.toSorted((a, b) => compareText(a.to, b.to));
}

/** The flows of one coin, with the differences of those that begin on one day. */
export function flowsOf(statements: readonly Statement[], asset: string): StatedFlow[] {
  return withDifferences(
    statedFlows(statements.filter((one) => one.asset === asset && one.confidence !== 'Low')),
  );
}

function lengthOf({ from, to }: StatedFlow): number {
  return from === null ? 0 : daysBetween(from, to);
}

function overlap(a: StatedFlow, b: StatedFlow): boolean {
  const [aFrom, bFrom] = [a.from ?? a.to, b.from ?? b.to];
  // periods may share the day on which one ends and the next begins
  if (a.from !== null && b.from !== null) return aFrom < b.to && bFrom < a.to;
  return aFrom <= b.to && bFrom <= a.to;
}

/** Bought and mined less sold. */
export function netOf(flows: readonly StatedFlow[]): ExactDecimal {
  return sumOf(flows.map(({ kind, units }) => (kind === 'sale' ? units.negated() : units)));
}

function linkOf(from: Stock, to: Stock, all: readonly StatedFlow[]): ChainLink {
  const flows = flowsWithin(all, from.asOf, to.asOf);
  const net = netOf(flows);
  const difference = to.units.minus(from.units.plus(net));
  const verdict = verdictOf({ from, to, flows, net, difference });
  const isJump =
    verdict === 'gap' &&
    (beyond(to.units, from.units) || beyond(from.units, to.units)) &&
    from.units.sign > 0;
  return { asset: to.asset, from, to, flows, difference, verdict, isQuarantined: isJump };
}

type Compared = {
  from: Stock;
  to: Stock;
  flows: readonly StatedFlow[];
  net: ExactDecimal;
  difference: ExactDecimal;
};

function verdictOf({ from, to, flows, net, difference }: Compared): LinkVerdict {
  if (difference.sign === 0) return 'proven';
  const off = absolute(difference);
  const stated = [from, to, ...flows.flatMap(({ statements }) => statements)];
  if (flows.length > 0 && off.compare(ExactDecimal.fromNumber(stated.length)) <= 0) return 'rounded';
  if (off.compare(roundness(stated, to.units)) <= 0) return 'approximate';
  const moved = to.units.minus(from.units);
  const sold = sumOf(flows.filter(({ kind }) => kind === 'sale').map(({ units }) => units));
  const soldTooMuch = sold.compare(from.units.plus(net).plus(sold)) > 0;
  if (soldTooMuch || (net.sign !== 0 && moved.sign !== 0 && net.sign !== moved.sign)) return 'contradiction';
  return 'gap';
}

/** Half a unit of the coarsest approximate number, at most 1 % of the stock. */
function roundness(statements: readonly Statement[], stock: ExactDecimal): ExactDecimal {
  const halves = statements
    .filter(({ isApproximate }) => isApproximate)
    .map(({ units }) => halfOfLastDigit(units ?? ExactDecimal.zero));
  const largest = halves.reduce((most, half) => (half.compare(most) > 0 ? half : most), ExactDecimal.zero);
  const share = stock.times(ExactDecimal.parse('0.01'));
  return largest.compare(share) > 0 ? share : largest;
}

/** Half a unit of the last digit that is not zero: 50 for 12,300. */
export function halfOfLastDigit(value: ExactDecimal): ExactDecimal {
  const digits = value.toString().replace('-', '');
  const [whole = '', fraction] = digits.split('.');
  if (fraction !== undefined) return new ExactDecimal(5n, fraction.length + 1);
  const zeros = /0*$/.exec(whole)?.[0].length ?? 0;
  return zeros === 0 ? ExactDecimal.parse('0.5') : new ExactDecimal(5n * 10n ** BigInt(zeros - 1), 0);
}

function beyond(a: ExactDecimal, b: ExactDecimal): boolean {
  return a.compare(b.times(ExactDecimal.parse('3'))) > 0;
}

/** A second filing states the same number, or the next stock follows from it. */
function isConfirmed(stock: Statement, all: readonly Statement[], next: ChainLink | undefined): boolean {
  const again = all.some(
    (one) =>
      one.kind === 'holdings' &&
      one.source.accession !== stock.source.accession &&
      one.units !== null &&
      stock.units !== null &&
      one.units.equals(stock.units),
  );
  return again || (next !== undefined && (next.verdict === 'proven' || next.verdict === 'rounded'));
}
