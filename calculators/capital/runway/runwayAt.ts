import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { daysBetween, lastDayOf, monthsAfter } from '../../exact/civilDate.ts';
import {
  add,
  compare,
  divide,
  exactly,
  type Fraction,
  multiply,
  published,
  rounded,
  subtract,
  zero,
} from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { PriceBook } from '../../prices/priceBook.ts';
import { everyAsset } from '../coinFlows/coinScope.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import type { CoinStock, Instruments, Maturities, PreferredStock, Runway } from '../parts.ts';
import {
  type Dues,
  daysOfMonth,
  dueIfPut,
  duesOf,
  dueWithin,
  type FiledRunway,
  pastDues,
  reachesBeyond,
} from './filedRunway.ts';

/** Months looked ahead for the first that cash does not cover. */
const horizonMonths = 60;

/** What leaves each month, exact. */
type Pace = { readonly burn: Fraction; readonly dividends: Fraction };

/**
 * How long the cash lasts on the day asked (M18.60–M18.66): burn, dividends and dues since the period end are taken off
 * first. The operating cash flow of the filing goes on evenly, whichever its sign; no refinancing and no sale is assumed.
 */
export function runwayAt({
  filed,
  instruments,
  maturities,
  preferred,
  stocks,
  sourceDate,
  prices,
}: {
  readonly filed: FiledRunway;
  readonly instruments: Pick<Instruments, 'found' | 'stack'>;
  readonly maturities: Pick<Maturities, 'status' | 'buckets' | 'wall'>;
  readonly preferred: Pick<PreferredStock, 'classes' | 'annualDividends'>;
  readonly stocks: readonly CoinStock[];
  readonly sourceDate: string;
  readonly prices: PriceBook;
}): Runway {
  const { period, cash } = filed;
  const day = sourceDate < period ? period : sourceDate;
  const dues = duesOf({ maturities, instruments, filed });
  const dividends = dividendsOf(preferred);
  const pace = paceOf(filed, dividends);
  const left =
    cash.value === null || pace === null ? null : cashLeft(cash.value, { pace, dues, period, day });
  const due12m = dueWithin(dues, { day, months: 12, fallback: 'maturities' });
  const due24m = dueWithin(dues, { day, months: 24, fallback: 'maturities' });
  const course = { left, pace, filed };
  const shortfall12m = shortfallOf(course, due12m);
  const freeValue = freeCoinValue(stocks, { day, period, prices });
  return {
    asOf: day,
    periodEnd: period,
    currency: filed.currency,
    cash,
    cashOnDay: onDay(left, filed),
    restrictedCash: filed.restrictedCash,
    monthlyOperatingCash: monthly(filed.operatingCash, filed, zero),
    monthlyOperatingCashWithoutCoins: monthly(
      filed.operatingCash,
      filed,
      exactly(filed.coinDealings.value ?? 0),
    ),
    flowMonths: filed.months,
    coinSaleProceeds: filed.coinSaleProceeds,
    annualInterest: annualInterest(instruments),
    interestPaid: filed.interestPaid.value === null ? filed.financedInterest : filed.interestPaid,
    annualPreferredDividends: dividends,
    dividendsDeclared: filed.dividendsDeclared,
    due12m,
    due24m,
    due24mIfPut: dueIfPut(due24m, { day, maturities, instruments }),
    monthsOfCash: monthsOf(course, false),
    monthsAfterDividends:
      dividends.value === null && preferred.classes.length > 0
        ? absentFigure('missing', { part: 'annual_preferred_dividends' })
        : monthsOf(course, true),
    firstShortfallMonth: firstShortfall(course, dues, day),
    shortfall12m,
    freeCoinValue: freeValue,
    shareOfFreeCoins: shareOf(shortfall12m, freeValue, filed.currency),
    notes: [
      ...filed.notes,
      ...(dues.basis === null ? [] : [`due_by:${dues.basis}`]),
      ...(dues.basis === 'buckets' && reachesBeyond(dues, { day, months: 12 })
        ? ['due_12m_holds_later_months']
        : []),
      ...(dividends.value === null && preferred.classes.length > 0
        ? ['preferred_dividends_not_counted']
        : []),
    ].sort(),
  };
}

