import { noteSentence } from '../../data/contract/meanings/noteMeanings.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { MarketRegime, ResolutionStatus, SelectionStrategy } from '../../data/contract/values/enums.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';
import { newestEvents } from '../currentReports/reportedEvents.ts';
import { statedCash } from '../currentReports/statedBeside.ts';
import { addDays } from '../exact/civilDate.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Facility } from '../facilities/facility.ts';
import { facilityRow } from '../facilities/facilityRow.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import { type Close, dailyChange } from '../prices/priceBook.ts';
import { isLinkbaseBacked } from '../quality/qualityFlag.ts';
import type { Standing } from '../standing/standings.ts';
import type { AssessedIssuer, LiveUnits, SliceContext } from './assessIssuers.ts';
import { filingAge } from './filingAge.ts';

/** The covenant-stress row of one issuer: filing values, live overlay, provenance (I2.4). */
export function covenantRow(
  assessed: AssessedIssuer,
  { context, regime }: { context: SliceContext; regime: MarketRegime | null },
): CovenantStress {
  const { position, live, motion } = assessed;
  const { issuer, filing, debt, holdings, units } = position;
  const { parameters, prices, sourceDate } = context;
  const base = assessed.base.figures;
  const standing = assessed.base.standing;
  const repriced = live?.repriced ?? null;
  const closes = [
    ...closesRead(position, context),
    ...(repriced?.reference ?? []),
    ...(repriced?.live ?? []),
  ];
  const age = filingAge(position, context);
  const notes = sortedNotes([
    ...position.notes,
    ...age.notes,
    ...judgementNotes(position),
    ...(context.inputNotes?.(issuer.cik) ?? []),
    ...closes.filter((close) => close.conflict).map((close) => `price_conflict:${close.asset}`),
    ...closeNotes(position, context),
  ]);
  const published = sortedNotes([
    ...notes,
    ...comparisonNotes(assessed),
    ...tailNotes(assessed),
    ...assessed.unitNotes,
  ]);
  const bitcoin = { asset: 'BTC', date: sourceDate, prices, parameters };
  return {
    source_date: sourceDate,
    cik: issuer.cik,
    ticker: issuer.ticker ?? issuer.cik,
    entity_name: issuer.entityName,
    accession_number: filing.accession,
    filing_url: filingUrl({ cik: issuer.cik, accession: filing.accession }),
    filing_form: filing.form,
    period: filing.period,
    ...age.members,
    computed_at_utc: context.asOf,
    core_model: parameters.coreModel,
    core_tier: position.coreTier,
    total_long_term_debt: debt.total,
    current_debt: debt.current,
    noncurrent_debt: debt.noncurrent,
    total_crypto_fair_value: holdings.amount,
    figures_basis: position.figuresBasis,
    crypto_share_of_assets: position.relevance.share,
    treasury_relevance: position.relevance.word,
    net_debt_to_coins: position.netDebtToCoins,
    bitcoin_units_held: units.bitcoin,
    ethereum_units_held: units.ethereum,
    crypto_units_basis: units.basis,
    reference_price_date: units.referencePriceDate,
    stress_30pct: base.stress30,
    stress_50pct: base.stress50,
    stress_70pct: base.stress70,
    ...(base.covenant === null
      ? {}
      : {
          covenant_headroom_50pct: base.covenant.headroom,
          reference_covenant_ltv: parameters.referenceCovenantLtv,
          charge_level: base.covenant.chargeLevel,
          discharge_risk: base.covenant.dischargeRisk,
          breach_probability_1y: base.covenant.breachProbability,
        }),
    shocked_equity_50pct: base.shockedEquity,
    ...zMembers(standing),
    resonance_status: standing?.resonance ?? 'Neutral',
    risk_tier: base.riskTier,
    risk_tier_reasons: [...base.tierReasons],
    quality_flag: position.quality,
    data_source: debt.dataSource,
    is_linkbase_backed: isLinkbaseBacked(debt),
    calculation_arc_count: position.calculationArcCount,
    debt_coverage_status: debt.coverage,
    root_resolution_method: debt.method,
    root_resolution_details: [...debt.details],
    ...(position.arcsAuthored ? { arcs_authored: true as const } : {}),
    extension_root_concepts: [...new Set([...debt.extensionRoots, ...holdings.extensionRoots])].sort(
      compareText,
    ),
    mapping_hit_count: position.mappingHitCount,
    resolution_status: resolutionStatus(position, notes),
    selection_strategy: selectionStrategy(filing.form, context),
    classification_version: parameters.classificationVersion,
    market_regime: regime,
    btc_24h_change_pct: dailyChange(bitcoin, 1),
    btc_7d_change_pct: dailyChange(bitcoin, 7),
    stress_velocity: motion.velocity,
    uses_live_prices: live !== null,
    price_source: repriced === null ? null : sourcesOf(repriced.live),
    price_last_updated: repriced === null ? null : lastUpdated(repriced.live, context),
    live_stress_delta_24h: motion.delta24h,
    live_stress_delta_7d: motion.delta7d,
    ...liveMembers(live),
    ...unitMembers(live?.units ?? null),
    ...cashMembers(position, context),
    ...eventMembers(position, context),
    ...facilityMembers(position, context),
    data_quality_notes: published,
    data_quality_note_words: published.map(noteSentence),
  };
}

