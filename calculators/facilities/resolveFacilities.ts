import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import { isSubsequentMember, localName, type StatedFact, statedFacts } from '../crypto/statedFacts.ts';
import { exceeds } from '../exact/decimals.ts';
import { doubleOf } from '../exact/fraction.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Filing } from '../filing/rows.ts';
import type { XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type CoinMix, weightsOf } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { groupsAtPeriod } from './facilitiesAtPeriod.ts';
import { type Facilities, type Facility, noFacilities } from './facility.ts';
import { type FacilityGroup, memberGroups } from './facilityGroups.ts';
import { isTerm } from './facilityTerms.ts';
import { type GroupContext, type Judged, judgeGroup } from './judgeGroup.ts';
import { isPledgedCoins, isSubject } from './loanFacts.ts';

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
      soleAsset: soleAsset(mix, parameters),
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
    found: crossChecked(facilitiesOf(judged), { debt, holdings, context }).toSorted(byDrawn),
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
  {
    debt,
    holdings,
    context,
  }: {
    debt: ExactDecimal | null;
    holdings: Pick<CryptoHoldings, 'amount' | 'measurement'>;
    context: GroupContext;
  },
): readonly Facility[] {
  const { debtExcess } = context.parameters.facilities;
  const now = found.filter(({ isSubsequent }) => !isSubsequent);
  const drawn = sumOf(now.map((facility) => facility.drawn?.amount ?? ExactDecimal.zero));
  const pledged = sumOf(now.map((facility) => collateralWorth(facility, context) ?? ExactDecimal.zero));
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

function collateralWorth({ collateral, asOf }: Facility, { prices }: GroupContext): ExactDecimal | null {
  if (collateral === null) return null;
  if (collateral.basis === 'tagged_value') return collateral.value;
  const close = collateral.asset === null ? null : prices.close(collateral.asset, asOf);
  return close === null ? null : collateral.units.times(ExactDecimal.fromNumber(close.close));
}

/** The coin that is nearly all the issuer holds. */
function soleAsset(mix: CoinMix, { facilities }: Parameters): string | null {
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
