import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { agreedValue, localName, newestFacts, type StatedFact } from '../crypto/statedFacts.ts';
import { daysCovered } from '../exact/civilDate.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { isCoinBorrowing } from './loanFacts.ts';

/** How the amount owed was found, in the order tried (M16.4). */
export type DrawnBasis =
  | 'line_of_credit'
  | 'carrying_amount'
  | 'face_confirmed'
  | 'carrying_net'
  | 'face'
  | 'flows';

export type Drawn = {
  readonly amount: ExactDecimal;
  readonly basis: DrawnBasis;
  readonly facts: readonly StatedFact[];
};

export type Limit = { readonly amount: ExactDecimal; readonly fact: StatedFact };

const lineOfCredit = ['LineOfCredit', 'LinesOfCreditCurrent'];
const carrying = [
  'LongTermDebt',
  'SecuredDebt',
  'LoansPayable',
  'NotesPayable',
  'LoansPayableCurrent',
  'NotesPayableCurrent',
  'SecuredDebtCurrent',
  'LongTermDebtNoncurrent',
];
const principal = 'DebtInstrumentFaceAmount';
const limitConcept = 'LineOfCreditFacilityMaximumBorrowingCapacity';

/** Undimensioned amounts that may stand for a loan none of whose members states one (M16.3). */
export function isLoanLine(fact: StatedFact): boolean {
  return fact.unit === 'USD' && fact.start === null && carrying.includes(localName(fact.concept));
}

export function isCreditLine(fact: StatedFact): boolean {
  return fact.unit === 'USD' && fact.start === null && lineOfCredit.includes(localName(fact.concept));
}

/** True for an amount of what is owed, or was borrowed, under a loan. */
export function isAmountOwed(fact: StatedFact): boolean {
  const name = localName(fact.concept);
  const isKnown = name === 'DebtInstrumentCarryingAmount' || name === principal;
  return fact.unit === 'USD' && (isKnown || isLoanLine(fact) || isCreditLine(fact));
}

/** The filed principals of a group, by which two names of one loan are known (M16.3). */
export function principalsOf(facts: readonly StatedFact[]): ReadonlySet<string> {
  const faces = facts.filter(({ concept, value }) => localName(concept) === principal && value.sign > 0);
  return new Set(faces.map(({ value, unit }) => `${value} ${unit}`));
}

type FiscalYear = { readonly fiscalYearStart: string | null; readonly period: string };
type DrawnContext = FiscalYear & {
  readonly isAt: (fact: StatedFact) => boolean;
  readonly parameters: Pick<Parameters, 'facilities'>;
};

/**
 * The amount owed at the period end, by the first rule that gives one (M16.4); null where none does or the facts of
 * that rule differ. `isAt` selects the facts of the day.
 */
export function drawnOf(
  facts: readonly StatedFact[],
  { isAt, parameters, ...year }: DrawnContext,
): Drawn | null {
  const amounts = wholeAmounts(facts);
  const now = amounts.filter(isAt);
  const net = firstOf(now, carrying) ?? firstLine(now);
  const line = firstOf(now, lineOfCredit);
  if (line !== null) return withBasis(line, 'line_of_credit');
  const stated = firstOf(now, ['DebtInstrumentCarryingAmount']);
  if (stated !== null) return withBasis(stated, 'carrying_amount');
  if (net !== null) {
    const face = confirmedFace(amounts, { net, share: parameters.facilities.faceOverCarrying });
    if (face !== null) return { ...face, basis: 'face_confirmed' };
    return withBasis(net, 'carrying_net');
  }
  const face = firstOf(now, [principal]);
  if (face !== null) return withBasis(face, 'face');
  return flowsOf(facts, year);
}

/** Every filed limit of a loan, the newest first. */
export function limitsOf(facts: readonly StatedFact[]): readonly StatedFact[] {
  return facts
    .filter(({ concept, unit, start, value }) => {
      return localName(concept) === limitConcept && unit === 'USD' && start === null && value.sign > 0;
    })
    .toSorted((a, b) => compareText(b.end, a.end) || b.value.compare(a.value));
}

/**
 * The most that may be borrowed: the newest filed limit that covers what is drawn (RIOT 2025-06-30 dates the raised
 * limit before the first one), else the newest, which the loan has outgrown.
 */
