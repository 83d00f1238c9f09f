import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import { agreedValue, localName, type StatedFact, statedFacts } from '../crypto/statedFacts.ts';
import { type DebtResolution, unresolvedDebt } from '../debt/debtResolution.ts';
import { quotient, rounded } from '../exact/fraction.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type Facilities, noFacilities } from '../facilities/facility.ts';
import { qualifiedName } from '../filing/factSheet.ts';
import type { EarlierFiling, FiledFact, Filing } from '../filing/rows.ts';
import type { InstanceFact, Reporting, XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CoinMix } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { Split } from '../prices/splits.ts';
import type { FiledCapital } from './capital.ts';
import { resolveClaimBase } from './claims/resolveClaimBase.ts';
import { resolveCoinFlows } from './coinFlows/resolveCoinFlows.ts';
import { type Figure, figureOf } from './figure.ts';
import { wholeInstants } from './filedAmounts.ts';
import { nameTokens } from './instruments/memberNames.ts';
import { reportingCurrency, resolveInstruments } from './instruments/resolveInstruments.ts';

import { resolveMaturities } from './maturities/resolveMaturities.ts';
import type { Instrument, Instruments } from './parts.ts';
import { resolvePreferred } from './preferred/resolvePreferred.ts';
import { filedRunway } from './runway/filedRunway.ts';
import { filedSplits } from './shares/filedSplits.ts';
import { resolveShares } from './shares/resolveShares.ts';
import { factIndex } from './shares/statedFigure.ts';

export type CapitalInput = {
  readonly filing: Filing;
  /** null when the instance is not available: the facts of the whole entity stand in, which know no single note or class. */
  readonly xbrl: XbrlFiling | null;
  readonly entityFacts: readonly FiledFact[];
  /** Newest first. */
  readonly earlier?: readonly EarlierFiling[];
  readonly reporting: Pick<Reporting, 'fiscalYearEnd'>;
  readonly fiscalYearStart: string | null;
  readonly debt: DebtResolution;
  readonly holdings: CryptoHoldings;
  /** Pledged coins that stand as a receivable (M2.1b). */
  readonly pledgedReceivable: ExactDecimal;
  readonly mix: CoinMix;
  readonly facilities: Facilities;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** The currency of D, C and every price. */
const dollars = 'USD';

/**
 * What one filing says of its capital (M18): instruments, what falls due, preferred stock, shares, coin flows and who has
 * a claim. Nothing else of the issuer depends on it (M18.1); closes are read up to the period end.
 */
export function resolveCapital(input: CapitalInput): FiledCapital {
  const { filing, xbrl, holdings, mix, facilities, prices, parameters } = input;
  const { period, accession } = filing;
  const instance = (xbrl?.facts ?? input.entityFacts.map(ofEntity)).toSorted(inDocument);
  const terms = (xbrl?.terms ?? []).toSorted(byText);
  const facts = statedFacts(instance, parameters.concepts);
  const nil = instance.filter(({ value }) => value === null);
  const { fiscalYearStart } = input;
  const currency = reportingCurrency(facts, period) ?? dollars;
  const { debt } = input;
  const proven = debtIn(currency, { debt, facts, period });
  const own = resolveInstruments({
    ...{ filing, facts, nil, terms, debt, facilities, fiscalYearStart, parameters },
  });
  const instruments = withEarlierTerms(own, {
    ...{ facts, period },
    earlier: lacksTerms(own) ? earlierInstruments(input) : [],
    splits: filedSplits(factIndex(facts), terms),
  });
  const preferred = resolvePreferred({ period, facts, nil, currency });
  const coinFlows = resolveCoinFlows({
    ...{ filing, facts, instance, holdings, mix, facilities, prices, parameters },
  });
  return {
    period,
    accession,
    absent: instance.length === 0 ? 'no_instance' : null,
    instruments,
    maturities: resolveMaturities({
      ...{ period, currency, facts, nil, instruments, debt: proven },
      fiscalYearEnd: input.reporting.fiscalYearEnd,
    }),
    preferred,
    shares: resolveShares({ filing, facts, terms, instruments, preferred }),
    coinFlows,
    runway: filedRunway({ filing, facts, debt, arcs: xbrl?.arcs ?? [] }),
    claimBase: resolveClaimBase({
      ...{ period, currency, facts, instruments, holdings, mix },
      // coins in dollars are no pool for claims in another currency, and who has claims is not known without facts
      debt: instance.length > 0 && (currency === dollars || holdings.measurement === null) ? proven : null,
      pledgedReceivable: input.pledgedReceivable,
      stocks: coinFlows.stocks,
    }),
    notes: xbrl === null && instance.length > 0 ? ['entity_facts_only'] : [],
  };
}

/** A fact of companyfacts as an instance states it: of the whole entity, in all its digits. */
function ofEntity(fact: FiledFact): InstanceFact {
  const { unit, value, decimals = 'INF', start, end } = fact;
  return { concept: qualifiedName(fact), contextId: '', unit, value, decimals, start, end, dimensions: [] };
}

/** D in the currency of the statements: its lines as filed in it, where D was read from a translation (M1.7d). */
function debtIn(
  currency: string,
  {
    debt: { method, total, roots },
    facts,
    period,
  }: {
    readonly debt: DebtResolution;
    readonly facts: readonly StatedFact[];
    readonly period: string;
  },
): ExactDecimal | null {
  if (method === null || currency === dollars) return method === null ? null : total;
  const lines = roots
    .filter(({ weight, value }) => weight === 1 && value.sign > 0)
    .map(({ concept }) =>
      agreedValue(wholeInstants(facts, { period, currency }).filter((fact) => fact.concept === concept)),
    );
  return lines.includes(null) ? null : sumOf(lines.filter((line) => line !== null));
}

/** One order for any source: that of the document, else by what is said. */
function inDocument(a: InstanceFact, b: InstanceFact): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (a.position ?? last) - (b.position ?? last) || byText(a, b);
}

