import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import { localName, newestDay, newestFacts, type StatedFact } from '../../crypto/statedFacts.ts';
import { daysBetween } from '../../exact/civilDate.ts';
import type { TermFact } from '../../filing/xbrlFiling.ts';
import { absentFigure, type CapitalFact, type Figure, figureOf } from '../figure.ts';
import type { Instrument } from '../parts.ts';
import type { DebtGroup } from './debtGroups.ts';
import { isRange, saysNothing } from './debtMembers.ts';
import { finerFirst, plainFacts } from './owedAmounts.ts';

type Group = Pick<DebtGroup, 'facts' | 'terms' | 'members'>;

const statedRate = 'DebtInstrumentInterestRateStatedPercentage';
const effectiveRate = 'DebtInstrumentInterestRateEffectivePercentage';
const spreadName = 'DebtInstrumentBasisSpreadOnVariableRate1';
const periodRates = [
  'LineOfCreditFacilityInterestRateAtPeriodEnd',
  'DebtInstrumentInterestRateDuringPeriod',
  'LineOfCreditFacilityInterestRateDuringPeriod',
];

/** Coupon, its kind, the spread and the effective rate of a group (M18.19). */
export function couponOf(
  group: Group,
  period: string,
): Pick<Instrument, 'couponRate' | 'couponKind' | 'spread' | 'effectiveRate' | 'notes'> {
  const stated = rateOf(group, { names: [statedRate], period });
  const spread = rateOf(group, { names: [spreadName], period });
  const effective = rateOf(group, { names: [effectiveRate], period });
  const isVariable = spread.value !== null;
  const notes = stated.value === null && stated.reason === 'conflict' ? ['coupon_conflict'] : [];
  const base = { spread, effectiveRate: effective };
  const range = rangeOf(group, period);
  // one rate of an earlier day gives way to bounds of a newer one (TSLA 2024: 4.8 % a year before)
  const isOutdated = range !== null && stated.facts.every(({ end }) => end < range.end);
  if ((stated.value !== null || notes.length > 0) && !isOutdated) {
    return { ...base, couponRate: stated, couponKind: isVariable ? 'variable' : 'fixed', notes };
  }
  if (range !== null) {
    const couponRate = absentFigure('not_filed');
    return { ...base, couponRate, couponKind: isVariable ? 'variable' : null, notes: [range.note] };
  }
  const [byPeriod] = periodRates
    .map((name) => rateOf(group, { names: [name], period }))
    .filter((rate) => rate.value !== null || rate.reason === 'conflict');
  if (byPeriod === undefined) {
    return { ...base, couponRate: stated, couponKind: isVariable ? 'variable' : null, notes: [] };
  }
  const conflict = byPeriod.value === null ? ['coupon_conflict'] : [];
  return {
    ...base,
    couponRate: byPeriod,
    couponKind: isVariable ? 'variable' : 'period_rate',
    notes: conflict,
  };
}

/** The newest rate by the period end as a fraction; two values of one day are none. */
function rateOf(
  { facts, members }: Group,
  { names, period }: { readonly names: readonly string[]; readonly period: string },
): Figure {
  const own = facts.filter(
    ({ concept, unit, end, dimensions }) =>
      unit === 'pure' && end <= period && names.includes(localName(concept)) && !saysNothing(dimensions),
  );
  return newestValue(own, members, (value) => (value.compare(one) > 0 ? value.times(hundredth) : value));
}

const one = ExactDecimal.parse('1');
const hundredth = ExactDecimal.parse('0.01');

/** The value of the newest day, by the facts with the fewest other members; unequal ones are a conflict. */
function newestValue(
  facts: readonly StatedFact[],
  members: readonly string[],
  scaled: (value: ExactDecimal) => ExactDecimal = (value) => value,
): Figure {
  const own = plainFacts(newestFacts(facts), members).toSorted(finerFirst);
  const [first] = own;
  if (first === undefined) return absentFigure('not_filed');
  const value = scaled(first.value);
  if (own.some((fact) => !scaled(fact.value).equals(value))) {
    return absentFigure('conflict', { facts: own });
  }
  return figureOf(value, { basis: 'filed', facts: [first] });
}

