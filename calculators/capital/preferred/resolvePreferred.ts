import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isSubsequentMember, localName, newestFacts, type StatedFact } from '../../crypto/statedFacts.ts';
import { daysCovered } from '../../exact/civilDate.ts';
import { absolute } from '../../exact/decimals.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { InstanceFact } from '../../filing/xbrlFiling.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import type { PreferredClass, PreferredStock } from '../parts.ts';
import {
  agrees,
  type FactIndex,
  factIndex,
  isAtPeriod,
  roundingOf,
  statedValue,
  wordsOf,
} from '../shares/statedFigure.ts';
import {
  classFacts,
  isOfTemporaryEquity,
  type PreferredConcept,
  parFacts,
  preferredConcepts,
  type StockClass,
  stockClasses,
} from './preferredFacts.ts';

const one = ExactDecimal.parse('1');
const hundred = ExactDecimal.parse('100');
/** Less than half a thousand is shown as a dash. */
const half = ExactDecimal.parse('500');
const carriedShare = ExactDecimal.parse('0.95');

/**
 * Preferred stock and redeemable shares of one filing (M18.40–M18.41): what is outstanding at the period end. Issued
 * and authorized shares are not, and stock that only votes has no claim.
 */
export function resolvePreferred({
  period,
  facts,
  nil = [],
  currency = 'USD',
}: {
  readonly period: string;
  readonly facts: readonly StatedFact[];
  /** Facts without a value: a dash for an amount that rounds to nothing. */
  readonly nil?: readonly InstanceFact[];
  /** The reporting currency. */
  readonly currency?: string;
}): PreferredStock {
  const index = factIndex(facts);
  const classes = stockClasses(index, period);
  const contextsOf = (of: readonly StockClass[]) =>
    of.map((stock): ClassContext => ({ index, nil, ...stock, period, currency, isOnly: of.length === 1 }));
  const outstanding = contextsOf(classes).filter(isOutstanding);
  const resolved = contextsOf(outstanding).map(classOf);
  const claims = resolved.filter(({ claim }) => claim.value !== null || claim.reason !== 'par_only');
  const known = claims.flatMap(({ claim }) => (claim.value === null ? [] : [claim.value]));
  const dividends = claims
    .filter(({ kind }) => kind === 'preferred')
    .map(({ annualDividend }) => annualDividend);
  const paid = dividends.flatMap(({ value }) => (value === null ? [] : [value]));
  return {
    classes: resolved,
    claim: known.length === claims.length ? sumOf(known) : null,
    annualDividends: paid.length === dividends.length ? sumOf(paid) : null,
  };
}

/** One class, where its facts are looked up, and on which day. */
type ClassContext = {
  readonly index: FactIndex;
  readonly nil: readonly InstanceFact[];
  readonly member: string | null;
  readonly kind: PreferredClass['kind'];
  readonly isTemporary: boolean;
  readonly isOnly: boolean;
  readonly period: string;
  readonly currency: string;
};

/** Shares outstanding, or an amount carried: zero and nil of either are none. */
function isOutstanding({ index, member, isTemporary, isOnly, period, currency }: ClassContext): boolean {
  const accepts = (fact: StatedFact) =>
    isAtPeriod(fact, period) &&
    (fact.unit === 'shares' || fact.unit === currency) &&
    (!isTemporary || isOfTemporaryEquity(fact));
  const shares = classFacts(index, { of: 'shares', member, isOnly, accepts });
  if (shares.length > 0) return shares.some(({ value }) => value.sign > 0);
  return classFacts(index, { of: 'carrying', member, isOnly, accepts }).some(({ value }) => value.sign > 0);
}

