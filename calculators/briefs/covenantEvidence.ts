import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../data/contract/payloads/issuer/facility.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isPlaceholder } from '../../data/contract/values/filingUrl.ts';
import type { MovementSummary } from '../changes/dailyChanges.ts';
import { codeOf, issuerCaveats } from './briefCaveats.ts';
import { type BriefSources, type IssuerSources, moneyText, scalesOf } from './briefEvidence.ts';
import { beyond, filingMoves, loanMoves } from './changeEvidence.ts';

const shownFacilities = 4;
const shownFilings = 3;
const shownConcepts = 6;

/** The compact evidence of an issuer's brief; the same for every style (I2.39, I4.R27.2). */
export function covenantEvidence(sources: BriefSources, issuer: IssuerSources) {
  const { stress, ranking, signals } = issuer;
  const notes = [...new Set([...(stress.data_quality_notes ?? [])])];
  // a close of nothing is no gap
  const hasCoins = moneyText(stress.total_crypto_fair_value) !== '0';
  const accession = stress.accession_number;
  const concepts = debtConcepts(stress.root_resolution_details);
  const facilities = stress.facilities ?? [];
  return {
    brief: 'covenant' as const,
    source_date: sources.sourceDate,
    ...scalesOf(sources.parameters),
    ticker: stress.ticker,
    cik: stress.cik,
    entity_name: stress.entity_name ?? stress.ticker,
    period: stress.period ?? null,
    filing_age_days: issuer.filingAgeDays,
    filed: stress.filed ?? null,
    next_report_due: stress.next_report_due ?? null,
    filing_form: stress.filing_form ?? null,
    accession_number: accession,
    filing_url: stress.filing_url ?? null,
    ...balanceOf(stress),
    ...readingsOf(stress),
    live: liveOf(stress),
    ...newestEvent(stress),
    liquidity: liquidityOf(issuer.fundamentals),
    debt_concepts: concepts.slice(0, shownConcepts),
    facilities: facilities.slice(0, shownFacilities).map(facilityOf),
    not_listed: {
      debt_concepts: beyond(concepts, shownConcepts),
      facilities: beyond(facilities, shownFacilities),
    },
    recent_filings: issuer.filings
      .slice(0, shownFilings)
      .map(({ date, form, label, accession: number = null }) => ({
        date,
        form,
        label,
        accession_number: number,
      })),
    changes: changesOf(sources, stress),
    peer_rank: ranking?.peer_rank ?? null,
    peer_count: ranking?.peer_count ?? null,
    alpha_score_max: 100,
    alpha_score: signals?.alpha_score ?? null,
    board_rank: issuer.boardRank,
    research_posture: signals?.research_posture ?? null,
    notes,
    caveats: issuerCaveats([
      ...notes.filter((note) => hasCoins || codeOf(note) !== 'close_missing'),
      ...(isPlaceholder(accession) ? ['accession_placeholder'] : []),
    ]),
  };
}

export type CovenantEvidence = ReturnType<typeof covenantEvidence>;

function balanceOf(stress: CovenantStress) {
  return {
    figures_basis: stress.figures_basis ?? 'resolved',
    total_long_term_debt: moneyText(stress.total_long_term_debt),
    current_debt: moneyText(stress.current_debt),
    noncurrent_debt: moneyText(stress.noncurrent_debt),
    total_crypto_fair_value: moneyText(stress.total_crypto_fair_value),
    crypto_share_of_assets: stress.crypto_share_of_assets ?? null,
    treasury_relevance: stress.treasury_relevance ?? null,
    net_debt_to_coins: stress.net_debt_to_coins ?? null,
    bitcoin_units_held: stress.bitcoin_units_held ?? null,
    ethereum_units_held: stress.ethereum_units_held ?? null,
    crypto_units_basis: stress.crypto_units_basis ?? null,
    debt_coverage_status: stress.debt_coverage_status,
    data_source: stress.data_source,
    is_linkbase_backed: stress.is_linkbase_backed,
    quality_flag: stress.quality_flag,
  };
}

function readingsOf(stress: CovenantStress) {
  return {
    risk_tier: stress.risk_tier,
    risk_tier_reasons: stress.risk_tier_reasons ?? [],
    stress_30pct: stress.stress_30pct,
    stress_50pct: stress.stress_50pct,
    stress_70pct: stress.stress_70pct,
    covenant_headroom_50pct: stress.covenant_headroom_50pct ?? null,
    charge_level: stress.charge_level ?? null,
    discharge_risk: stress.discharge_risk ?? null,
    breach_probability_1y: stress.breach_probability_1y ?? null,
    shocked_equity_50pct: moneyText(stress.shocked_equity_50pct),
  };
}

/** The newest event of a current report; absent where none was read. */
function newestEvent({ reported_events: [event] = [] }: CovenantStress): {
  readonly newest_event?: { text: string; known_on: string; accession_number: string };
} {
  if (event === undefined) return {};
  const { text, known_on, accession_number } = event;
  return { newest_event: { text, known_on, accession_number } };
}