function rangeOf({ facts }: Group, period: string): { readonly note: string; readonly end: string } | null {
  const bounds = facts.filter(
    ({ concept, unit, end, dimensions }) =>
      unit === 'pure' && end <= period && localName(concept) === statedRate && dimensions.some(isRange),
  );
  const newest = newestFacts(bounds);
  const values = newest.map(({ value }) => (value.compare(one) > 0 ? value.times(hundredth) : value));
  const [first, ...rest] = values.toSorted((a, b) => a.compare(b));
  const [bound] = newest;
  if (first === undefined || bound === undefined) return null;
  return { note: `coupon_range:${first}/${rest.at(-1) ?? first}`, end: bound.end };
}

/** When it is due and when it was made, each from the first kind of fact that says it (M18.21). */
export function datesOf(
  group: Group,
  period: string,
): Pick<
  Instrument,
  'maturityDate' | 'issueDate' | 'springingMaturityDate' | 'putDate' | 'callDate' | 'notes'
> {
  const terms = group.terms.filter(({ end, dimensions }) => end <= period && !saysNothing(dimensions));
  const maturity = maturityOf(terms, { members: group.members, period });
  const range = maturityRange(terms);
  return {
    maturityDate: maturity,
    issueDate: issueDate(group, period),
    springingMaturityDate: earliest(terms.filter(({ concept }) => /SpringingMaturity/.test(concept))),
    putDate: earliest(terms.filter(({ concept }) => putName.test(localName(concept)))),
    callDate: callDate(terms, group),
    notes: [
      ...(maturity.value === null && maturity.reason === 'conflict' ? ['maturity_conflict'] : []),
      ...(range === null ? [] : [range]),
    ],
  };
}

const putName = /(Put(?:Date|Right|Option)|RepurchaseRight|HolderRedemption)/;
const callNames = /^(DebtInstrumentRedemptionPeriodStartDate|\w*CallDate)$/;
const early = 'DebtInstrumentConvertibleEarliestDate1';

const maturityKinds: readonly {
  readonly basis: string;
  readonly isNamed: (name: string) => boolean;
  readonly read: (term: TermFact) => string | null;
}[] = [
  {
    basis: 'filed_date',
    isNamed: (name) =>
      name === 'DebtInstrumentMaturityDate' || name === 'LineOfCreditFacilityExpirationDate1',
    read: ({ value }) => (isCivilDate(value) ? value : null),
  },
  {
    basis: 'filed_month',
    isNamed: (name) => /Maturity(YearMonth|MonthAndYear)$/.test(name),
    read: ({ value }) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? value : null),
  },
  { basis: 'filed_term', isNamed: (name) => name === 'DebtInstrumentTerm', read: termEnd },
  {
    basis: 'filed_description',
    isNamed: (name) => name === 'DebtInstrumentMaturityDateDescription',
    read: ({ value }) => monthOf(value),
  },
];

function maturityOf(
  terms: readonly TermFact[],
  { members, period }: { readonly members: readonly string[]; readonly period: string },
): Figure<string> {
  for (const { basis, isNamed, read } of maturityKinds) {
    const own = terms.flatMap((term) => {
      const value = isNamed(localName(term.concept)) ? read(term) : null;
      return value === null ? [] : [{ ...term, read: value }];
    });
    const [first, ...rest] = plainFacts(own, members).toSorted((a, b) => (a.read < b.read ? -1 : 1));
    if (first === undefined) continue;
    if (rest.some((term) => term.read !== first.read)) {
      return absentFigure('conflict', { facts: [first, ...rest].map(termFact) });
    }
    if ([first, ...rest].every((term) => isOfEarlierColumn(term, period))) continue;
    return figureOf(first.read, { basis, facts: [termFact(first)] });
  }
  return absentFigure('not_filed');
}

/** Months that a date of issue may be filed on; what is longer is a column of a table. */
const columnDays = 60;

/** True for what a table says of an earlier period beside the one that ends now (TSLA 2024: 2026-12 of 2023). */
function isOfEarlierColumn({ start, end }: TermFact, period: string): boolean {
  return start !== null && end < period && daysBetween(start, end) > columnDays;
}

