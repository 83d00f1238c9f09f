import type { FigureStatus } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import type { DebtResolution } from '../../debt/debtResolution.ts';
import { addDays, daysCovered, monthsAfter } from '../../exact/civilDate.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { Filing } from '../../filing/rows.ts';
import type { CalculationArc } from '../../filing/xbrlFiling.ts';
import { cashConcepts } from '../../fundamentals/conceptPrecedence.ts';
import { absentFigure, capitalFact, type Figure, figureOf } from '../figure.ts';
import { agree, roundedOf } from '../filedAmounts.ts';
import type { Instruments, Maturities } from '../parts.ts';

/** What a filing says of its cash, for any day (M18.60–M18.62). */
export type FiledRunway = {
  readonly period: string;
  /** Of the statements; a convenience translation beside it is not read. */
  readonly currency: string;
  readonly cash: Figure;
  readonly restrictedCash: Figure;
  /** Operating cash flow of the year to date, below zero where cash is used. */
  readonly operatingCash: Figure;
  /** Months that the flow covers. */
  readonly months: number | null;
  /** What buying and selling coins added to the operating flow; below zero where it used cash. */
  readonly coinDealings: Figure;
  readonly coinSaleProceeds: Figure;
  readonly interestPaid: Figure;
  /** Interest that stands in financing and is no part of the operating flow (IFRS). */
  readonly financedInterest: Figure;
  readonly dividendsDeclared: Figure;
  /** Debt due within a year of the balance sheet, by the balance sheet. */
  readonly currentDebt: Figure;
  /** True where all debt is current. */
  readonly isAllDebtCurrent: boolean;
  readonly notes: readonly string[];
};

export const daysOfMonth = 30.4375;
const greatestDays = 400;

const operatingFlows = [
  'us-gaap:NetCashProvidedByUsedInOperatingActivities',
  'us-gaap:NetCashProvidedByUsedInOperatingActivitiesContinuingOperations',
  'ifrs-full:CashFlowsFromUsedInOperatingActivities',
];
const interestPaid = [
  'us-gaap:InterestPaidNet',
  'us-gaap:InterestPaid',
  'ifrs-full:InterestPaidClassifiedAsOperatingActivities',
];
const financedInterest = ['ifrs-full:InterestPaidClassifiedAsFinancingActivities'];
const declaredDividends = [
  'us-gaap:DividendsPreferredStock',
  'us-gaap:DividendsPreferredStockCash',
  'us-gaap:PreferredStockDividendsIncomeStatementImpact',
];

type Debt = Pick<DebtResolution, 'method' | 'current' | 'noncurrent' | 'total' | 'roots'>;

/** All of a debt, whenever it is due. */
const undivided = /^(Secured|Unsecured|Convertible|LongTerm)?(Debt|NotesPayable|LoansPayable)$/;

/** The inputs of the runway, resolved once from the filing; the day asked comes with {@link runwayAt}. */
export function filedRunway({
  filing: { period },
  facts,
  debt,
  arcs = [],
}: {
  readonly filing: Pick<Filing, 'period'>;
  readonly facts: readonly StatedFact[];
  readonly debt: Debt;
  /** Say whether a line adds to the operating flow or is taken from it; without them it stands as filed. */
  readonly arcs?: readonly CalculationArc[];
}): FiledRunway {
  const whole = facts.filter(({ dimensions, end }) => dimensions.length === 0 && end === period);
  const currency = reportingCurrency(whole);
  const own = whole.filter(({ unit }) => unit === currency);
  const instants = own.filter(({ start }) => start === null);
  const flows = own.filter(({ start }) => start !== null && daysCovered(start, period) <= greatestDays);
  const operating = longest(flows, operatingFlows);
  const start = operating?.start ?? null;
  const ofPeriod = flows.filter((flow) => flow.start === start);
  const filedCash = firstOf(instants, cashConcepts);
  const cash = filedCash.value === null ? totalCashOf(instants) : filedCash;
  const dealings = coinDealings(ofPeriod, { operating, arcs });
  // without current liabilities no line of all debt says that nothing of it is due (M18.63)
  const isDivided =
    debt.current.sign > 0 ||
    instants.some(({ concept }) => localName(concept) === 'LiabilitiesCurrent') ||
    !debt.roots.some(({ concept, value }) => value.sign > 0 && undivided.test(localName(concept)));
  // the product resolves debt in dollars only
  const hasDebt =
    currency === 'USD' &&
    debt.method !== null &&
    isDivided &&
    debt.current.plus(debt.noncurrent).equals(debt.total);
  return {
    period,
    currency,
    cash,
    restrictedCash: restrictedCashOf(instants, cash),
    operatingCash: operating === null ? absentFigure('not_filed') : stated(operating),
    months: start === null ? null : Math.max(1, Math.round(daysCovered(start, period) / daysOfMonth)),
    coinDealings: dealings,
    coinSaleProceeds: summed(ofPeriod.filter(isSaleOfCoins), 'coin_sales'),
    interestPaid: firstOf(ofPeriod, interestPaid),
    financedInterest: firstOf(ofPeriod, financedInterest),
    dividendsDeclared: firstOf(ofPeriod, declaredDividends),
    currentDebt: hasDebt
      ? figureOf(debt.current, { basis: 'current_debt', facts: [] })
      : absentFigure('unconfirmed', { part: 'debt' }),
    isAllDebtCurrent: hasDebt && debt.noncurrent.sign === 0,
    notes: cash.value !== null && cash.basis === 'total_with_restricted' ? ['cash_may_be_restricted'] : [],
  };
}