/** Zero where the issuer has no preferred stock. */
function dividendsOf({
  classes,
  annualDividends,
}: Pick<PreferredStock, 'classes' | 'annualDividends'>): Figure {
  if (annualDividends === null) return absentFigure('not_filed');
  const facts = classes.flatMap(({ annualDividend }) => annualDividend.facts);
  return figureOf(annualDividends, { basis: 'rate_times_claim', facts });
}

function paceOf({ operatingCash, months, financedInterest }: FiledRunway, dividends: Figure): Pace | null {
  if (operatingCash.value === null || months === null) return null;
  const used = operatingCash.value.minus(financedInterest.value ?? ExactDecimal.zero).negated();
  return {
    burn: divide(exactly(used), exactly(months)),
    dividends: divide(exactly(dividends.value ?? 0), exactly(12)),
  };
}

function outflow({ burn, dividends }: Pace): Fraction {
  return add(burn, dividends);
}

/** Cash on the day: the months since the period end are paid, and so is what was due by then. */
function cashLeft(
  cash: ExactDecimal,
  { pace, dues, period, day }: { pace: Pace; dues: Dues; period: string; day: string },
): Fraction {
  const spent = multiply(outflow(pace), monthsBetween(period, day));
  return subtract(subtract(exactly(cash), spent), exactly(pastDues(dues, day)));
}

function monthsBetween(from: string, to: string): Fraction {
  return divide(exactly(daysBetween(from, to)), exactly(daysOfMonth));
}

function onDay(left: Fraction | null, { cash, operatingCash }: FiledRunway): Figure {
  if (left === null) return cash.value === null ? cash : missingFlow(operatingCash);
  return figureOf(rounded(left, 2), {
    basis: 'cash_less_outflow',
    facts: [...cash.facts, ...operatingCash.facts],
  });
}

function missingFlow({ facts }: Figure): Figure<never> {
  return absentFigure('missing', { part: 'operating_cash', facts });
}

function monthly(
  flow: Figure,
  { months, coinDealings, financedInterest }: FiledRunway,
  dealings: Fraction,
): Figure {
  if (flow.value === null || months === null)
    return flow.value === null ? flow : absentFigure('missing', { part: 'months' });
  const isWithout = compare(dealings, zero) !== 0;
  const amount = subtract(exactly(flow.value.minus(financedInterest.value ?? ExactDecimal.zero)), dealings);
  return figureOf(rounded(divide(amount, exactly(months)), 2), {
    basis: isWithout ? 'without_coin_dealings' : 'operating_cash_flow',
    facts: [...flow.facts, ...(isWithout ? coinDealings.facts : []), ...financedInterest.facts],
  });
}

/** Principal times coupon of what is owed; a part where not all of it has both (M18.62). */
function annualInterest({ found }: Pick<Instruments, 'found'>): Figure {
  const owing = found.filter(({ state }) => state === 'outstanding');
  const parts = owing.flatMap(({ principal, couponRate }) =>
    principal.value === null || couponRate.value === null
      ? []
      : [
          {
            amount: principal.value.times(couponRate.value),
            facts: [...principal.facts, ...couponRate.facts],
          },
        ],
  );
  if (parts.length === 0) return absentFigure('not_filed');
  return figureOf(sumOf(parts.map(({ amount }) => amount)), {
    basis: 'principal_times_coupon',
    facts: parts.flatMap(({ facts }) => facts),
    status: parts.length === owing.length ? 'stated' : 'partial',
  });
}

type Course = { readonly left: Fraction | null; readonly pace: Pace | null; readonly filed: FiledRunway };

function monthsOf({ left, pace, filed }: Course, withDividends: boolean): Figure<number> {
  const { cash, operatingCash } = filed;
  if (cash.value === null) return cash;
  if (left === null || pace === null) return missingFlow(operatingCash);
  const rate = withDividends ? outflow(pace) : pace.burn;
  const facts = [...cash.facts, ...operatingCash.facts];
  if (compare(rate, zero) < 0) return absentFigure('cash_flow_positive', { facts });
  if (compare(rate, zero) === 0) return absentFigure('not_applicable', { facts });
  const value = compare(left, zero) <= 0 ? 0 : published(divide(left, rate), 2);
  return figureOf(value, { basis: withDividends ? 'after_dividends' : 'operating', facts });
}

