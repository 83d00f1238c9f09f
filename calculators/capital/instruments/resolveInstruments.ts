import { compareText } from '../../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { DebtResolution } from '../../debt/debtResolution.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { Facilities } from '../../facilities/facility.ts';
import { isSubsequentMember, localName, type StatedFact } from '../../filing/statedFacts.ts';
import type { Dimension, InstanceFact, TermFact } from '../../filing/xbrlFiling.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { agree, roundedOf } from '../agree.ts';
import { type Figure, noFigure } from '../figure.ts';
import { conversionOf } from './conversionTerms.ts';
import { isBucket } from './debtConcepts.ts';
import { type DebtGroup, debtGroups } from './debtGroups.ts';
import { againstDebt } from './debtLines.ts';
import { debtTables } from './debtTables.ts';
import type { DebtRoot } from './explainRoots.ts';
import type { Instrument, Instruments, RefusedGroup } from './instrument.ts';
import { type Draft, type DraftContext, draftOf, isInstrument } from './instrumentDraft.ts';
import { rankOf } from './instrumentRank.ts';
import { couponOf, datesOf } from './instrumentTerms.ts';
import { joinGroups, namedAggregates, summedAggregates, tokenKey } from './joinGroups.ts';
import { halvesOfName, isStandardMember, wordsOfMember } from './memberNames.ts';
import { type Evidence, owedAmounts, together } from './owedAmounts.ts';
import { capitalFact, type PrincipalOwed } from './principalOwed.ts';

/**
 * The notes, loans and lines of one filing with what they owe and say (M18.10–M18.26): from facts on members of
 * dimensional axes, and from lines of the face that no member explains. Facts of a later day are rows of their own.
 */
export function resolveInstruments({
  filing: { period, filed },
  facts,
  nil = [],
  terms,
  debt,
  facilities,
  fiscalYearStart,
  parameters,
}: {
  readonly filing: { readonly period: string; readonly filed: string };
  readonly facts: readonly StatedFact[];
  /** Facts without a value: reported, no amount. */
  readonly nil?: readonly InstanceFact[];
  readonly terms: readonly TermFact[];
  readonly debt: Pick<DebtResolution, 'total' | 'method' | 'roots'>;
  readonly facilities: Facilities;
  readonly fiscalYearStart: string | null;
  readonly parameters: Parameters;
}): Instruments {
  const currency = reportingCurrency(facts, period);
  if (currency === null) return noInstruments;
  const isLater = ({
    end,
    dimensions,
  }: {
    readonly end: string;
    readonly dimensions: readonly Dimension[];
  }) => end > period || dimensions.some(isSubsequentMember);
  const own = {
    facts: facts.filter((each) => !isLater(each)),
    nil: nil.filter((each) => !isLater(each)),
    terms: terms.filter((each) => !isLater(each)),
  };
  const isKnown = ({ end }: { readonly end: string }) => end <= filed;
  const later = {
    facts: facts.filter((each) => isLater(each) && isKnown(each)),
    nil: [],
    terms: terms.filter((each) => isLater(each) && isKnown(each)),
  };
  const day = { period, currency };
  const tables = debtTables(own.facts, day);
  const tableMembers = new Set(tables.flatMap(({ rows }) => [...rows.keys()]));
  const roots = rootsOf(debt, { facts: own.facts, ...day });
  const context: DraftContext = {
    ...day,
    ...{ tables, facilities, fiscalYearStart, parameters },
    isSubsequent: false,
    debt: roots === null ? null : currency === 'USD' ? debt.total : sumOf(roots.map(({ value }) => value)),
  };
  const named = namedAggregates(debtGroups(own, tableMembers));
  const joined = joinGroups(named.groups, day);
  const { kept, refused } = instrumentsAmong(joined, period);
  const summed = summedAggregates(kept, day, tableMembers);
  const groups = withAggregates(summed.groups, { aggregates: named.aggregates, ...day });
  const drafts = groups.map((group) => draftOf(group, context));
  const { drafts: judged, stack } = againstDebt(drafts, { facts: own.facts, roots: roots ?? [], context });
  const aggregates = [...named.aggregates, ...summed.aggregates]
    .filter((group) => isInstrument(group, period, false))
    .map((group) => ({ ...draftOf(group, context), state: 'aggregate' as const }));
  const subsequent = laterDrafts(debtGroups(later, tableMembers), context);
  const hasRemainder = [...facts, ...nil].some(({ concept }) => /RemainderOfFiscalYear$/.test(concept));
  const found = [...judged, ...aggregates, ...subsequent].map((draft) =>
    instrumentOf(draft, {
      period: draft.state === 'subsequent' ? lastDay(draft) : period,
      currency,
      hasRemainder,
    }),
  );
  return {
    currency,
    found: found.toSorted(byPrincipal),
    refused,
    stack,
    notes: tables.map(({ concept }) => `table:${concept}`).sort(compareText),
  };
}

export const noInstruments: Instruments = {
  currency: null,
  found: [],
  refused: [],
  stack: { status: 'unproven', difference: null, principal: null },
  notes: [],
};

/** The currency of most undimensioned amounts at the period end; a convenience translation beside it is no second fact. */
function reportingCurrency(facts: readonly StatedFact[], period: string): string | null {
  const counts = new Map<string, number>();
  for (const { unit, end, start, dimensions } of facts) {
    if (start !== null || end !== period || dimensions.length > 0 || !/^[A-Z]{3}$/.test(unit)) continue;
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1] || compareText(a[0], b[0]));
  return most?.[0] ?? null;
}

