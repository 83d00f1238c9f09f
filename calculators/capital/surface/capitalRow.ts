import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import type { CapitalFactRow, CapitalFigure } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import type { DebtCoverage } from '../../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { filingUrl } from '../../../data/contract/values/filingUrl.ts';
import type { Capital } from '../capital.ts';
import type { CoinStock } from '../coinFlows/coinFlows.ts';
import type { CapitalFact, Figure } from '../figure.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Nav } from '../nav/nav.ts';
import type { PreferredClass } from '../preferred/preferredFacts.ts';
import type { Runway } from '../runway/runwayAt.ts';
import type { Shares } from '../shares/shares.ts';
import { shortened } from './shortenedRow.ts';

/** Whose capital it is, and what its balance sheet says of debt. */
export type CapitalSubject = {
  readonly issuer: { readonly cik: string; readonly ticker: string | null; readonly entityName: string };
  readonly debtCoverage: DebtCoverage;
  readonly computedAt: string;
};

/** Share of coins in total assets that a proposal of an index provider asks about (M18.49). */
const indexThreshold = 0.5;

/** The capital structure of an issuer as it is stored: below 20 kB, each fact once (I2.71–I2.73). */
export function capitalRow(capital: Capital, subject: CapitalSubject): CapitalPayload {
  return shortened(capital, (kept) => wholeCapitalRow(kept, subject));
}

/** All of it, however long: what tables are made of. */
export function wholeCapitalRow(
  capital: Capital,
  { issuer, debtCoverage, computedAt }: CapitalSubject,
): CapitalPayload {
  const { accession, period, sourceDate, maturities, preferred, instruments } = capital;
  const { row: figures, place, facts, members } = figureRows({ period, currency: instruments.currency });
  const { cik } = issuer;
  return {
    source_date: sourceDate,
    cik,
    ticker: issuer.ticker ?? cik,
    entity_name: issuer.entityName,
    accession_number: accession,
    filing_url: filingUrl({ cik, accession }),
    period,
    computed_at_utc: computedAt,
    absent: capital.absent,
    currency: instruments.currency,
    instruments_absent:
      instruments.found.length > 0 ? null : debtCoverage === 'resolved_zero' ? 'none' : 'not_filed',
    instruments: instruments.found.toSorted(byState).map((one) => instrumentRow(one, figures)),
    stack: { ...instruments.stack },
    maturities: {
      basis: maturities.basis,
      buckets: maturities.buckets.map(({ id, start, end, amount, instrumentId, facts: of }) => ({
        ...{ id, start, end, amount, instrument_id: instrumentId },
        facts: of.map(place),
      })),
      total: maturities.total,
      bucket_unallocated: maturities.bucketUnallocated,
      gap: maturities.gap,
      interest_in_ladder: maturities.interestInLadder,
      coverage_of_debt: maturities.coverageOfDebt,
      status: maturities.status,
      reason: maturities.reason,
      wall: maturities.wall.map(({ kind, date, end, amount, instrumentId }) => ({
        ...{ kind, date, end, amount },
        instrument_id: instrumentId,
      })),
      notes: [...maturities.notes],
    },
    preferred: preferred.classes.map((one) => preferredRow(one, figures)),
    shares: sharesRow(capital.shares, figures),
    claims: capital.claims.map((one) => ({
      lens: one.lens,
      shock: one.shock,
      pool: one.pool,
      lines: one.lines.map(({ class: of, rank, claim, paid, recovery }) => ({
        ...{ class: of, rank, claim, paid, recovery },
      })),
      common_residual: one.commonResidual,
      common_per_share: one.commonPerShare,
      is_lower_bound: one.isLowerBound,
      notes: [...one.notes],
    })),
    claims_absent: capital.claimsAbsent,
    nav: capital.nav.map((one) => navRow(one, figures)),
    runway: runwayRow(capital.runway, figures),
    coin_flows: capital.coinFlows.flows.map((flow) => ({
      asset: flow.asset,
      members: flow.dimensions.map(({ member }) => member),
      measure: flow.measure,
      start: flow.start,
      end: flow.end,
      opening: flow.opening,
      rows: flow.rows.map(({ kind, amount, fact }) => ({ kind, amount, fact: place(fact) })),
      closing: flow.closing,
      residual: flow.residual,
      status: flow.status,
      facts: flow.facts.map(place),
      notes: [...flow.notes],
    })),
    coin_stocks: capital.coinFlows.stocks.map((stock) => stockRow(stock, figures)),
    notes: [...new Set([...capital.notes, ...instruments.notes, ...capital.coinFlows.notes])].sort(
      compareText,
    ),
    members: members(),
    facts: facts(),
  };
}

type FigureRow = (figure: Figure | Figure<number> | Figure<string>) => CapitalFigure;

