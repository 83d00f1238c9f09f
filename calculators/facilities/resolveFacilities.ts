import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import {
  isQuantity,
  isSubsequentMember,
  localName,
  type StatedFact,
  statedFacts,
} from '../crypto/statedFacts.ts';
import { exceeds } from '../exact/decimals.ts';
import { doubleOf } from '../exact/fraction.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Filing } from '../filing/rows.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type CoinMix, weightsOf } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { type Facilities, type Facility, type LeftOutFacility, noFacilities } from './facility.ts';
import {
  type CollateralFound,
  collateralOf,
  isCollateral,
  pledgesRestrictedCoins,
} from './facilityCollateral.ts';
import { isCreditLine, isLoanLine } from './facilityDrawn.ts';
import { type FacilityGroup, type Join, joined, memberGroups } from './facilityGroups.ts';
import { isTerm } from './facilityTerms.ts';
import { amountsOf, type GroupContext, type Judged, judgeGroup } from './judgeGroup.ts';
import { isCoinBorrowing, isPledgedCoins, isSubject } from './loanFacts.ts';

/**
 * The loans, credit lines and notes of one filing that coins secure (M16): what is drawn, which coins are pledged, at
 * which loan-to-value the lender acts. Nothing else of the issuer depends on them (M15.70).
 */
export function resolveFacilities({
  filing,
  xbrl,
  debt,
  holdings,
  mix,
  fiscalYearStart,
  prices,
  parameters,
}: {
  readonly filing: Pick<Filing, 'period' | 'filed'>;
  /** null when the instance is not available. */
  readonly xbrl: Pick<XbrlFiling, 'facts'> | null;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  readonly holdings: Pick<CryptoHoldings, 'amount' | 'measurement'>;
  readonly mix: CoinMix;
  readonly fiscalYearStart: string | null;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
}): Facilities {
  if (xbrl === null) return noFacilities;
  const { period, filed } = filing;
  const facts = statedFacts(xbrl.facts, parameters.concepts);
  const isLater = (fact: StatedFact) => fact.end > period || fact.dimensions.some(isSubsequentMember);
  const context: GroupContext = {
    period,
    isSubsequent: false,
    fiscalYearStart,
    debt,
    prices,
    parameters,
    collateral: {
      period,
      balanceSheetEnd: balanceSheetEnd(facts, period),
      soleAsset: soleAssetOf(mix, parameters),
      prices,
      parameters,
    },
  };
  const own = facts.filter((fact) => !isLater(fact));
  const { groups, unclaimed } = groupsAtPeriod(own, context);
  const found = groups.map((group) => judgeGroup(group, context));
  // no close of a later day is read here, so that the filing alone decides
  const unpriced = { ...context.collateral, prices: { ...prices, close: () => null } };
  const later = { ...context, isSubsequent: true, fiscalYearStart: null, collateral: unpriced };
  const events = laterGroups(facts.filter((fact) => isLater(fact) && fact.end <= filed));
  const subsequent = events.map((group) => judgeGroup(group, later));
  const judged = [...found, ...subsequent];
  return {
    found: crossChecked(facilitiesOf(judged), holdings, context).toSorted(byDrawn),
    leftOut: [
      ...judged.flatMap((one) => (one.kind === 'left_out' ? [one.leftOut] : [])),
      ...(unclaimed === null ? [] : [unclaimed]),
    ].toSorted((a, b) => compareText(a.id, b.id)),
  };
}

/** What happened after the period end, by member; what names none is one row (M16.8). */
function laterGroups(facts: readonly StatedFact[]): readonly FacilityGroup[] {
  const groups = memberGroups(facts);
  const loose = facts.filter(({ dimensions }) => !dimensions.some(isSubject));
  const evidence = loose.filter((fact) => isTerm(fact) || isPledgedCoins(fact));
  if (evidence.length === 0) return groups;
  return [...groups, { members: [], facts: evidence, joins: [], notes: [] }];
}