export function limitOf(limits: readonly StatedFact[], drawn: Drawn | null): Limit | null {
  const holding = limits.find(({ value }) => drawn === null || value.compare(drawn.amount) >= 0);
  const fact = holding ?? limits[0];
  return fact === undefined ? null : { amount: fact.value, fact };
}

type Amount = { readonly amount: ExactDecimal; readonly facts: readonly StatedFact[] };

/** Instants in US dollars that no maximum, minimum or fair-value level divides. */
function wholeAmounts(facts: readonly StatedFact[]): StatedFact[] {
  return facts.filter(
    ({ unit, start, dimensions }) =>
      unit === 'USD' &&
      start === null &&
      !dimensions.some(({ axis }) => /:(RangeAxis|FairValueByFairValueHierarchyLevelAxis)$/.test(axis)),
  );
}

function firstOf(facts: readonly StatedFact[], concepts: readonly string[]): Amount | null {
  for (const concept of concepts) {
    const found = newestFacts(
      facts.filter((fact) => localName(fact.concept) === concept && fact.value.sign >= 0),
    );
    if (found.length === 0) continue;
    const amount = agreedValue(found) ?? agreedValue(leastDivided(found)) ?? agreedPositive(found);
    return amount === null ? null : { amount, facts: found.filter(({ value }) => value.equals(amount)) };
  }
  return null;
}

function firstLine(facts: readonly StatedFact[]): Amount | null {
  const lines = newestFacts(facts.filter(isCoinBorrowing));
  const amount = agreedValue(lines);
  return amount === null ? null : { amount, facts: lines };
}

/** An amended note stands at nothing under its old name; the one amount above zero is what is owed. */
function agreedPositive(facts: readonly StatedFact[]): ExactDecimal | null {
  return agreedValue(facts.filter(({ value }) => value.sign > 0));
}

function leastDivided(facts: readonly StatedFact[]): StatedFact[] {
  const fewest = Math.min(...facts.map(({ dimensions }) => dimensions.length));
  return facts.filter(({ dimensions }) => dimensions.length === fewest);
}

/** Covenants run on principal: the face stands where the carrying amount confirms it from just below. */
function confirmedFace(
  facts: readonly StatedFact[],
  { net, share }: { readonly net: Amount; readonly share: number },
): Amount | null {
  const least = ExactDecimal.parse('1').minus(ExactDecimal.fromNumber(share));
  const faces = facts.filter(
    ({ concept, value }) =>
      localName(concept) === principal &&
      net.amount.compare(value) <= 0 &&
      net.amount.compare(value.times(least)) >= 0,
  );
  const amount = agreedValue(faces);
  return amount === null || amount.sign <= 0 ? null : { amount, facts: [...faces, ...net.facts] };
}

/** Borrowed less repaid since the year began, of a line that was opened in the year and whose limit covers it. */
function flowsOf(facts: readonly StatedFact[], { fiscalYearStart, period }: FiscalYear): Drawn | null {
  const limits = limitsOf(facts);
  if (limits.length === 0 || fiscalYearStart === null) return null;
  if (facts.some(({ start, end }) => (start ?? end) < fiscalYearStart)) return null;
  const ofYear = facts.filter(
    ({ unit, start, end }) => unit === 'USD' && start === fiscalYearStart && end === period,
  );
  const inflows = ofYear.filter(({ concept }) => borrowed.test(localName(concept)));
  const outflows = ofYear.filter(({ concept }) => repaid.test(localName(concept)));
  if (inflows.length !== 1 || outflows.length > 1 || daysCovered(fiscalYearStart, period) > 380) return null;
  const amount = sumOf(inflows.map(({ value }) => value)).minus(sumOf(outflows.map(({ value }) => value)));
  if (amount.sign < 0 || !limits.some(({ value }) => value.compare(amount) >= 0)) return null;
  return { amount, basis: 'flows', facts: [...inflows, ...outflows] };
}

const borrowed =
  /^ProceedsFrom(LinesOfCredit|LoansPayable|NotesPayable|IssuanceOf(Secured)?Debt|SecuredLinesOfCredit|LongTermLinesOfCredit)$/;
const repaid =
  /^RepaymentsOf(LinesOfCredit|LoansPayable|NotesPayable|(Secured)?Debt|SecuredLinesOfCredit|LongTermLinesOfCredit)$/;

function withBasis(found: Amount, basis: DrawnBasis): Drawn {
  return { ...found, basis };
}