/** Scores that cannot be computed are absent (I2.4). */
function zMembers(standing: Standing | null) {
  const z = <K extends string>(name: K, value: number | null | undefined) =>
    (value === null || value === undefined ? {} : { [name]: value }) as { [P in K]?: number };
  return {
    ...z('ap_z', standing?.apZ),
    ...z('ecs_z', standing?.ecsZ),
    ...z('lsi_z', standing?.lsiZ),
    ...z('mp_z', standing?.mpZ),
    ...z('st_z', standing?.stZ),
  };
}

/** The live members: all null without an overlay (I2.5). */
function liveMembers(live: AssessedIssuer['live']) {
  const { figures, standing = null, crypto } = live ?? {};
  return {
    live_ap_z: standing?.apZ ?? null,
    live_ecs_z: standing?.ecsZ ?? null,
    live_lsi_z: standing?.lsiZ ?? null,
    live_mp_z: standing?.mpZ ?? null,
    live_st_z: standing?.stZ ?? null,
    live_total_crypto_fair_value: crypto ?? null,
    live_stress_30pct: figures?.stress30 ?? null,
    live_stress_50pct: figures?.stress50 ?? null,
    live_stress_70pct: figures?.stress70 ?? null,
    live_covenant_headroom_50pct: figures?.covenant?.headroom ?? null,
    live_charge_level: figures?.covenant?.chargeLevel ?? null,
    live_discharge_risk: figures?.covenant?.dischargeRisk ?? null,
    live_breach_probability_1y: figures?.covenant?.breachProbability ?? null,
    live_resonance_status: live === null ? null : (standing?.resonance ?? 'Neutral'),
    live_risk_tier: figures?.riskTier ?? null,
    live_risk_tier_reasons: figures === undefined ? null : [...figures.tierReasons],
  };
}

/** Units the issuer stated after its balance sheet; absent where live figures rest on filed units (I2.5h). */
function unitMembers(units: LiveUnits | null) {
  if (units === null) return {};
  const { asset, current, debt, filedUnitsCrypto, filedUnitsStress50 } = units;
  return {
    live_units: current.units.toNumber(),
    live_units_asset: asset,
    live_units_as_of: current.asOf,
    live_units_age_days: current.ageDays,
    live_units_basis: current.basis,
    live_units_accession: current.stock.source.accession,
    live_units_confidence: current.confidence,
    live_total_crypto_fair_value_filed_units: filedUnitsCrypto,
    live_stress_50pct_filed_units: filedUnitsStress50,
    ...(debt.events.length === 0 ? {} : { debt_since_low: debt.low, debt_since_high: debt.high }),
  };
}

/** Cash stated after the balance sheet; absent where none was (M17.42). */
function cashMembers({ issuer, filing }: GradedPosition, { statements, sourceDate }: SliceContext) {
  const own = statements?.get(issuer.cik) ?? [];
  const stated = statedCash(own, { after: filing.period, until: sourceDate });
  if (stated === null || stated.usd === null || stated.asOf === null) return {};
  return {
    cash_stated: stated.usd,
    cash_stated_as_of: stated.asOf,
    cash_stated_accession: stated.source.accession,
  };
}

/** What the newest current report since the period end states; absent where none was read (I2.5i). */
function eventMembers({ issuer, filing }: GradedPosition, { statements }: SliceContext) {
  const since = (statements?.get(issuer.cik) ?? []).filter(({ source }) => source.filed > filing.period);
  const events = newestEvents(since);
  if (events.length === 0) return {};
  const page = (accession: string) => filingUrl({ cik: issuer.cik, accession });
  return {
    reported_events: events.map((event) => ({ ...event, filing_url: page(event.accession_number) })),
  };
}

/** Loans that coins secure; absent where the filing shows none (I2.5b). */
function facilityMembers({ issuer, facilities }: GradedPosition, context: SliceContext) {
  if (facilities.found.length === 0) return {};
  const own = context.statements?.get(issuer.cik) ?? [];
  const isOnly = ({ id, collateral }: Facility) =>
    facilities.found.every((other) => other.id === id || other.collateral?.asset !== collateral?.asset);
  const rowOf = (facility: Facility) =>
    facilityRow(facility, { ...context, pledged: isOnly(facility) ? own : [] });
  return { facilities: facilities.found.map(rowOf) };
}