/** Writes figures, each of their facts in one list. */
function figureRows(whole: { readonly period: string; readonly currency: string | null }): {
  row: FigureRow;
  place: (fact: CapitalFact) => number;
  facts: () => CapitalFactRow[];
  members: () => string[];
} {
  const rows: CapitalFactRow[] = [];
  const places = new Map<string, number>();
  const members = new Map<string, number>();
  const memberPlace = (member: string): number => {
    const known = members.get(member) ?? members.size;
    members.set(member, known);
    return known;
  };
  const place = (fact: CapitalFact): number => {
    const row = factRow(fact, { ...whole, memberPlace });
    const key = JSON.stringify(row);
    const known = places.get(key) ?? rows.length;
    if (known === rows.length) {
      places.set(key, known);
      rows.push(row);
    }
    return known;
  };
  const row: FigureRow = (figure) => {
    const facts = [...new Set(figure.facts.map(place))];
    if (figure.value !== null) {
      const { value, status, basis } = figure;
      return { value, status, basis, ...(facts.length === 0 ? {} : { facts }) };
    }
    const { reason, part } = figure;
    if (reason === 'not_filed' && part === undefined && facts.length === 0) return null;
    return {
      value: null,
      null_reason: reason,
      ...(part === undefined ? {} : { part }),
      ...(facts.length === 0 ? {} : { facts }),
    };
  };
  return { row, place, facts: () => rows, members: () => [...members.keys()] };
}

/** What holds for most facts stands once: the period end, the currency, a member's name. */
function factRow(
  { concept, value, unit, start, end, dimensions }: CapitalFact,
  {
    period,
    currency,
    memberPlace,
  }: { period: string; currency: string | null; memberPlace: (member: string) => number },
): CapitalFactRow {
  return {
    concept,
    ...(start === null ? {} : { start }),
    ...(end === period ? {} : { date: end }),
    ...(dimensions.length === 0 ? {} : { members: dimensions.map(({ member }) => memberPlace(member)) }),
    value: value.toString(),
    ...(unit === null || unit === currency ? {} : { unit }),
  };
}

const stateOrder = ['outstanding', 'unconfirmed', 'dated_only', 'subsequent', 'aggregate', 'not_outstanding'];

/** Outstanding ones first, then by principal. */
function byState(a: Instrument, b: Instrument): number {
  const size = (one: Instrument) => one.principal.value ?? one.carryingAmount.value ?? ExactDecimal.zero;
  return (
    stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) ||
    size(b).compare(size(a)) ||
    compareText(a.id, b.id)
  );
}

function instrumentRow(one: Instrument, figures: FigureRow): CapitalPayload['instruments'][number] {
  return {
    id: one.id,
    name: one.name,
    kind: one.kind,
    state: one.state,
    as_of: one.asOf,
    rank: one.rank,
    rank_basis: one.rankBasis,
    secured_by: one.securedBy,
    currency: one.currency,
    principal: figures(one.principal),
    face_amount: figures(one.faceAmount),
    carrying_amount: figures(one.carryingAmount),
    unamortized_cost: figures(one.unamortizedCost),
    coupon_rate: figures(one.couponRate),
    coupon_kind: one.couponKind,
    spread: figures(one.spread),
    effective_rate: figures(one.effectiveRate),
    issue_date: figures(one.issueDate),
    maturity_date: figures(one.maturityDate),
    springing_maturity_date: figures(one.springingMaturityDate),
    put_date: figures(one.putDate),
    call_date: figures(one.callDate),
    conversion_price: figures(one.conversionPrice),
    conversion_shares: figures(one.conversionShares),
    fair_value: figures(one.fairValue),
    pledged_units: figures(one.pledgedUnits),
    pledged_value: figures(one.pledgedValue),
    facility_id: one.facilityId,
    terms_accession: one.termsAccession,
    notes: [...one.notes],
  };
}

function preferredRow(one: PreferredClass, figures: FigureRow): CapitalPayload['preferred'][number] {
  return {
    class: one.id,
    name: one.name,
    kind: one.kind,
    shares: figures(one.shares),
    carrying_amount: figures(one.carryingAmount),
    claim: figures(one.claim),
    dividend_rate: figures(one.dividendRate),
    annual_dividend: figures(one.annualDividend),
    dividends_declared: one.dividendsDeclared === null ? null : figures(one.dividendsDeclared),
    dividends_declared_months: one.dividendsDeclared?.months ?? null,
    arrears: figures(one.arrears),
    notes: [...one.notes],
  };
}

