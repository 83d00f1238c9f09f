import { compareText } from '../../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { agree } from '../agree.ts';
import { type Figure, noFigure } from '../figure.ts';
import { conversionOf } from './conversionTerms.ts';
import { isBucket } from './debtConcepts.ts';
import type { DebtGroup } from './debtGroups.ts';
import type { Instrument } from './instrument.ts';
import type { Draft } from './instrumentDraft.ts';
import { rankOf } from './instrumentRank.ts';
import { couponOf, datesOf } from './instrumentTerms.ts';
import { wordsOfMember } from './memberNames.ts';
import { type Evidence, together } from './owedAmounts.ts';
import { capitalFact, type PrincipalOwed } from './principalOwed.ts';

export function lastDay({ group }: Draft): string {
  return group.facts.reduce((last, { end }) => (end > last ? end : last), '');
}

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

export function byPrincipal(a: Instrument, b: Instrument): number {
  const amount = ({ principal, carryingAmount }: Instrument): ExactDecimal | null =>
    principal.value ?? carryingAmount.value;
  const [x, y] = [amount(a), amount(b)];
  const order = Number(b.state === 'outstanding') - Number(a.state === 'outstanding');
  const size = x !== null && y !== null ? y.compare(x) : Number(x === null) - Number(y === null);
  return order || size || compareText(a.id, b.id) || compareText(a.state, b.state);
}