function classOf(context: ClassContext): PreferredClass {
  const { index, member, kind, isTemporary, isOnly, period, currency } = context;
  const find = (of: PreferredConcept, unit: string) =>
    classFacts(index, {
      ...{ of, member, isOnly },
      accepts: (fact) =>
        isAtPeriod(fact, period) && fact.unit === unit && (!isTemporary || isOfTemporaryEquity(fact)),
    });
  const shares = statedValue(find('shares', 'shares'), 'shares_outstanding');
  const carried = find('carrying', currency);
  const carryingAmount = statedValue(carried, 'carrying_amount');
  const par = parFacts(index, { member, period });
  const isDash = context.nil.some((fact) => isCarryingOf(fact, context));
  const claim = claimOf({ find, shares, carried, par, currency, isDash });
  const arrears = statedValue(find('arrears', currency), 'arrears');
  const dividends = preferredDividends(context, claim);
  const name =
    member === null ? (kind === 'preferred' ? 'Preferred Stock' : 'Redeemable Common') : wordsOf(member);
  return {
    id: member === null ? kind : localName(member).replace(/Member$/, ''),
    name,
    kind,
    shares,
    carryingAmount,
    claim,
    ...dividends,
    arrears,
  };
}

/** What the class is owed before common stock, by the first base that is filed (M18.40). */
function claimOf({
  find,
  shares,
  carried,
  par,
  currency,
  isDash,
}: {
  readonly find: (of: PreferredConcept, unit: string) => readonly StatedFact[];
  readonly shares: Figure;
  readonly carried: readonly StatedFact[];
  readonly par: readonly StatedFact[];
  readonly currency: string;
  /** What is carried is filed without a value. */
  readonly isDash: boolean;
}): Figure {
  const perShare = `${currency}/shares`;
  const value = statedValue(find('liquidationValue', currency), 'liquidation_value');
  if (value.value !== null && value.value.sign > 0) return value;
  const liquidation = timesShares(shares, find('liquidationPerShare', perShare), 'liquidation_preference');
  if (liquidation !== null) return liquidation;
  const [parValue] = par;
  if (parValue !== undefined && parValue.value.compare(one) >= 0) {
    const stated = timesShares(shares, par, 'stated_value');
    if (stated !== null) return stated;
  }
  const carrying = statedValue(carried, 'carrying_amount');
  const redemption = statedValue(find('redemptionValue', currency), 'redemption_value');
  if (redemption.value !== null && isAbove(redemption.value, carrying.value)) return redemption;
  const atPrice = timesShares(shares, find('redemptionPerShare', perShare), 'redemption_price');
  if (carrying.value === null) {
    if (carrying.reason === 'conflict' || atPrice !== null) return atPrice ?? carrying;
    return isDash && isParOfNothing(shares, parValue) ? absentFigure('par_only', shares) : carrying;
  }
  if (carrying.value.sign > 0 && !isPar(carried, { shares, par })) return carrying;
  return absentFigure('par_only', { facts: [...carrying.facts, ...shares.facts] });
}

/** What is carried grows to what is redeemed: an amount well below it was paid out already (FLD's trust in 2024). */
function isAbove(redemption: ExactDecimal, carried: ExactDecimal | null): boolean {
  return redemption.sign > 0 && (carried === null || redemption.compare(carried.times(carriedShare)) >= 0);
}

function timesShares(shares: Figure, facts: readonly StatedFact[], basis: string): Figure | null {
  const each = statedValue(facts, basis);
  if (shares.value === null || each.value === null || each.value.sign <= 0) return null;
  const figure = figureOf(shares.value.times(each.value), { basis, facts });
  return { ...figure, facts: [...shares.facts, ...figure.facts] };
}

/** The class's own carrying amount at the period end. */
function isCarryingOf({ concept, end, dimensions }: InstanceFact, { period, member }: ClassContext): boolean {
  const [only, ...others] = dimensions;
  const names: readonly string[] = preferredConcepts.carrying;
  const isOwn = others.length === 0 && (only?.member ?? null) === member;
  return end === period && isOwn && names.includes(localName(concept));
}

/** True where the par value of all shares is no thousand (DFDV 2025: 10,000 shares of 0.00001). */
function isParOfNothing(shares: Figure, par: StatedFact | undefined): boolean {
  return shares.value !== null && par !== undefined && shares.value.times(par.value).compare(half) < 0;
}

/** True where what is carried is the par value to a dollar, as far as the amount is rounded. */
function isPar(
  carried: readonly StatedFact[],
  { shares, par }: { readonly shares: Figure; readonly par: readonly StatedFact[] },
): boolean {
  const [[amount], [each]] = [carried, par];
  if (amount === undefined || shares.value === null) return false;
  // where no par is filed: less than a cent a share is no claim (KULR: 100 dollars of 1,000,000 shares)
  if (each === undefined) return amount.value.times(hundred).compare(shares.value) < 0;
  if (each.value.compare(one) >= 0) return false;
  return agrees(shares.value.times(each.value), amount.value, roundingOf([amount]).plus(one));
}

