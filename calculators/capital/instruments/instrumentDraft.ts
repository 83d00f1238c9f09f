import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import type { Facilities, Facility } from '../../facilities/facility.ts';
import { drawnOf } from '../../facilities/facilityDrawn.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { agree, type Rounded, roundedOf } from '../filedAmounts.ts';
import type { InstrumentState } from '../parts.ts';
import { type DebtDay, faceName, isBucket, isLadderTotal, isOwed, limitName } from './debtConcepts.ts';
import type { DebtGroup } from './debtGroups.ts';
import { saysNothing } from './debtMembers.ts';
import type { DebtTable } from './debtTables.ts';
import { isBareClass } from './memberNames.ts';
import { type Evidence, type OwedAmounts, owedAmounts, plainest, proves, together } from './owedAmounts.ts';
import { type PrincipalOwed, principalOwed } from './principalOwed.ts';

/** What every group of a filing is judged by. */
export type DraftContext = DebtDay & {
  readonly tables: readonly DebtTable[];
  readonly facilities: Facilities;
  readonly isSubsequent: boolean;
  readonly fiscalYearStart: string | null;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  readonly parameters: Parameters;
};

/** A group with what it owes, before it is held against the balance sheet. */
export type Draft = {
  readonly group: DebtGroup;
  readonly owed: PrincipalOwed;
  readonly facility: Facility | null;
  readonly fairValue: Evidence | null;
  /** Its amount stands in a table that adds up. */
  readonly isTabled: boolean;
  /** The newest face, of any day. */
  readonly face: Evidence | null;
  readonly state: InstrumentState;
  readonly notes: readonly string[];
};

/** What a group owes and whether it still does, by its own facts and the tables of the filing (M18.16, M18.17, M18.25). */
export function draftOf(group: DebtGroup, context: DraftContext): Draft {
  const { period, currency, tables, parameters, fiscalYearStart } = context;
  const amounts = withoutPayments(owedAmounts(group, context), { facts: group.facts, period });
  const facility = facilityOf(group, context);
  const isAt = ({ end }: StatedFact) => end === period;
  const drawn = drawnOf(group.facts, { isAt, parameters, fiscalYearStart, period });
  const flows =
    drawn?.basis === 'flows' && currency === 'USD'
      ? {
          value: drawn.amount,
          half: roundedOf({ value: drawn.amount, decimals: 'INF' }).half,
          facts: drawn.facts,
        }
      : null;
  const row = rowOf(group, { tables, amounts });
  const fairValue = fairValueOf(group, context);
  const owed = principalOwed(amounts, { row, flows, fairValue });
  const state = stateOf(group, owed, context);
  const isMissing = state === 'outstanding' && row === null && isMissingInTable(group, context);
  return {
    group,
    owed,
    facility,
    fairValue,
    isTabled: row !== null && row.value.sign > 0,
    face: amounts.face ?? amounts.earlierFaces[0] ?? null,
    state: isMissing ? 'unconfirmed' : state,
    notes: isMissing ? ['not_in_table'] : [],
  };
}

/** The row of the group in the table with the largest total: smaller ones divide it by when it is due. */
function rowOf(
  { members }: DebtGroup,
  {
    tables,
    amounts: { ladder, carrying },
  }: { readonly tables: readonly DebtTable[]; readonly amounts: OwedAmounts },
): StatedFact | null {
  // a total of the ladder is no table of what is carried (MSTR 2021)
  const isLadder = (value: ExactDecimal) =>
    ladder !== null && value.equals(ladder.value) && carrying.some((each) => !each.value.equals(value));
  const holding = tables.filter(({ rows }) =>
    members.some((member) => {
      const row = rows.get(member);
      return row !== undefined && !isLadder(row.value);
    }),
  );
  const [table] = holding.toSorted(
    (a, b) => b.total.value.compare(a.total.value) || (a.concept < b.concept ? -1 : 1),
  );
  const rows = members.flatMap((member) => table?.rows.get(member) ?? []);
  return rows.find(({ value }) => value.sign > 0) ?? rows[0] ?? null;
}

/** True for a group that a table of the filing would list, and does not (GAME King Street, M18.17). */
function isMissingInTable(
  { facts, nil, members }: DebtGroup,
  { tables, period, debt }: DraftContext,
): boolean {
  const isOwn = ({ dimensions }: Pick<StatedFact, 'dimensions'>) =>
    !saysNothing(dimensions) && dimensions.some(({ member }) => members.includes(member));
  return tables.some(({ concept, total }) => {
    const isRow = facts.some(
      (fact) => fact.concept === concept && isOwn(fact) && fact.end === period && fact.value.sign > 0,
    );
    // a kind beside the rows is their total (TSLA `RecourseMember`)
    if (isRow && !members.every(isBareClass)) return false;
    const isListed = [...facts, ...nil].some(
      (fact) => fact.concept === concept && isOwn(fact) && fact.end <= period && fact.start === null,
    );
    return isListed || (debt !== null && isWithin(total.value, debt));
  });
}

const share = 0.005;

/** True where two amounts differ by at most half a percent of the second. */
export function isWithin(a: ExactDecimal, b: ExactDecimal): boolean {
  return Math.abs(a.minus(b).toNumber()) <= share * Math.abs(b.toNumber());
}

