import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../crypto/statedFacts.ts';
import { quotient, rounded } from '../exact/fraction.ts';
import type { Split } from '../prices/splits.ts';
import type { Figure } from './figure.ts';
import type { Instrument, Instruments } from './instruments/instrument.ts';
import { nameTokens } from './instruments/memberNames.ts';

/** The instruments of a filing before the one in force. */
export type EarlierInstruments = {
  readonly accession: string;
  readonly period: string;
  readonly instruments: Instruments;
  readonly facts: readonly StatedFact[];
};

/** Fewer words than these are too common to know a note by (M18.14 b). */
const tellingTokens = 2;

/**
 * Terms that a note keeps for life and its newest filing does not state again, from the newest earlier filing that does
 * (M18.90). Only between names of one note with the same principal at issue; amounts never carry over.
 *
 * @param earlier newest first
 */
export function withEarlierTerms(
  instruments: Instruments,
  {
    facts,
    period,
    earlier,
    splits = [],
  }: {
    readonly facts: readonly StatedFact[];
    readonly period: string;
    readonly earlier: readonly EarlierInstruments[];
    readonly splits?: readonly Split[];
  },
): Instruments {
  if (earlier.length === 0) return instruments;
  return {
    ...instruments,
    found: instruments.found.map((one) => {
      if (one.state !== 'outstanding' || one.members.length === 0) return one;
      for (const filing of earlier) {
        const same = filing.instruments.found.filter((other) => isSame(one, other));
        const [other] = same;
        if (same.length !== 1 || other === undefined) continue;
        if (!haveSameIssue([one, facts], [other, filing.facts])) continue;
        const splitSince = splits.filter(({ date }) => date > filing.period && date <= period);
        const completed = completedBy(one, other, splitSince);
        if (completed !== null) return { ...completed, termsAccession: filing.accession };
      }
      return one;
    }),
  };
}

/** The instrument with what the other states and it does not; null where that is nothing. */
function completedBy(one: Instrument, other: Instrument, splits: readonly Split[]): Instrument | null {
  const missing = <T>(own: Figure<T>, its: Figure<T>) => isNotFiled(own) && its.value !== null;
  const parts: Partial<Instrument>[] = [];
  if (missing(one.couponRate, other.couponRate) && one.couponKind === null) {
    parts.push({ couponRate: other.couponRate, couponKind: other.couponKind });
  }
  if (missing(one.maturityDate, other.maturityDate)) parts.push({ maturityDate: other.maturityDate });
  if (missing(one.callDate, other.callDate)) parts.push({ callDate: other.callDate });
  if (missing(one.putDate, other.putDate)) parts.push({ putDate: other.putDate });
  if (missing(one.conversionPrice, other.conversionPrice)) parts.push(conversion(one, other, splits));
  return parts.length === 0 ? null : Object.assign({}, one, ...parts);
}

/** The earlier price on the count of shares of today, and the shares the principal of today makes of it. */
function conversion(one: Instrument, other: Instrument, splits: readonly Split[]): Partial<Instrument> {
  const { conversionPrice: filed } = other;
  if (filed.value === null) return {};
  const price = splits.reduce(
    (value, { ratio }) => rounded(quotient(value, ExactDecimal.fromNumber(ratio)), 6),
    filed.value,
  );
  const conversionPrice: Figure =
    splits.length === 0 ? filed : { ...filed, value: price, status: 'supported', basis: 'split_adjusted' };
  const { principal } = one;
  if (!isNotFiled(one.conversionShares) || principal.value === null || price.sign <= 0) {
    return { conversionPrice };
  }
  return {
    conversionPrice,
    conversionShares: {
      value: rounded(quotient(principal.value, price), 1),
      status: principal.status === 'proven' ? 'supported' : principal.status,
      basis: 'principal_over_price',
      facts: [...principal.facts, ...filed.facts],
    },
  };
}

function isNotFiled<T>(figure: Figure<T>): boolean {
  return 'reason' in figure && figure.reason === 'not_filed';
}

/** One note under the same member, or under names of the same words. */
function isSame(one: Instrument, other: Instrument): boolean {
  const names = new Set(one.members.map(localName));
  if (other.members.some((member) => names.has(localName(member)))) return true;
  const words = new Set(one.members.flatMap(tokenKey));
  return other.members.flatMap(tokenKey).some((key) => words.has(key));
}

function tokenKey(member: string): string[] {
  const tokens = nameTokens(member);
  return tokens.length < tellingTokens ? [] : [tokens.join(' ')];
}

type OfFiling = readonly [Instrument, readonly StatedFact[]];

/** Both filings state one principal: as the face of any day, or as what is owed at the period end. */
function haveSameIssue(a: OfFiling, b: OfFiling): boolean {
  const issued = issueAmounts(a);
  return [...issueAmounts(b)].some((amount) => issued.has(amount));
}

function issueAmounts([{ members, principal, faceAmount, currency }, facts]: OfFiling): ReadonlySet<string> {
  const names = new Set(members.map(localName));
  const faces = facts.filter(
    ({ concept, unit, value, dimensions }) =>
      unit === currency &&
      value.sign > 0 &&
      faceName.test(localName(concept)) &&
      dimensions.some(({ member }) => names.has(localName(member))),
  );
  const own = [principal.value, faceAmount.value].filter((value) => value !== null);
  const amounts = [...faces.map(({ value }) => value), ...own];
  return new Set(amounts.map(String));
}

const faceName = /^(DebtInstrumentFaceAmount|DebtInstrumentAggregatePrincipalAmount)$/;