/** What the scores lack, on either basis (M3.13, M3.15, M3.16). */
function comparisonNotes({ position, base, live }: AssessedIssuer): string[] {
  const { cash, currentLiabilities } = position.balance;
  const isCashAssumed = base.standing !== null && currentLiabilities !== null && cash === null;
  return [
    ...(base.standing?.notes ?? []),
    ...(live?.standing?.notes ?? []),
    ...(isCashAssumed ? ['cash_not_reported'] : []),
  ];
}

/**
 * A discharge risk of Low says too much where most coins are ether or solana: their tails are fatter than the formula's
 * (M3.8b). Without debt the probability is 0 for any tails.
 */
function tailNotes({ position, base, live }: AssessedIssuer): string[] {
  const { debt, mix } = position;
  const isLow = [base, live].some((side) => side?.figures.covenant?.dischargeRisk === 'Low');
  const total = sumOf(mix.map(({ amount }) => amount));
  const fat = sumOf(mix.filter(({ asset }) => fatTailed.includes(asset)).map(({ amount }) => amount));
  const isMost = fat.sign > 0 && fat.plus(fat).compare(total) >= 0;
  return isLow && isMost && (debt.total.sign > 0 || (live?.debt.sign ?? 0) > 0) ? ['tail_understated'] : [];
}

const fatTailed: readonly string[] = ['ETH', 'SOL'];

function sortedNotes(notes: readonly string[]): string[] {
  return [...new Set(notes)].sort(compareText);
}

/**
 * Why a resolved row has no tier: coins are too small a part of it, or of unknown weight, or their cost proves
 * none (M3.10b, M3.25); or that a disclosed value gives no other tier than the cost.
 */
function judgementNotes({
  relevance,
  tierAtMost,
  isStressPresent,
  isTierSameAtCost,
  isUnclassified,
}: GradedPosition): string[] {
  return [
    ...(isTierSameAtCost && !isUnclassified ? ['tier_same_at_cost_and_value'] : []),
    ...(isStressPresent && relevance.word === null ? ['relevance_unknown'] : []),
    ...(relevance.word === 'incidental' ? [`coins_incidental:${relevance.share}`] : []),
    ...(tierAtMost === null ? [] : [`tier_at_most:${tierAtMost}`]),
  ];
}

function resolutionStatus({ debt, holdings }: GradedPosition, notes: readonly string[]): ResolutionStatus {
  if (debt.method === null || !holdings.isProven) return 'unresolved';
  if (debt.total.sign > 0 && holdings.amount.sign <= 0) return 'saturated';
  return notes.length > 0 ? 'resolved_with_notes' : 'resolved';
}

function selectionStrategy(form: string, { backfilled }: SliceContext): SelectionStrategy {
  if (backfilled) return 'as_of_source_date';
  return form.endsWith('/A') ? 'latest_amendment' : 'latest_periodic';
}

/** The close behind estimated coins, read even when nothing is repriced. */
function closesRead({ issuer, units }: GradedPosition, { prices }: SliceContext): Close[] {
  if (units.referencePriceDate === null || issuer.primaryAsset === null) return [];
  const close = prices.closeOn(issuer.primaryAsset, units.referencePriceDate);
  return close === null ? [] : [close];
}

/**
 * The closes a row would have read and had to do without: refused ones of its coins on the day of the balance sheet, on
 * the slice's day and on the days it is compared with, and of bitcoin, whose moves stand in every row (M2.13b); missing
 * ones where the day before would stand for them unseen (M2.13). A comparison that lacks its close is null.
 */
function closeNotes({ issuer, filing, mix }: GradedPosition, { prices, sourceDate }: SliceContext): string[] {
  const own = [...new Set([...mix.map(({ asset }) => asset), issuer.primaryAsset ?? 'BTC'])];
  const used = [
    ...own.flatMap((asset) => [filing.period, sourceDate].map((day) => ({ asset, day }))),
    { asset: 'BTC', day: sourceDate },
  ];
  const compared = [...own, 'BTC'].flatMap((asset) =>
    comparedDays.map((days) => ({ asset, day: addDays(sourceDate, -days) })),
  );
  return [
    ...used
      .filter(({ asset, day }) => prices.isMissing(asset, day))
      .map(({ asset, day }) => `close_missing:${asset}:${day}`),
    ...[...used, ...compared].flatMap(({ asset, day }) =>
      prices.refused(asset, day).map((refused) => `close_refused:${asset}:${refused}`),
    ),
  ];
}

const comparedDays = [1, 7];

function sourcesOf(closes: readonly Close[]): string {
  return [...new Set(closes.map((close) => close.source))].sort(compareText).join(',');
}

/** End of the oldest close's UTC day, never after the plan's instant (M0.13). */
function lastUpdated(closes: readonly Close[], { asOf }: SliceContext): string {
  const ends = [asOf, ...closes.map((close) => `${close.date}T23:59:59Z`)];
  return ends.reduce((earliest, end) => (end < earliest ? end : earliest));
}