function facilitiesOf(judged: readonly Judged[]): readonly Facility[] {
  return judged.flatMap((one) => (one.kind === 'facility' ? [one.facility] : []));
}

/** Notes where loans together exceed the debt of the issuer, or their pledges the coins it holds. */
function crossChecked(
  found: readonly Facility[],
  holdings: Pick<CryptoHoldings, 'amount' | 'measurement'>,
  context: GroupContext,
): readonly Facility[] {
  const { debt } = context;
  const { debtExcess } = context.parameters.facilities;
  const now = found.filter(({ isSubsequent }) => !isSubsequent);
  const drawn = sumOf(now.map((facility) => facility.drawn?.amount ?? ExactDecimal.zero));
  const pledged = sumOf(
    now.map((facility) => worthAt(facility.collateral, facility.asOf, context) ?? ExactDecimal.zero),
  );
  // coins carried at cost prove no upper bound of what is held
  const isMeasured = holdings.measurement !== null && holdings.measurement !== 'carrying_lower_bound';
  const isAboveDebt = debt !== null && exceeds(drawn, debt, debtExcess);
  const isAboveCoins = isMeasured && exceeds(pledged, holdings.amount, debtExcess);
  const notes = [
    ...(isAboveDebt ? ['facility_sum_exceeds_debt'] : []),
    ...(isAboveCoins ? ['facility_collateral_exceeds_coins'] : []),
  ];
  if (notes.length === 0) return found;
  return found.map((facility) =>
    facility.isSubsequent
      ? facility
      : { ...facility, confidence: 'Low', notes: [...facility.notes, ...notes].sort(compareText) },
  );
}

type Coins = CollateralFound['collateral'] | Facility['collateral'];

/** What pledged coins are worth: as filed, else their number at the close of a day. */
function worthAt(coins: Coins, day: string, { prices }: GroupContext): ExactDecimal | null {
  if (coins === null) return null;
  if (coins.basis === 'tagged_value') return coins.value;
  const close = coins.asset === null ? null : prices.close(coins.asset, day);
  return close === null ? null : coins.units.times(ExactDecimal.fromNumber(close.close));
}

/** The coin that is nearly all of the holdings; null for a mix. */
export function soleAssetOf(mix: CoinMix, { facilities }: Pick<Parameters, 'facilities'>): string | null {
  const sole = weightsOf(mix).find(({ weight }) => doubleOf(weight) >= facilities.soleAsset);
  return sole?.asset ?? null;
}

function balanceSheetEnd(facts: readonly StatedFact[], period: string): number | null {
  const end = facts.find(
    ({ concept, dimensions, end: day }) =>
      /^(LiabilitiesAndStockholdersEquity|EquityAndLiabilities)$/.test(localName(concept)) &&
      dimensions.length === 0 &&
      day === period,
  );
  return end?.position ?? null;
}

function byDrawn(a: Facility, b: Facility): number {
  const isUnknown = Number(a.drawn === null) - Number(b.drawn === null);
  const byAmount = a.drawn !== null && b.drawn !== null ? b.drawn.amount.compare(a.drawn.amount) : isUnknown;
  return byAmount || compareText(a.id, b.id) || Number(a.isSubsequent) - Number(b.isSubsequent);
}

/** The loans of a filing, and coins pledged for none of them. */
type GroupsAtPeriod = {
  readonly groups: readonly FacilityGroup[];
  readonly unclaimed: LeftOutFacility | null;
};

/** Groups the facts of a filing at its period end, joined step by step (M16.3). */
function groupsAtPeriod(facts: readonly StatedFact[], context: GroupContext): GroupsAtPeriod {
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
  const at = { ...context.collateral, isAt: ({ end }: StatedFact) => end === period };
  const worth = worthAt(collateralOf(pool, at).collateral, period, context);
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

function distinct(lines: readonly StatedFact[]): readonly StatedFact[] {
  const byAmount = new Map<string, StatedFact>();
  for (const line of lines) if (!byAmount.has(String(line.value))) byAmount.set(String(line.value), line);
  return [...byAmount.values()];
}
