import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isQuantity, localName, type StatedFact } from '../crypto/statedFacts.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { LeftOutFacility } from './facility.ts';
import { collateralOf, isCollateral, pledgesRestrictedCoins } from './facilityCollateral.ts';
import { isCreditLine, isLoanLine } from './facilityDrawn.ts';
import { type FacilityGroup, type Join, joined, memberGroups } from './facilityGroups.ts';
import { isTerm } from './facilityTerms.ts';
import { amountsOf, type GroupContext } from './judgeGroup.ts';
import { isCoinBorrowing, isPledgedCoins, isSubject } from './loanFacts.ts';

/** The loans of a filing, and coins pledged for none of them. */
type GroupsAtPeriod = {
  readonly groups: readonly FacilityGroup[];
  readonly unclaimed: LeftOutFacility | null;
};

/** Groups the facts of a filing at its period end, joined step by step (M16.3). */
export function groupsAtPeriod(facts: readonly StatedFact[], context: GroupContext): GroupsAtPeriod {
  const groups = memberGroups(facts);
  const loose = facts.filter(({ dimensions }) => !dimensions.some(isSubject));
  const lines = debtLines(loose, { groups, context });
  const withLine = joinLine({ groups, lines }, context);
  const withCoins = joinEqualCoins(withLine, context);
  return joinPool(withCoins, { facts, loose, context });
}

/** Debt lines of the whole entity that no member explains, each with the terms stated beside it. */
function debtLines(
  loose: readonly StatedFact[],
  { groups, context }: { groups: readonly FacilityGroup[]; context: GroupContext },
): readonly FacilityGroup[] {
  const now = loose.filter(
    ({ end, value, dimensions }) => end === context.period && value.sign > 0 && dimensions.length === 0,
  );
  const terms = loose.filter((fact) => isTerm(fact) && fact.end <= context.period);
  const named = distinct(now.filter((fact) => isCreditLine(fact) || isCoinBorrowing(fact)));
  const loans = distinct(now.filter(isLoanLine));
  const isCalled = terms.some(
    ({ concept, namesCoins }) => /(MarginCall|MarginLevel|Liquidation)/.test(concept) || namesCoins,
  );
  const [loan] = loans;
  const chosen = named.length > 0 || loan === undefined || loans.length > 1 || !isCalled ? named : [loan];
  const drawn = groups.flatMap((group) => amountsOf(group, context).drawn?.amount ?? []);
  const explained = [...drawn, sumOf(drawn)];
  const unexplained = chosen.filter(({ value }) => !explained.some((amount) => amount.equals(value)));
  const isOnly = unexplained.length === 1;
  const limits = loose.filter(
    ({ concept, end }) => /MaximumBorrowingCapacity$/.test(concept) && end <= context.period,
  );
  return unexplained.map((line) => ({
    members: [],
    facts: [line, ...(isOnly ? terms : []), ...(isOnly && isCreditLine(line) ? limits : [])],
    joins: [],
    notes: [],
  }));
}

/** One loan with terms or coins and no amount, and one amount without a member, are one loan (M16.3). */
function joinLine(
  { groups, lines }: { groups: readonly FacilityGroup[]; lines: readonly FacilityGroup[] },
  context: GroupContext,
): readonly FacilityGroup[] {
  const open = groups.filter((group) => isOpen(group, context));
  const [terms] = open;
  const [line] = lines;
  if (open.length !== 1 || lines.length !== 1 || terms === undefined || line === undefined) {
    return [...groups, ...lines];
  }
  return [...groups.filter((group) => group !== terms), joined([terms, line], 'undimensioned_amount')];
}

/**
 * A pledge under one name joins the loan that counts as many coins under another, if exactly one does (FLD 2025-06-30:
 * 300 pledged under the note of December, 300 beside the note as amended in June).
 */
function joinEqualCoins(groups: readonly FacilityGroup[], context: GroupContext): readonly FacilityGroup[] {
  const coinsOf = ({ facts }: FacilityGroup) =>
    facts.filter(
      (fact) => fact.end === context.period && isQuantity(fact) && fact.isOfCoins && fact.value.sign > 0,
    );
  const owing = groups.filter((group) => amountsOf(group, context).drawn !== null);
  let left = groups;
  for (const open of groups.filter((group) => isOpen(group, context))) {
    const pledged = coinsOf(open).filter(isPledgedCoins);
    const same = owing.filter((group) =>
      coinsOf(group).some(({ value }) => pledged.some((fact) => fact.value.equals(value))),
    );
    const [loan] = same;
    if (same.length !== 1 || loan === undefined || !left.includes(loan)) continue;
    left = [...left.filter((group) => group !== open && group !== loan), joined([loan, open], 'equal_coins')];
  }
  return left;
}

