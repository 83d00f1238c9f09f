import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isSubsequentMember, type StatedFact } from '../../crypto/statedFacts.ts';
import { daysCovered } from '../../exact/civilDate.ts';
import type { Figure } from '../figure.ts';
import { magnitude } from '../shares/shareCounts.ts';
import { type FactIndex, isAtPeriod, noValue, statedValue } from '../shares/statedFigure.ts';
import { classFacts } from './preferredFacts.ts';
import type { PreferredClass } from './preferredStock.ts';

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

type Dividends = Pick<
  PreferredClass,
  'dividendRate' | 'annualDividend' | 'dividendsDeclared' | 'arrears' | 'notes'
>;

/**
 * Dividends of one class (M18.41): the filed rate on its claim, never on a carrying amount, and beside it what was
 * declared in the year to date. Variable terms have no rate and so no year's amount.
 */
export function preferredDividends(
  index: FactIndex,
  {
    member,
    isOnly,
    period,
    claim,
    kind,
    currency,
  }: {
    readonly member: string | null;
    readonly isOnly: boolean;
    readonly period: string;
    readonly claim: Figure;
    readonly kind: PreferredClass['kind'];
    readonly currency: string;
  },
): Dividends {
  const arrears = statedValue(
    classFacts(index, {
      of: 'arrears',
      member,
      isOnly,
      accepts: (fact) => isAtPeriod(fact, period) && fact.unit === currency,
    }),
    'arrears',
  );
  if (kind === 'redeemable_common') {
    const none = noValue('not_applicable');
    return { dividendRate: none, annualDividend: none, dividendsDeclared: null, arrears, notes: [] };
  }
  const dividendRate = rateOf(index, { member, isOnly, period });
  const dividendsDeclared = declared(index, { member, isOnly, period, currency });
  const annualDividend = annual(dividendRate, claim);
  const differs = annualDividend.value !== null && declaredDiffers(dividendsDeclared, annualDividend.value);
  return {
    dividendRate,
    annualDividend,
    dividendsDeclared,
    arrears,
    notes: differs ? ['dividend_rate_differs'] : [],
  };
}

function rateOf(
  index: FactIndex,
  {
    member,
    isOnly,
    period,
  }: { readonly member: string | null; readonly isOnly: boolean; readonly period: string },
): Figure {
  const accepts = ({ end, unit }: StatedFact) => end <= period && unit === 'pure';
  const own = classFacts(index, { of: 'rate', member, isOnly, accepts });
  // of the only class the rate may stand under its holder's name (BTBT's chairman)
  const anywhere = isOnly
    ? index('PreferredStockDividendRatePercentage').filter(
        (fact) => accepts(fact) && !fact.dimensions.some(isSubsequentMember),
      )
    : [];
  const used = own.length > 0 ? own : anywhere;
  const newest = used
    .map(({ end }) => end)
    .sort(compareText)
    .at(-1);
  const rate = statedValue(
    used.filter(({ end }) => end === newest),
    'dividend_rate',
  );
  if (rate.value === null || rate.value.compare(ExactDecimal.parse('1')) <= 0) return rate;
  return { ...rate, value: rate.value.times(ExactDecimal.parse('0.01')) };
}

function annual(rate: Figure, claim: Figure): Figure {
  if (rate.value === null) return noValue(rate.reason);
  if (claim.value === null) return noValue(claim.reason);
  if (claim.basis === 'carrying_amount') return noValue('missing', { part: 'liquidation preference' });
  return {
    value: rate.value.times(claim.value),
    status: 'stated',
    basis: 'rate_on_claim',
    facts: [...rate.facts, ...claim.facts],
  };
}

function declared(
  index: FactIndex,
  {
    member,
    isOnly,
    period,
    currency,
  }: {
    readonly member: string | null;
    readonly isOnly: boolean;
    readonly period: string;
    readonly currency: string;
  },
): Dividends['dividendsDeclared'] {
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
  return magnitude(declaredYear.minus(byRate)).compare(byRate.times(rateTolerance)) > 0;
}