/** Cash after a year of the same burn, dividends and what falls due; below zero has to be financed. */
function shortfallOf({ left, pace, filed }: Course, due: Figure): Figure {
  if (filed.cash.value === null) return filed.cash;
  if (left === null || pace === null) return missingFlow(filed.operatingCash);
  if (due.value === null) return absentFigure('missing', { part: 'due_12m' });
  const year = multiply(outflow(pace), exactly(12));
  return figureOf(rounded(subtract(subtract(left, exactly(due.value)), year), 2), {
    basis: due.basis,
    facts: [...filed.cash.facts, ...filed.operatingCash.facts],
    status: due.status,
  });
}

/** Calendar month by calendar month: the outflow by days, a bucket in the first month of its interval (M18.64). */
function firstShortfall({ left, pace, filed }: Course, dues: Dues, day: string): Figure<string> {
  if (filed.cash.value === null) return filed.cash;
  if (left === null || pace === null) return missingFlow(filed.operatingCash);
  const facts = [...filed.cash.facts, ...filed.operatingCash.facts];
  const status = dues.basis === null || dues.knownTo !== null ? 'partial' : dues.status;
  const coming = dues.dues.filter(({ end }) => end === null || end > day);
  for (let month = 0; month <= horizonMonths; month += 1) {
    const end = lastDayOf(monthsAfter(`${day.slice(0, 7)}-01`, month));
    const due = sumOf(coming.filter(({ start }) => start <= end).map(({ amount }) => amount));
    const spent = multiply(outflow(pace), monthsBetween(day, end));
    const rest = subtract(subtract(left, spent), exactly(due));
    if (compare(rest, zero) < 0)
      return figureOf(end.slice(0, 7), { basis: dues.basis ?? 'operating', facts, status });
  }
  return figureOf('none_in_60', { basis: dues.basis ?? 'operating', facts, status });
}

/** The part of the free coins that the shortfall of a year would take; none where nothing is short. */
function shareOf(shortfall: Figure, free: Figure, currency: string): Figure<number> {
  if (shortfall.value === null) return absentFigure('missing', { part: 'shortfall_12m' });
  if (shortfall.value.sign >= 0 || currency !== 'USD') return absentFigure('not_applicable');
  if (free.value === null) return absentFigure('missing', { part: 'free_coin_value', facts: free.facts });
  if (free.value.sign <= 0) return absentFigure('not_applicable');
  const share = divide(exactly(shortfall.value.negated()), exactly(free.value));
  return figureOf(published(share, 6), { basis: 'shortfall_to_free_coins', facts: free.facts });
}

/**
 * What the free coins are worth on a day (M18.65): their number at its close, else their filed value moved with the close;
 * null where one coin has neither.
 */
function freeCoinValue(
  stocks: readonly CoinStock[],
  { day, period, prices }: { readonly day: string; readonly period: string; readonly prices: PriceBook },
): Figure {
  const parts = stocks.filter(({ asset }) => asset !== everyAsset);
  if (stocks.length === 0) return absentFigure('not_filed');
  if (parts.length === 0) return absentFigure('price_missing', { part: everyAsset });
  const values: ExactDecimal[] = [];
  for (const { asset, free, freeValue } of parts) {
    const close = prices.close(asset, day);
    if (free.value !== null) {
      if (close === null) return absentFigure('price_missing', { part: asset });
      values.push(free.value.times(ExactDecimal.fromNumber(close.close)));
      continue;
    }
    if (freeValue.value === null) return absentFigure('missing', { part: asset, facts: freeValue.facts });
    if (freeValue.value.sign === 0) continue;
    const then = prices.close(asset, period);
    if (close === null || then === null) return absentFigure('price_missing', { part: asset });
    const moved = multiply(exactly(freeValue.value), divide(exactly(close.close), exactly(then.close)));
    values.push(rounded(moved, 2));
  }
  const facts = parts.flatMap(({ free, freeValue }) => (free.value === null ? freeValue.facts : free.facts));
  return figureOf(sumOf(values).rounded(2), { basis: 'free_coins_at_close', facts });
}