function instrumentsAmong(
  groups: readonly DebtGroup[],
  period: string,
): { readonly kept: readonly DebtGroup[]; readonly refused: readonly RefusedGroup[] } {
  const isKept = (group: DebtGroup) => isInstrument(group, period, group.members.every(isStandardMember));
  return {
    kept: groups.filter(isKept),
    refused: groups
      .filter((group) => !isKept(group))
      .map(({ members }) => ({ members, reason: 'no amount owed, year of a ladder or limit' })),
  };
}

/** Of an aggregate all of whose parts but one are paid, the carrying amount and the cost are those of the one (M18.15). */
function withAggregates(
  groups: readonly DebtGroup[],
  {
    aggregates,
    ...day
  }: { readonly aggregates: readonly DebtGroup[]; readonly period: string; readonly currency: string },
): readonly DebtGroup[] {
  let found = groups;
  for (const aggregate of aggregates) {
    const parts = new Set(aggregate.members.flatMap((member) => halvesOfName(member).flat().map(tokenKey)));
    const own = found.filter(({ members }) => members.some((member) => parts.has(tokenKey(member))));
    const owing = own.filter((group) => {
      const { named, stated, face, carrying } = owedAmounts(group, day);
      return [...named, stated, face, ...carrying].some((each) => each !== null && each.value.sign > 0);
    });
    const [left] = owing;
    if (owing.length !== 1 || left === undefined) continue;
    const shared = aggregate.facts.filter(
      ({ concept }) =>
        /Unamortized|DeferredFinanceCosts|DebtIssuanceCosts|^[\w-]+:(LongTerm|Secured|Convertible|Notes|Loans)\w*/.test(
          concept,
        ) && !/Maturit/.test(concept),
    );
    const facts = shared.filter(({ concept }) => localName(concept) !== 'DebtInstrumentCarryingAmount');
    found = found.map((group) =>
      group === left ? { ...left, aliases: aggregate.members, facts: [...left.facts, ...facts] } : group,
    );
  }
  return found;
}

/** Lines of D in the reporting currency, with the rounding of their facts (DDC: CNY beside a convenience in USD). */
function rootsOf(
  { roots, method }: Pick<DebtResolution, 'roots' | 'method'>,
  {
    facts,
    period,
    currency,
  }: { readonly facts: readonly StatedFact[]; readonly period: string; readonly currency: string },
): readonly DebtRoot[] | null {
  const owed = roots.filter(({ value, weight }) => weight === 1 && value.sign > 0);
  if (method === null) return null;
  const lines = owed.map(({ concept, value }) => {
    const fact = facts.find(
      (each) =>
        each.concept === concept &&
        each.end === period &&
        each.start === null &&
        each.unit === currency &&
        each.dimensions.length === 0,
    );
    if (currency !== 'USD') return fact === undefined ? null : { concept, ...roundedOf(fact) };
    return { concept, value, half: roundedOf({ value, decimals: fact?.decimals ?? 'INF' }).half };
  });
  const known = lines.filter((line) => line !== null);
  return known.length < lines.length ? null : known;
}

function laterDrafts(groups: readonly DebtGroup[], context: DraftContext): readonly Draft[] {
  return groups.flatMap((group) => {
    const period = group.facts.reduce((last, { end }) => (end > last ? end : last), '');
    const draft = draftOf(group, {
      ...context,
      period,
      tables: [],
      fiscalYearStart: null,
      isSubsequent: true,
    });
    return isInstrument(group, period, group.members.every(isStandardMember)) ? [draft] : [];
  });
}

function lastDay({ group }: Draft): string {
  return group.facts.reduce((last, { end }) => (end > last ? end : last), '');
}

function instrumentOf(
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
    couponRate: coupon.couponRate,
    couponKind: coupon.couponKind,
    spread: coupon.spread,
    effectiveRate: coupon.effectiveRate,
    maturityDate: dates.maturityDate,
    issueDate: dates.issueDate,
    springingMaturityDate: dates.springingMaturityDate,
    putDate: dates.putDate,
    callDate: dates.callDate,
    conversionPrice: conversion.conversionPrice,
    conversionShares: conversion.conversionShares,
    fairValue: evidenceFigure(fairValue, false),
    facilityId: facility?.id ?? null,
    termsAccession: null,
    joins: group.joins,
    notes: [...new Set(all)].sort(compareText),
  };
}

/** The name that says most. */
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

/** Carrying amount and unamortized cost make up a proven principal. */
function isNetProven({ carrying, unamortized, amount, isProven }: PrincipalOwed): boolean {
  if (!isProven || carrying === null || unamortized === null || amount === null) return false;
  return agree(together([carrying, unamortized]), amount);
}

function evidenceFigure(evidence: Evidence | null, isProven: boolean): Figure {
  if (evidence === null) return noFigure('not_filed');
  return {
    value: evidence.value,
    status: isProven ? 'proven' : 'stated',
    basis: evidence.basis ?? [...new Set(evidence.facts.map(({ concept }) => localName(concept)))].join('+'),
    facts: evidence.facts.map(capitalFact),
  };
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

function byPrincipal(a: Instrument, b: Instrument): number {
  const amount = ({ principal, carryingAmount }: Instrument): ExactDecimal | null =>
    principal.value ?? carryingAmount.value;
  const [x, y] = [amount(a), amount(b)];
  const order = Number(b.state === 'outstanding') - Number(a.state === 'outstanding');
  const size = x !== null && y !== null ? y.compare(x) : Number(x === null) - Number(y === null);
  return order || size || compareText(a.id, b.id) || compareText(a.state, b.state);
}