/** The bounds of the newest day that states any. */
function maturityRange(terms: readonly TermFact[]): string | null {
  const bounds = terms.filter(({ concept }) => /Maturity\w*Range(Start|End)$/.test(concept));
  const day = newestDay(bounds);
  const at = (side: 'Start' | 'End') => [
    ...new Set(
      bounds.filter(({ end, concept }) => end === day && concept.endsWith(side)).map(({ value }) => value),
    ),
  ];
  const [start, ...starts] = at('Start');
  const [end, ...ends] = at('End');
  if (start === undefined || end === undefined || starts.length > 0 || ends.length > 0) return null;
  return `maturity_range:${start}/${end}`;
}

/** The day of a term that begins on a day: `P5Y` on 2020-12-11 is 2025-12-11. */
function termEnd({ value, start, end }: TermFact): string | null {
  const [, years = '0', months = '0', days = '0'] =
    /^P(?:(\d{1,3})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})D)?$/.exec(value) ?? [];
  const [y, m, d] = [Number(years), Number(months), Number(days)];
  if (y + m + d === 0 || (start !== null && start !== end)) return null;
  const [year = 0, month = 1, day = 1] = end.split('-').map(Number);
  const target = year * 12 + (month - 1) + y * 12 + m;
  const lastDay = new Date(Date.UTC(Math.floor(target / 12), (target % 12) + 1, 0)).getUTCDate();
  const due = new Date(Date.UTC(Math.floor(target / 12), target % 12, Math.min(day, lastDay) + d));
  return Number.isNaN(due.getTime()) ? null : due.toISOString().slice(0, 10);
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `Aug-29` and `August 2029` are 2029-08; anything else in words says no month, `June 30` may be a day. */
function monthOf(text: string): string | null {
  const [, name = '', year = ''] = /^([A-Z][a-z]{2})[a-z]{0,6}(?:-(?:20)?| 20)(\d\d)$/.exec(text) ?? [];
  const month = monthNames.indexOf(name.toLowerCase()) + 1;
  return month === 0 ? null : `20${year}-${String(month).padStart(2, '0')}`;
}

function earliest(terms: readonly TermFact[]): Figure<string> {
  const [first] = terms
    .filter(({ value }) => isCivilDate(value))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
  if (first === undefined) return absentFigure('not_filed');
  return figureOf(first.value, { basis: 'filed_date', facts: [termFact(first)] });
}

/** The first day the issuer may call: by name, or the earliest day of a redemption period with a price (M18.21). */
function callDate(terms: readonly TermFact[], { facts }: Group): Figure<string> {
  const named = earliest(terms.filter(({ concept }) => callNames.test(localName(concept))));
  if (named.value !== null) return named;
  const periodOf = ({ dimensions }: Pick<TermFact, 'dimensions'>) =>
    dimensions.find(({ axis }) => axis.endsWith(':DebtInstrumentRedemptionPeriodAxis'))?.member;
  const priced = new Set(
    facts.filter(({ concept }) => /RedemptionPricePercentage/.test(concept)).map(periodOf),
  );
  const open = terms.filter((term) => {
    const member = periodOf(term);
    if (member === undefined || localName(term.concept) !== early) return false;
    return priced.has(member) && !/(StockPrice|Conversion)/.test(member);
  });
  return earliest(open);
}

const madeBy =
  /^ProceedsFrom(Issuance\w*Debt|Debt\w*|Convertible\w*|Notes\w*|LoansPayable|IssuanceOf\w*Debt\w*)$/;

/** The one day on which a face or proceeds are filed; a month end may stand for its month. */
function issueDate({ facts }: Group, period: string): Figure<string> {
  const days = facts.filter(({ concept, start, end, dimensions }) => {
    const name = localName(concept);
    if (end > period || saysNothing(dimensions)) return false;
    return madeBy.test(name) && start === end;
  });
  const [first] = days.toSorted((a, b) => (a.end < b.end ? -1 : 1));
  if (first === undefined) return absentFigure('not_filed');
  return figureOf(first.end, { basis: 'one_day', facts: [first] });
}

export function termFact({ concept, value, start, end, dimensions }: TermFact): CapitalFact {
  return { concept, value, unit: null, start, end, dimensions };
}

export { newestValue };