type Said = Pick<InstanceFact, 'concept' | 'start' | 'end' | 'contextId'> & {
  readonly value: unknown;
  readonly unit?: string;
};

function byText(a: Said, b: Said): number {
  return (
    compareText(a.concept, b.concept) ||
    compareText(a.end, b.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    compareText(a.contextId, b.contextId) ||
    compareText(a.unit ?? '', b.unit ?? '') ||
    compareText(String(a.value), String(b.value))
  );
}

/** True where an outstanding note does not state a term that it keeps for life. */
function lacksTerms({ found }: Instruments): boolean {
  return found.some(
    ({ state, members, couponRate, maturityDate, kind, conversionPrice }) =>
      state === 'outstanding' &&
      members.length > 0 &&
      (couponRate.value === null ||
        maturityDate.value === null ||
        (kind === 'convertible_note' && conversionPrice.value === null)),
  );
}

/** The notes of earlier filings, by their own facts alone: no debt is judged there and nothing is summed. */
function earlierInstruments({
  earlier = [],
  filing,
  parameters,
}: CapitalInput): readonly EarlierInstruments[] {
  return earlier.map(({ accession, period, facts: instance, terms }) => {
    const facts = statedFacts(instance, parameters.concepts);
    const instruments = resolveInstruments({
      filing: { period, filed: filing.filed },
      ...{ facts, terms, debt: unresolvedDebt, facilities: noFacilities, fiscalYearStart: null, parameters },
    });
    return { accession, period, instruments, facts };
  });
}

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
    conversionShares: figureOf(rounded(quotient(principal.value, price), 1), {
      basis: 'principal_over_price',
      facts: [...principal.facts, ...filed.facts],
      status: principal.status === 'proven' ? 'supported' : principal.status,
    }),
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
