import { compareText } from '../../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isQuantity, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { absolute } from '../../exact/decimals.ts';
import { divide, exactly, quotient, rounded } from '../../exact/fraction.ts';
import type { Facility, FacilityFact } from '../../facilities/facility.ts';
import { isPledgedCoins } from '../../facilities/loanFacts.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import { agree, membersKey } from '../filedAmounts.ts';
import type { Instrument } from '../parts.ts';
import { isBucket } from './debtConcepts.ts';
import type { DebtGroup } from './debtGroups.ts';
import { saysNothing } from './debtMembers.ts';
import type { Draft } from './instrumentDraft.ts';
import { couponOf, datesOf, newestValue } from './instrumentTerms.ts';
import { wordsOfMember } from './memberNames.ts';
import { type Evidence, together } from './owedAmounts.ts';
import type { PrincipalOwed } from './principalOwed.ts';

/** A draft with its terms, as one row of the capital structure. */
export function instrumentOf(
  { group, owed, facility, fairValue, face, state, notes }: Draft,
  {
    period,
    currency,
    hasRemainder,
  }: { readonly period: string; readonly currency: string; readonly hasRemainder: boolean },
): Instrument {
  const coupon = couponOf(group, period);
  const dates = datesOf(group, period);
  const conversion = conversionOf(group, { period, currency, principal: owed.principal });
  const rank = rankOf(group, { facility, period });
  const early = bucketBefore(group, { period, maturity: dates.maturityDate.value, hasRemainder });
  const all = [
    ...group.notes,
    ...owed.notes,
    ...notes,
    ...coupon.notes,
    ...dates.notes,
    ...conversion.notes,
    ...early,
  ];
  return {
    id: idOf(group.members),
    name: nameOf(group.members),
    members: group.members,
    kind: kindOf(group, conversion.conversionPrice),
    state,
    asOf: period,
    ...rank,
    currency,
    principal:
      state === 'unconfirmed' && owed.principal.value !== null
        ? { ...owed.principal, status: 'stated' }
        : owed.principal,
    faceAmount: evidenceFigure(face, false),
    carryingAmount: evidenceFigure(owed.carrying, isNetProven(owed)),
    unamortizedCost: evidenceFigure(owed.unamortized, false),
    ...coupon,
    ...dates,
    ...conversion,
    fairValue: evidenceFigure(fairValue, false),
    facilityId: facility?.id ?? null,
    termsAccession: null,
    joins: group.joins,
    notes: [...new Set(all)].sort(compareText),
  };
}

function nameOf(members: readonly string[]): string {
  const words = members
    .filter((member, _, all) => !member.startsWith('line:') || all.length === 1)
    .map((member) => wordsOfMember(member.replace(/^line:/, '')));
  return words.reduce((best, each) => (each.length > best.length ? each : best), words[0] ?? []).join(' ');
}

function idOf(members: readonly string[]): string {
  const names = members.filter((member) => !member.startsWith('line:'));
  if (names.length === 0) return members[0] ?? '';
  return names
    .map((member) => localName(member).toLowerCase())
    .sort(compareText)
    .join('+');
}

function isNetProven({ carrying, unamortized, amount, isProven }: PrincipalOwed): boolean {
  if (!isProven || carrying === null || unamortized === null || amount === null) return false;
  return agree(together([carrying, unamortized]), amount);
}

function evidenceFigure(evidence: Evidence | null, isProven: boolean): Figure {
  if (evidence === null) return absentFigure('not_filed');
  return figureOf(evidence.value, {
    basis: evidence.basis ?? [...new Set(evidence.facts.map(({ concept }) => localName(concept)))].join('+'),
    facts: evidence.facts,
    status: isProven ? 'proven' : 'stated',
  });
}

function kindOf({ members, classes, facts }: DebtGroup, price: Figure): Instrument['kind'] {
  const names = [...members, ...classes].map(localName).join(' ');
  if (/Convertible/.test(names) || price.value !== null || /CD(Member)?$/.test(members[0] ?? ''))
    return 'convertible_note';
  if (facts.some(({ concept }) => /Convertible(LongTerm)?NotesPayable|ConvertibleDebt/.test(concept)))
    return 'convertible_note';
  if (/Mortgage/.test(names)) return 'mortgage';
  if (/(CreditFacility|CreditLine|LineOfCredit|LinesOfCredit|Revolv|CreditAgreement)/.test(names))
    return 'credit_line';
  if (/(Loan|Borrowing|Financing)/.test(names)) return 'term_loan';
  return /(Note|Bond|Debenture)/.test(names) ? 'note' : 'other';
}