function sharesRow(one: Shares, figures: FigureRow): CapitalPayload['shares'] {
  return {
    outstanding: figures(one.outstanding),
    as_of: one.asOf,
    per_share: figures(one.perShare),
    per_share_date: one.perShareDate,
    weighted_average: figures(one.weightedAverage),
    by_class: one.byClass.map(({ id, count }) => ({ class: id, count: figures(count) })),
    cover: figures(one.cover),
    cover_date: one.coverDate,
    prefunded: figures(one.prefunded),
    options: figures(one.options),
    option_price: figures(one.optionPrice),
    restricted_units: figures(one.restrictedUnits),
    restricted_awards: figures(one.restrictedAwards),
    warrants_total: figures(one.warrantsTotal),
    warrants: one.warrants.map((warrant) => ({
      id: warrant.id,
      name: warrant.name,
      filed: figures(warrant.filed),
      count: figures(warrant.count),
      exercise_price: figures(warrant.exercisePrice),
      expires: figures(warrant.expires),
      is_prefunded: warrant.isPrefunded,
    })),
    convertible_shares: figures(one.convertibleShares),
    basic_plus_prefunded: figures(one.basicPlusPrefunded),
    fully_diluted: figures(one.fullyDiluted),
    splits: one.splits.map((split) => ({ ...split })),
    notes: [...one.notes],
  };
}

/** Without the close itself: multiples and its day are published, closes are not. */
function navRow(one: Nav, figures: FigureRow): CapitalPayload['nav'][number] {
  return {
    basis: one.basis,
    coins_per_share: one.coinsPerShare.map((coins) => ({
      asset: coins.asset,
      units: figures(coins.units),
      per_share: figures(coins.perShare),
      per_share_prefunded: figures(coins.perSharePrefunded),
      per_share_diluted: figures(coins.perShareDiluted),
    })),
    gross: figures(one.gross),
    net_of_debt: figures(one.netOfDebt),
    net_of_claims: figures(one.netOfClaims),
    per_share: figures(one.perShare),
    close_date: one.closeDate,
    count_date: one.countDate,
    mnav_gross: figures(one.mnavGross),
    mnav_enterprise: figures(one.mnavEnterprise),
    mnav_net: figures(one.mnavNet),
    mnav_diluted: figures(one.mnavDiluted),
    digital_asset_share: figures(one.digitalAssetShare),
    digital_asset_share_with_pledged: figures(one.digitalAssetShareWithPledged),
    index_threshold: indexThreshold,
    is_above_index_threshold: one.isAboveIndexThreshold,
    notes: [...one.notes],
  };
}

function runwayRow(one: Runway, figures: FigureRow): CapitalPayload['runway'] {
  return {
    as_of: one.asOf,
    period_end: one.periodEnd,
    currency: one.currency,
    cash_on_day: figures(one.cashOnDay),
    flow_months: one.flowMonths,
    dividends_declared: figures(one.dividendsDeclared),
    cash: figures(one.cash),
    restricted_cash: figures(one.restrictedCash),
    monthly_operating_cash: figures(one.monthlyOperatingCash),
    monthly_operating_cash_without_coins: figures(one.monthlyOperatingCashWithoutCoins),
    coin_sale_proceeds: figures(one.coinSaleProceeds),
    annual_interest: figures(one.annualInterest),
    interest_paid: figures(one.interestPaid),
    annual_preferred_dividends: figures(one.annualPreferredDividends),
    due_12m: figures(one.due12m),
    due_24m: figures(one.due24m),
    due_24m_if_put: figures(one.due24mIfPut),
    months_of_cash: figures(one.monthsOfCash),
    months_after_dividends: figures(one.monthsAfterDividends),
    first_shortfall_month: figures(one.firstShortfallMonth),
    shortfall_12m: figures(one.shortfall12m),
    free_coin_value: figures(one.freeCoinValue),
    share_of_free_coins: figures(one.shareOfFreeCoins),
    notes: [...one.notes],
  };
}

function stockRow(one: CoinStock, figures: FigureRow): CapitalPayload['coin_stocks'][number] {
  return {
    asset: one.asset,
    units: figures(one.units),
    value: figures(one.value),
    cost_basis: figures(one.costBasis),
    unrealised_gain: figures(one.unrealisedGain),
    average_cost: figures(one.averageCost),
    pledged: figures(one.pledged),
    pledged_value: figures(one.pledgedValue),
    restricted: figures(one.restricted),
    staked: figures(one.staked),
    free: figures(one.free),
    free_value: figures(one.freeValue),
    notes: [...one.notes],
  };
}

/** What a published capital structure does not say of how it was found (M18.87). */
type CapitalTrail = {
  /** Members that were joined into one instrument, with the letters of the joins. */
  readonly joined: readonly {
    readonly id: string;
    readonly members: readonly string[];
    readonly joins: readonly string[];
  }[];
  /** Groups of facts that are no instrument, and why. */
  readonly refused: readonly { readonly members: readonly string[]; readonly reason: string }[];
};

export function capitalTrail({ instruments: { found, refused } }: Capital): CapitalTrail {
  return {
    joined: found
      .filter(({ members }) => members.length > 1)
      .map(({ id, members, joins }) => ({ id, members: [...members], joins: [...joins] })),
    refused: refused.map(({ members, reason }) => ({ members: [...members], reason })),
  };
}