/** The live overlay; null where the row was not repriced (M3.18). */
function liveOf(stress: CovenantStress) {
  if (stress.uses_live_prices !== true || stress.live_stress_50pct == null) return null;
  return {
    price_date: stress.source_date,
    price_source: stress.price_source ?? null,
    price_last_updated: stress.price_last_updated ?? null,
    live_total_crypto_fair_value: moneyText(stress.live_total_crypto_fair_value),
    live_stress_30pct: stress.live_stress_30pct ?? null,
    live_stress_50pct: stress.live_stress_50pct,
    live_stress_70pct: stress.live_stress_70pct ?? null,
    live_covenant_headroom_50pct: stress.live_covenant_headroom_50pct ?? null,
    live_risk_tier: stress.live_risk_tier ?? null,
    live_risk_tier_reasons: stress.live_risk_tier_reasons ?? [],
    live_discharge_risk: stress.live_discharge_risk ?? null,
    live_breach_probability_1y: stress.live_breach_probability_1y ?? null,
    live_stress_delta_24h: stress.live_stress_delta_24h ?? null,
    live_stress_delta_7d: stress.live_stress_delta_7d ?? null,
    stress_velocity: stress.stress_velocity ?? null,
    btc_24h_change_pct: stress.btc_24h_change_pct ?? null,
    btc_7d_change_pct: stress.btc_7d_change_pct ?? null,
    market_regime: stress.market_regime ?? null,
    ...unitsOf(stress),
  };
}

/** Units the issuer stated since, their age and the debt since; absent where live figures rest on filed units. */
function unitsOf(stress: CovenantStress): { readonly stated_units?: StatedUnits } {
  const { live_units: units, live_units_asset: asset, live_units_as_of: asOf } = stress;
  if (units === undefined || asset === undefined || asOf === undefined) return {};
  return {
    stated_units: {
      ...{ units, asset, as_of: asOf, age_days: stress.live_units_age_days ?? 0 },
      accession_number: stress.live_units_accession ?? null,
      has_debt_since: stress.debt_since_low !== undefined,
      live_stress_50pct_filed_units: stress.live_stress_50pct_filed_units ?? null,
    },
  };
}

type StatedUnits = {
  readonly units: number;
  readonly asset: string;
  readonly as_of: string;
  readonly age_days: number;
  readonly accession_number: string | null;
  readonly has_debt_since: boolean;
  readonly live_stress_50pct_filed_units: number | null;
};

/** Cash and what operations brought or took, with the months of the flow (M11.3). */
function liquidityOf(fundamentals: IssuerSources['fundamentals']) {
  if (fundamentals === null) return null;
  const { cash_and_equivalents, total_equity, total_assets } = fundamentals.fundamentals;
  const flow = fundamentals.provenance.facts.cash_flow_from_operations;
  return {
    cash_and_equivalents: moneyText(cash_and_equivalents),
    total_equity: moneyText(total_equity),
    total_assets: moneyText(total_assets),
    cash_flow_from_operations:
      flow === undefined || flow.months === null
        ? null
        : { amount: moneyText(flow.value), months: flow.months, start: flow.start, end: flow.end },
  };
}

/** `C us-gaap:LongTermDebtCurrent = 316000 via … w=+1` as its side, concept and amount; one that is taken off is negative. */
function debtConcepts(details: readonly string[]) {
  return details.flatMap((detail) => {
    const [, side, concept, filed, weight] = rootDetail.exec(detail) ?? [];
    if (side === undefined || concept === undefined || filed === undefined) return [];
    const amount = ExactDecimal.parse(filed);
    const counted = weight === '-' ? amount.negated() : amount;
    return [{ side: sides[side] ?? 'debt', concept, amount: counted.toString() }];
  });
}

const rootDetail = /^([CNT]) (\S+) = (-?\d+(?:\.\d+)?)(?: via \S+ w=([+-])1| |$)/;
const sides: Readonly<Record<string, string>> = { C: 'current', N: 'noncurrent', T: 'total' };

function facilityOf(one: CovenantFacility) {
  return {
    name: one.name,
    as_of: one.as_of,
    is_subsequent: one.is_subsequent,
    drawn: moneyText(one.drawn),
    limit: moneyText(one.limit),
    collateral_asset: one.collateral_asset,
    collateral_units: one.collateral_units,
    collateral_value: moneyText(one.collateral_value),
    ltv: one.ltv,
    live_ltv: one.live_ltv,
    trigger_ltv: one.trigger_ltv,
    margin_call_price: one.margin_call_price,
    live_price_fall_to_call: one.live_price_fall_to_call,
    price_date: one.price_date,
    confidence: one.confidence,
  };
}

export type FacilityEvidence = ReturnType<typeof facilityOf>;

/** What the slice before reported differently of the issuer; null where there is none to compare with. */
function changesOf({ changes, covenantRows }: BriefSources, { cik }: CovenantStress) {
  if (changes === null || changes.comparison_source_date === undefined) return null;
  const movement = changes.movement_summary as MovementSummary | undefined;
  const own = movement === undefined ? undefined : movementOf(movement, cik);
  const tierMoves = (changes.risk_tier_moves ?? []).filter((move) => move.cik === cik);
  const [move = null] = filingMoves(own, tierMoves, covenantRows);
  return {
    comparison_source_date: changes.comparison_source_date,
    is_new: (own?.issuers_entered ?? []).length > 0,
    new_filing: move,
    loans: loanMoves(own),
  };
}

function movementOf(movement: MovementSummary, cik: string): MovementSummary {
  const own = <Row extends { readonly cik: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.cik === cik);
  return {
    ...movement,
    moved_figures: own(movement.moved_figures),
    moved_facilities: own(movement.moved_facilities),
    capital_moves: own(movement.capital_moves),
    new_filings_in_force: own(movement.new_filings_in_force),
    method_changed: own(movement.method_changed),
    issuers_entered: own(movement.issuers_entered),
    issuers_left: own(movement.issuers_left),
  };
}