/** Pledged coins without a member join the one loan they can secure: 10 % to all of their value (M16.3). */
function joinPool(
  groups: readonly FacilityGroup[],
  {
    facts,
    loose,
    context,
  }: { facts: readonly StatedFact[]; loose: readonly StatedFact[]; context: GroupContext },
): GroupsAtPeriod {
  const { period, parameters } = context;
  const pledgesRestricted = pledgesRestrictedCoins(facts, period);
  const pool = loose.filter((fact) => fact.end === period && isCollateral(fact, { pledgesRestricted }));
  const [first] = pool;
  if (first === undefined) return { groups, unclaimed: null };
  const worth = worthOf(pool, context);
  if (worth === null) return { groups, unclaimed: unclaimed(first, pool) };
  const { collateralLow, collateralHigh } = parameters.facilities;
  const fits = (group: FacilityGroup) => {
    const amount = amountsOf(group, context).drawn?.amount;
    if (amount === undefined) return false;
    const least = worth.times(ExactDecimal.fromNumber(collateralLow));
    return (
      amount.compare(least) >= 0 && amount.compare(worth.times(ExactDecimal.fromNumber(collateralHigh))) <= 0
    );
  };
  const likely = groups.filter((group) => isCollateralised(group, context) && fits(group));
  const fitting = likely.length > 0 ? likely : groups.filter(fits);
  const [loan] = fitting;
  if (fitting.length !== 1 || loan === undefined) return { groups, unclaimed: unclaimed(first, pool) };
  return { groups: groups.map((group) => (group === loan ? withPool(group, pool) : group)), unclaimed: null };
}

function unclaimed({ concept }: StatedFact, pool: readonly StatedFact[]): LeftOutFacility {
  const isReleased = pool.every(({ value }) => value.sign <= 0);
  return {
    id: localName(concept).toLowerCase(),
    name: concept,
    isSubsequent: false,
    reason: isReleased
      ? 'its pledge is released: the coins pledged at the date are 0'
      : 'coins are pledged, and no one loan is between a tenth and the whole of their value',
  };
}

function withPool(group: FacilityGroup, pool: readonly StatedFact[]): FacilityGroup {
  const by: Join = 'collateral_amount';
  return { ...group, facts: [...group.facts, ...pool], joins: [...new Set([...group.joins, by])] };
}

/** What the coins of the pool are worth: as filed, else their number at the close. */
function worthOf(
  pool: readonly StatedFact[],
  { collateral, period, prices }: GroupContext,
): ExactDecimal | null {
  const found = collateralOf(pool, { ...collateral, isAt: ({ end }) => end === period }).collateral;
  if (found === null) return null;
  if (found.basis === 'tagged_value') return found.value;
  const close = found.asset === null ? null : prices.close(found.asset, period);
  return close === null ? null : found.units.times(ExactDecimal.fromNumber(close.close));
}

function isOpen(group: FacilityGroup, context: GroupContext): boolean {
  const { period } = context;
  const hasEvidence = group.facts.some(
    (fact) =>
      isTerm(fact) || (isPledgedCoins(fact) && isQuantity(fact) && fact.end <= period && fact.value.sign > 0),
  );
  return hasEvidence && amountsOf(group, context).drawn === null;
}

function isCollateralised(group: FacilityGroup, context: GroupContext): boolean {
  const { facts } = group;
  return (
    amountsOf(group, context).limit !== null || facts.some((fact) => isTerm(fact) || isPledgedCoins(fact))
  );
}

/** Lines by concept; two concepts of one amount (`LineOfCredit`, `LinesOfCreditCurrent`) are one line. */
function distinct(lines: readonly StatedFact[]): readonly StatedFact[] {
  const byAmount = new Map<string, StatedFact>();
  for (const line of lines) if (!byAmount.has(String(line.value))) byAmount.set(String(line.value), line);
  return [...byAmount.values()];
}