/** The currency most of the filing's undivided amounts are in. */
function reportingCurrency(facts: readonly StatedFact[]): string {
  const counts = new Map<string, number>();
  for (const { unit } of facts) {
    if (/^[A-Z]{3}$/.test(unit)) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most?.[0] ?? 'USD';
}

/** The flow of the longest period that ends with the filing's: a quarterly report runs from the start of the year. */
function longest(flows: readonly StatedFact[], concepts: readonly string[]): StatedFact | null {
  for (const concept of concepts) {
    const found = flows.filter((flow) => flow.concept === concept);
    const [first, second] = found.toSorted((a, b) => ((a.start ?? '') < (b.start ?? '') ? -1 : 1));
    const isTwofold = second !== undefined && second.start === first?.start;
    if (first !== undefined && !isTwofold) return first;
  }
  return null;
}

/** The first of the concepts that is filed; two values of it are a conflict. */
function firstOf(facts: readonly StatedFact[], concepts: readonly string[]): Figure {
  for (const concept of concepts) {
    const [first, second] = facts.filter((fact) => fact.concept === concept);
    if (first === undefined) continue;
    if (second !== undefined)
      return absentFigure('conflict', { part: localName(concept), facts: [first, second] });
    return stated(first);
  }
  return absentFigure('not_filed');
}

/** Coins bought and sold inside the operating flow: a change of coins, and by the calculation network what else it holds. */
function coinDealings(
  flows: readonly StatedFact[],
  { operating, arcs }: { operating: StatedFact | null; arcs: readonly CalculationArc[] },
): Figure {
  if (operating === null) return absentFigure('not_filed');
  const inside = new Map(
    arcs.filter(({ from }) => from === operating.concept).map(({ to, weight }) => [to, weight]),
  );
  const found = flows.filter((flow) => {
    const name = localName(flow.concept);
    if (!flow.namesCoins || !/Digital|Crypto|Bitcoin|Ether|Solana/.test(name)) return false;
    if (/Payable|Receivable|Accrued|Prepa(id|yment)|Deposit/.test(name)) return false;
    return /^IncreaseDecrease/.test(name) || (inside.has(flow.concept) && /^(Proceeds|Payments?)/.test(name));
  });
  if (found.length === 0) return absentFigure('not_filed');
  const amounts = found.map(({ concept, value }) =>
    value.times(inside.get(concept) ?? ExactDecimal.parse('1')),
  );
  return figureOf(sumOf(amounts), { basis: 'coin_dealings', facts: found });
}

function isSaleOfCoins({ concept, namesCoins }: StatedFact): boolean {
  const name = localName(concept);
  return (
    namesCoins &&
    /^Proceeds\w*(Sale|Dispos|Exchange|Liquidation)/.test(name) &&
    !/Miner|Mining|Machine|Equipment|Derivative|Fund/.test(name)
  );
}

function summed(facts: readonly StatedFact[], basis: string): Figure {
  const inOrder = facts.toSorted((a, b) => compareText(b.identity, a.identity));
  const once = [...new Map(inOrder.map((found) => [found.value.toString(), found])).values()];
  if (once.length === 0) return absentFigure('not_filed');
  return figureOf(sumOf(once.map(({ value }) => value)), { basis, facts: once });
}

function stated(found: StatedFact): Figure {
  return figureOf(found.value, { basis: localName(found.concept), facts: [found] });
}

const total =
  /^CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents(IncludingDisposalGroupAndDiscontinuedOperations)?$/;
const restricted =
  /^((Current|Noncurrent)?RestrictedCash(AndCashEquivalents(AtCarryingValue)?)?)(Current|Noncurrent)?$/;
const noncurrent = /Noncurrent/;
const current = /Current/;

/** Cash and restricted cash in one, where the filing has no cash of its own: cash that may be bound (M18.60). */
function totalCashOf(instants: readonly StatedFact[]): Figure {
  const [first, ...rest] = instants.filter(({ concept }) => total.test(localName(concept)));
  if (first === undefined || rest.some(({ value }) => !value.equals(first.value))) {
    return absentFigure('not_filed');
  }
  const bound = boundParts(instants, null);
  const amount = first.value.minus(bound.amount ?? ExactDecimal.zero);
  return figureOf(amount.sign < 0 ? first.value : amount, {
    basis: bound.amount === null ? 'total_with_restricted' : 'total_less_restricted',
    facts: [first, ...bound.facts],
  });
}

/**
 * Restricted cash (M18.60). An amount that is cash and another restricted amount together is the total of both under a
 * wrong name (BTBT 182,850,974); the total less cash proves what is left.
 */
function restrictedCashOf(instants: readonly StatedFact[], cash: Figure): Figure {
  const { amount, facts } = boundParts(instants, cash.value);
  const totals = instants.filter(({ concept }) => total.test(localName(concept)));
  const [whole] = totals;
  const gap = cash.value === null || whole === undefined ? null : whole.value.minus(cash.value);
  if (amount === null) {
    if (gap === null || gap.sign < 0 || whole === undefined || cash.facts[0]?.concept === whole.concept) {
      return absentFigure('not_filed');
    }
    return figureOf(gap, {
      basis: 'total_less_cash',
      facts: [capitalFact(whole), ...cash.facts],
      status: 'supported',
    });
  }
  const isProven = gap?.equals(amount) === true;
  return figureOf(amount, { basis: 'restricted_cash', facts, status: isProven ? 'proven' : 'stated' });
}

function boundParts(
  instants: readonly StatedFact[],
  cash: ExactDecimal | null,
): { readonly amount: ExactDecimal | null; readonly facts: readonly StatedFact[] } {
  const filed = instants.filter(({ concept }) => restricted.test(localName(concept)));
  const wholes = instants.filter(({ concept }) => total.test(localName(concept))).map(({ value }) => value);
  const parts = filed.filter((one) => !isTotal(one, { filed, wholes, cash }));
  const pair = [
    parts.find(({ concept }) => current.test(localName(concept)) && !noncurrent.test(localName(concept))),
    parts.find(({ concept }) => noncurrent.test(localName(concept))),
  ].filter((part) => part !== undefined);
  const whole = parts.find(
    ({ concept }) => !current.test(localName(concept)) && !noncurrent.test(localName(concept)),
  );
  const sum = sumOf(pair.map(({ value }) => value));
  if (whole !== undefined && (pair.length === 0 || whole.value.compare(sum) > 0)) {
    return { amount: whole.value, facts: [whole] };
  }
  return pair.length === 0 ? { amount: null, facts: [] } : { amount: sum, facts: pair };
}

function isTotal(
  one: StatedFact,
  {
    filed,
    wholes,
    cash,
  }: { filed: readonly StatedFact[]; wholes: readonly ExactDecimal[]; cash: ExactDecimal | null },
): boolean {
  const { value } = one;
  if (cash === null || cash.sign <= 0) return wholes.some((whole) => whole.equals(value));
  const isSum = filed.some((other) => other !== one && value.equals(cash.plus(other.value)));
  // one that is rounded is the same total (DDC 61.0 M)
  return isSum || wholes.some((whole) => agree(roundedOf(one), { value: whole, half: ExactDecimal.zero }));
}

/** What falls due from `start` on, by `end` at the latest; one day for an instrument with its own. */
type Due = { readonly start: string; readonly end: string | null; readonly amount: ExactDecimal };

export type Dues = {
  readonly basis: 'buckets' | 'dated' | 'current_debt' | null;
  readonly dues: readonly Due[];
  readonly status: FigureStatus;
  /** The last day up to which all that falls due is known; null without an end. */
  readonly knownTo: string | null;
};

type DueInputs = {
  readonly maturities: Pick<Maturities, 'status' | 'buckets' | 'wall'>;
  readonly instruments: Pick<Instruments, 'found' | 'stack'>;
  readonly filed: Pick<FiledRunway, 'period' | 'currentDebt' | 'isAllDebtCurrent'>;
};

/**
 * What falls due when (M18.63): the buckets of a ladder that is proven or supported; else the instruments, where all of
 * them are dated and they are the debt; else the current debt of the balance sheet, due within the year after it.
 */
export function duesOf({ maturities, instruments, filed }: DueInputs): Dues {
  const { status } = maturities;
  if (status === 'proven' || status === 'supported') {
    const dues = maturities.buckets
      .filter(({ instrumentId }) => instrumentId === null)
      .map(({ start, end, amount }) => ({ start, end, amount }));
    return { basis: 'buckets', dues, status, knownTo: null };
  }
  const owing = instruments.found.filter(({ state }) => state === 'outstanding');
  const dated = maturities.wall.filter(({ kind }) => kind === 'maturity');
  const named = new Set(dated.map(({ instrumentId }) => instrumentId));
  const areAllDated = owing.length > 0 && owing.every(({ id }) => named.has(id));
  if (areAllDated && instruments.stack.status === 'ties') {
    const dues = dated.map(({ date, amount }) => ({ start: date, end: date, amount }));
    return { basis: 'dated', dues, status: 'supported', knownTo: null };
  }
  const { period, currentDebt, isAllDebtCurrent } = filed;
  if (currentDebt.value === null) return { basis: null, dues: [], status: 'unproven', knownTo: period };
  const end = monthsAfter(period, 12);
  const dues =
    currentDebt.value.sign === 0 ? [] : [{ start: addDays(period, 1), end, amount: currentDebt.value }];
  return { basis: 'current_debt', dues, status: 'stated', knownTo: isAllDebtCurrent ? null : end };
}

/**
 * The sum of what falls due after `day` and within `months` of it (M18.63); a bucket that reaches into these months
 * counts whole, since the filing does not say on which of its days it falls due.
 */
export function dueWithin(
  { basis, dues, status, knownTo }: Dues,
  { day, months, fallback }: { readonly day: string; readonly months: number; readonly fallback: string },
): Figure {
  const last = monthsAfter(day, months);
  if (basis === null) return absentFigure('missing', { part: 'maturities' });
  // the year after the balance sheet stands for the year after the day asked; a second year does not
  const isKnown = knownTo === null || last <= knownTo || (months === 12 && day < knownTo);
  if (!isKnown) return absentFigure('missing', { part: fallback });
  const within = dues.filter(({ start, end }) => start <= last && !isPast(end, day));
  return figureOf(sumOf(within.map(({ amount }) => amount)), { basis, facts: [], status });
}

/** True where a bucket that counts reaches beyond the months: part of it may fall due later. */
export function reachesBeyond(
  { dues }: Dues,
  { day, months }: { readonly day: string; readonly months: number },
): boolean {
  const last = monthsAfter(day, months);
  return dues.some(
    ({ start, end, amount }) => amount.sign > 0 && start <= last && (end === null || end > last),
  );
}

/** Dues that are certainly past on the day. */
export function pastDues({ dues }: Dues, day: string): ExactDecimal {
  return sumOf(dues.filter(({ end }) => isPast(end, day)).map(({ amount }) => amount));
}

/** What falls due in 24 months where holders put and springing dates come to pass (M18.63). */
export function dueIfPut(
  due: Figure,
  { day, maturities, instruments }: Pick<DueInputs, 'maturities' | 'instruments'> & { readonly day: string },
): Figure {
  const last = monthsAfter(day, 24);
  const early = maturities.wall.filter(({ kind }) => kind === 'put' || kind === 'springing');
  if (early.length === 0) return absentFigure('not_filed');
  if (due.value === null) return due;
  const own = new Map(instruments.found.map((one) => [one.id, one]));
  const isIncluded = (id: string | null) => {
    const maturity = id === null ? null : (own.get(id)?.maturityDate.value ?? null);
    const isBucketed = maturities.buckets.some(
      ({ instrumentId, start, amount }) => instrumentId === id && amount.sign > 0 && start <= last,
    );
    return isBucketed || (maturity !== null && maturity <= last);
  };
  const moved = new Map(
    early
      .filter(({ date, instrumentId }) => date > day && date <= last && !isIncluded(instrumentId))
      .map(({ instrumentId, amount }) => [instrumentId, amount]),
  );
  return { ...due, value: due.value.plus(sumOf([...moved.values()])), basis: `${due.basis}_if_put` };
}

function isPast(end: string | null, day: string): boolean {
  return end !== null && end <= day;
}