function stateOf({ facts, nil }: DebtGroup, owed: PrincipalOwed, context: DraftContext): InstrumentState {
  const { period, isSubsequent } = context;
  if (isSubsequent) return 'subsequent';
  const amount = owed.amount ?? owed.carrying;
  if (amount !== null && amount.value.sign > 0) return 'outstanding';
  if (owed.principal.value === null && owed.principal.reason === 'conflict') return 'outstanding';
  const now = [...facts, ...nil].filter(
    (fact) => fact.end === period && fact.start === null && isOwed(fact, context),
  );
  if (now.length > 0) return 'not_outstanding';
  return isPaid(facts, period) ? 'not_outstanding' : 'dated_only';
}

/** A face as first lent, less what was paid or converted of it, where that leaves what is carried (M18.16). */
function withoutPayments(
  amounts: OwedAmounts,
  { facts, period }: { readonly facts: readonly StatedFact[]; readonly period: string },
): OwedAmounts {
  const { face, carrying, stated, costs } = amounts;
  if (face === null) return amounts;
  const net = [...carrying, ...(stated === null ? [] : [stated])];
  const left = net.flatMap((each) => [each, ...costs.map((cost) => together([each, cost]))]);
  if (left.some((each) => agree(each, face))) return amounts;
  const paid = facts.filter((fact) => isPayment(fact, period) && fact.end === period && fact.value.sign > 0);
  for (const fact of paid) {
    const { value, half } = roundedOf(fact);
    const rest = { value: face.value.minus(value), half: face.half.plus(half), facts: [...face.facts, fact] };
    if (rest.value.sign > 0 && left.some((each) => proves(each, rest))) return { ...amounts, face: rest };
  }
  return amounts;
}

function isPayment({ start, end, concept, dimensions }: StatedFact, period: string): boolean {
  return end <= period && start !== null && !saysNothing(dimensions) && ended.test(localName(concept));
}

/** True where what was paid, converted or extinguished is the face. */
function isPaid(facts: readonly StatedFact[], period: string): boolean {
  const own = facts.filter(({ dimensions, end }) => end <= period && !saysNothing(dimensions));
  const faces = own.filter(({ concept }) => localName(concept) === faceName).map(roundedOf);
  return own.some(
    (fact) =>
      isPayment(fact, period) && faces.some((face) => agree(face, roundedOf(fact)) && fact.value.sign > 0),
  );
}

const ended =
  /^(ExtinguishmentOfDebtAmount|DebtConversionOriginalDebtAmount1|DebtInstrumentRepurchasedFaceAmount|RepaymentsOf\w*(Debt|Notes|Loans|LinesOfCredit)\w*)$/;

const fairNames = ['DebtInstrumentFairValue', 'LongTermDebtFairValue', 'ConvertibleDebtFairValueDisclosures'];

/** Fair value of the debt at the period end; a level of the hierarchy beside it changes nothing (M18.24). */
function fairValueOf({ facts, members }: DebtGroup, { period, currency }: DraftContext): Evidence | null {
  const now = facts.filter(
    ({ start, end, unit, dimensions }) =>
      start === null &&
      end === period &&
      unit === currency &&
      !dimensions.some(({ axis }) =>
        /:(RangeAxis|StatementScenarioAxis|MeasurementInputTypeAxis)$/.test(axis),
      ),
  );
  for (const name of fairNames) {
    const found = plainest(
      now.filter(({ concept, value }) => localName(concept) === name && value.sign > 0),
      members,
    );
    if (found !== null) return found;
  }
  return null;
}

function facilityOf(
  { members, aliases }: DebtGroup,
  { facilities, isSubsequent }: DraftContext,
): Facility | null {
  const own = new Set([...members, ...aliases].map((member) => localName(member).toLowerCase()));
  const found = facilities.found.filter(
    (facility) =>
      facility.isSubsequent === isSubsequent && facility.id.split('+').some((name) => own.has(name)),
  );
  return found[0] ?? null;
}

/** True where a group states an amount owed, a year of a ladder or a limit; nothing else makes it an instrument (M18.10). */
export function isInstrument(
  { facts, nil, members }: DebtGroup,
  day: Pick<DebtDay, 'period' | 'lines'>,
  isStandard: boolean,
): boolean {
  const { period } = day;
  const isAbout = (fact: Pick<StatedFact, 'dimensions' | 'concept' | 'unit'>) =>
    !saysNothing(fact.dimensions) &&
    fact.dimensions.some(({ member }) => members.includes(member)) &&
    (isOwed(fact, day) || isBucket(fact) || isLadderTotal(fact) || localName(fact.concept) === limitName);
  if (isLent({ facts })) return false;
  if (!isStandard) return [...facts, ...nil].some(isAbout);
  return facts.some(
    (fact) =>
      fact.end === period && fact.start === null && fact.value.sign > 0 && isOwed(fact, day) && isAbout(fact),
  );
}

/** What the draft counts for in sums: its carrying amount, else what it owes; a face that nothing proves for itself. */
export function countedAmount({ owed }: Pick<Draft, 'owed'>): Rounded | null {
  if (owed.basis === 'face' && !owed.isProven && owed.amount !== null) return owed.amount;
  return owed.carrying ?? owed.amount;
}

/** True for a face of the day with no carrying amount beside it: a sentence, not a balance (KULR). */
export function isFaceAlone({ owed }: Pick<Draft, 'owed'>): boolean {
  return owed.basis === 'face' && owed.carrying === null && !owed.isProven;
}

/** True for facts of a loan that the filer made. */
export function isLent({ facts }: Pick<DebtGroup, 'facts'>): boolean {
  return facts.some(({ concept }) => /(Notes|Loans|Financing|Loan)\w*Receivable/.test(localName(concept)));
}