/** A year of the ladder that ends before the filed maturity: evidence of an early date, never a date (M18.21). */
function bucketBefore(
  { facts }: DebtGroup,
  {
    period,
    maturity,
    hasRemainder,
  }: { readonly period: string; readonly maturity: string | null; readonly hasRemainder: boolean },
): readonly string[] {
  if (maturity === null) return [];
  const years = facts.flatMap((fact) => {
    const [, word = ''] = /InYear(Two|Three|Four|Five)$/.exec(fact.concept) ?? [];
    const n = fact.concept.endsWith('InNextTwelveMonths')
      ? 1
      : ['', '', 'Two', 'Three', 'Four', 'Five'].indexOf(word);
    return fact.end === period && isBucket(fact) && fact.value.sign > 0 && n > 0 ? [n] : [];
  });
  const last = Math.max(0, ...years) + (hasRemainder ? 1 : 0);
  const end = `${Number(period.slice(0, 4)) + last}${period.slice(4)}`;
  return years.length > 0 && end < maturity && isLump(facts, period) ? ['bucket_before_maturity'] : [];
}

/** One year holds it all: rates of repayment before the maturity are no early date. */
function isLump(facts: readonly StatedFact[], period: string): boolean {
  const owed = facts.filter((fact) => fact.end === period && isBucket(fact) && fact.value.sign > 0);
  return new Set(owed.map(({ concept }) => concept)).size === 1;
}

export function byPrincipal(a: Instrument, b: Instrument): number {
  const amount = ({ principal, carryingAmount }: Instrument): ExactDecimal | null =>
    principal.value ?? carryingAmount.value;
  const [x, y] = [amount(a), amount(b)];
  const order = Number(b.state === 'outstanding') - Number(a.state === 'outstanding');
  const size = x !== null && y !== null ? y.compare(x) : Number(x === null) - Number(y === null);
  return order || size || compareText(a.id, b.id) || compareText(a.state, b.state);
}

type Ranked = Pick<Instrument, 'rank' | 'rankBasis' | 'securedBy' | 'pledgedUnits' | 'pledgedValue'>;

/** Rank of an instrument and what it rests on (M18.20): coins only by a fact, everything else by fact, class or word. */
function rankOf(
  { facts, members, classes }: Pick<DebtGroup, 'facts' | 'members' | 'classes'>,
  { facility, period }: { readonly facility: Facility | null; readonly period: string },
): Ranked {
  const pledge = pledgeOf(facts, { facility, period });
  if (pledge.pledgedUnits.value !== null || pledge.pledgedValue.value !== null) {
    const rankBasis = (facility?.collateral ?? null) === null ? 'pledged_coins' : 'facility';
    return { rank: 'secured_by_coins', rankBasis, securedBy: 'coins', ...pledge };
  }
  const collateral = facts.find(
    ({ concept, value, end, dimensions }) =>
      end <= period &&
      value.sign > 0 &&
      (otherCollateral.test(localName(concept)) ||
        dimensions.some(({ axis }) => axis.endsWith(':CollateralAxis'))),
  );
  if (collateral !== undefined) {
    return {
      rank: 'secured_by_other_assets',
      rankBasis: 'collateral_fact',
      securedBy: 'other_assets',
      ...pledge,
    };
  }
  const names = [...members, ...classes].map(localName).join(' ');
  if (subordinatedWord.test(names)) {
    return { rank: 'subordinated', rankBasis: 'name', securedBy: null, ...pledge };
  }
  if (/Unsecured/.test(names)) return { rank: 'unsecured', rankBasis: 'name', securedBy: null, ...pledge };
  const word = securedWord.exec(names)?.[0];
  const isSecuredConcept = facts.some(
    ({ concept, end, value }) =>
      end === period && value.sign > 0 && /^Secured(LongTerm)?Debt/.test(localName(concept)),
  );
  if (word !== undefined || isSecuredConcept) {
    const isOther = word !== undefined && word !== 'Secured';
    return {
      rank: 'secured_by_other_assets',
      rankBasis: word === undefined ? 'concept' : 'name',
      securedBy: isOther ? 'other_assets' : 'unknown',
      ...pledge,
    };
  }
  return { rank: 'unsecured', rankBasis: 'assumed', securedBy: null, ...pledge };
}

const securedWord = /(?<!Un)(Secured|Mortgage|AssetBacked|Nonrecourse|NonRecourse|Equipment)/;
const subordinatedWord = /(Subordinated|Junior)/;
const otherCollateral =
  /(CashCollateral|CollateralAccount|ControlAccount|CollateralAmount|AssetPledged|PledgedAsCollateral|CollateralAlreadyPosted|AmountOfCollateral)/;