/** Declared to holders of preferred stock; paid amounts and effects on earnings follow. */
const declaredConcepts = [
  'DividendsPreferredStock',
  'DividendsPreferredStockCash',
  'PreferredStockDividendsIncomeStatementImpact',
  'TemporaryEquityDividendsAdjustment',
];
const daysAMonth = 30.4375;
/** Annualised, what is declared may be this far from what the rate says. */
const rateTolerance = ExactDecimal.parse('0.1');

type Dividends = Pick<PreferredClass, 'dividendRate' | 'annualDividend' | 'dividendsDeclared' | 'notes'>;

/**
 * Dividends of one class (M18.41): the filed rate on its claim, never on a carrying amount, and beside it what was
 * declared in the year to date. Variable terms have no rate and so no year's amount.
 */
function preferredDividends(context: ClassContext, claim: Figure): Dividends {
  if (context.kind === 'redeemable_common') {
    const none = absentFigure('not_applicable');
    return { dividendRate: none, annualDividend: none, dividendsDeclared: null, notes: [] };
  }
  const dividendRate = rateOf(context);
  const dividendsDeclared = declared(context);
  const annualDividend = annual(dividendRate, claim);
  const differs = annualDividend.value !== null && declaredDiffers(dividendsDeclared, annualDividend.value);
  return {
    dividendRate,
    annualDividend,
    dividendsDeclared,
    notes: differs ? ['dividend_rate_differs'] : [],
  };
}

function rateOf({ index, member, isOnly, period }: ClassContext): Figure {
  const accepts = ({ end, unit }: StatedFact) => end <= period && unit === 'pure';
  const own = classFacts(index, { of: 'rate', member, isOnly, accepts });
  // of the only class the rate may stand under its holder's name (BTBT's chairman)
  const anywhere = isOnly
    ? index('PreferredStockDividendRatePercentage').filter(
        (fact) => accepts(fact) && !fact.dimensions.some(isSubsequentMember),
      )
    : [];
  const used = own.length > 0 ? own : anywhere;
  const rate = statedValue(newestFacts(used), 'dividend_rate');
  if (rate.value === null || rate.value.compare(ExactDecimal.parse('1')) <= 0) return rate;
  return { ...rate, value: rate.value.times(ExactDecimal.parse('0.01')) };
}

function annual(rate: Figure, claim: Figure): Figure {
  if (rate.value === null) return absentFigure(rate.reason);
  if (claim.value === null) return absentFigure(claim.reason);
  if (claim.basis === 'carrying_amount') return absentFigure('missing', { part: 'liquidation preference' });
  return figureOf(rate.value.times(claim.value), {
    basis: 'rate_on_claim',
    facts: [...rate.facts, ...claim.facts],
  });
}

function declared({ index, member, isOnly, period, currency }: ClassContext): Dividends['dividendsDeclared'] {
  for (const name of declaredConcepts) {
    const facts = index(name).filter(
      ({ start, end, unit, dimensions }) =>
        start !== null &&
        end === period &&
        unit === currency &&
        (dimensions.length === 0 ? isOnly : dimensions.length === 1 && dimensions[0]?.member === member),
    );
    const first = facts.map(({ start }) => start ?? '').sort(compareText)[0];
    const longest = facts.filter(({ start }) => start === first);
    const [one] = longest;
    if (one === undefined || one.start === null) continue;
    const months = Math.round(daysCovered(one.start, one.end) / daysAMonth);
    return { ...statedValue(longest, 'declared'), months };
  }
  return null;
}

function declaredDiffers(dividends: Dividends['dividendsDeclared'], year: ExactDecimal): boolean {
  if (dividends === null || dividends.value === null || dividends.months === undefined) return false;
  if (dividends.months <= 0 || year.sign <= 0) return false;
  const byRate = year.times(ExactDecimal.fromNumber(dividends.months));
  const declaredYear = dividends.value.times(ExactDecimal.parse('12'));
  return absolute(declaredYear.minus(byRate)).compare(byRate.times(rateTolerance)) > 0;
}