/** Coins behind it: those of its facility, else pledged coins among its facts; a stock filed on a period stands at its end. */
function pledgeOf(
  facts: readonly StatedFact[],
  { facility, period }: { readonly facility: Facility | null; readonly period: string },
): Pick<Ranked, 'pledgedUnits' | 'pledgedValue'> {
  const collateral = facility?.collateral ?? null;
  if (collateral !== null) {
    const { units } = collateral;
    const value = collateral.basis === 'tagged_value' ? collateral.value : null;
    // the loan states its facts in the order of the document
    const evidence = collateral.facts
      .toSorted((a, b) => compareText(textOf(a), textOf(b)))
      .map(({ concept, unit, value: amount, date, dimensions }) => ({
        ...{ concept, unit, value: amount, dimensions },
        ...{ start: null, end: date },
      }));
    const figure = (amount: typeof units): Figure =>
      amount === null ? absentFigure('not_filed') : figureOf(amount, { basis: 'facility', facts: evidence });
    return { pledgedUnits: figure(units), pledgedValue: figure(value) };
  }
  const pledged = facts.filter((fact) => fact.end === period && fact.value.sign > 0 && isPledgedCoins(fact));
  return {
    pledgedUnits: agreed(pledged.filter(isQuantity)),
    pledgedValue: agreed(pledged.filter(({ unit }) => /^[A-Z]{3}$/.test(unit))),
  };
}

function textOf({ concept, unit, value, date, dimensions }: FacilityFact): string {
  return [concept, unit, date, membersKey(dimensions), value].join(' ');
}

function agreed(facts: readonly StatedFact[]): Figure {
  const [first, ...rest] = facts;
  if (first === undefined) return absentFigure('not_filed');
  if (rest.some(({ value }) => !value.equals(first.value))) return absentFigure('conflict');
  return figureOf(first.value, { basis: 'pledged', facts: [first] });
}

const priceName = 'DebtInstrumentConvertibleConversionPrice1';
const ratioName = /^(DebtInstrumentConvertibleConversionRatio1|\w*SharesIssuablePer\w*)$/;
const maximumName = /(MaximumShares\w*Convert|Convert\w*MaximumShares|MaximumNumberOfShares\w*Convert)/;
const base = ExactDecimal.parse('1000');
const tolerance = ExactDecimal.parse('2');

/** Conversion price, ratio and shares of a group (M18.23). */
export function conversionOf(
  { facts, members }: Pick<DebtGroup, 'facts' | 'members'>,
  {
    period,
    currency,
    principal,
  }: { readonly period: string; readonly currency: string; readonly principal: Figure },
): Pick<Instrument, 'conversionPrice' | 'conversionShares' | 'notes'> {
  const own = facts.filter(({ end, dimensions }) => end <= period && !saysNothing(dimensions));
  const named = own.filter(({ concept }) => localName(concept) === priceName);
  const prices = named.filter(({ unit, value }) => unit === `${currency}/shares` && value.sign > 0);
  const price = newestValue(prices, members);
  const ratios = own.filter(
    ({ concept, unit, value }) =>
      ratioName.test(localName(concept)) && /^(pure|shares)$/.test(unit) && value.sign > 0,
  );
  const ratio = newestValue(ratios, members);
  const isMatched =
    price.value === null || ratio.value === null || isThousand(price.value.times(ratio.value));
  const maximum = newestValue(
    own.filter(({ concept, unit }) => unit === 'shares' && maximumName.test(localName(concept))),
    members,
  );
  const notes = [
    ...(isMatched ? [] : ['conversion_mismatch']),
    ...(price.value === null && price.reason === 'conflict' ? ['conversion_price_conflict'] : []),
    ...(prices.length === 0 && named.length > 0 ? ['conversion_price_in_other_currency'] : []),
  ];
  return {
    conversionPrice: price,
    conversionShares: sharesOf({
      price,
      ratio: isMatched ? ratio : absentFigure('conflict'),
      maximum,
      principal,
    }),
    notes,
  };
}

/** A bond of 1,000: the price times the shares it buys, within 0.2 %. */
function isThousand(product: ExactDecimal): boolean {
  return absolute(product.minus(base)).compare(tolerance) <= 0;
}

function sharesOf({
  price,
  ratio,
  maximum,
  principal,
}: {
  readonly price: Figure;
  readonly ratio: Figure;
  readonly maximum: Figure;
  readonly principal: Figure;
}): Figure {
  if (maximum.value !== null) return { ...maximum, basis: 'filed_maximum' };
  if (price.value === null && ratio.value === null) return absentFigure('not_filed');
  if (principal.value === null) return absentFigure('missing', { part: 'principal' });
  // a ratio is per 1,000 only where the price bears it out
  if (ratio.value !== null && price.value !== null) {
    const shares = rounded(divide(exactly(principal.value.times(ratio.value)), exactly(base)), 1);
    return figureOf(shares, {
      basis: 'ratio',
      facts: [...principal.facts, ...ratio.facts],
      status: principal.status,
    });
  }
  if (price.value === null) return absentFigure('missing', { part: 'conversion_price' });
  const shares = rounded(quotient(principal.value, price.value), 1);
  return figureOf(shares, {
    basis: 'price',
    facts: [...principal.facts, ...price.facts],
    status: principal.status,
  });
}
