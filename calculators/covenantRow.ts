import type { CovenantStress } from '../contract/covenantStress.ts';
import type { ResolutionStatus, SelectionStrategy } from '../contract/enums.ts';
import { compareText } from './compareText.ts';
import { dailyChange } from './dailyChange.ts';
import type { Close } from './priceBook.ts';
import { coreTier, isLinkbaseBacked } from './quality/qualityFlag.ts';
import { qualityNotes } from './qualityNotes.ts';
import { mappingHitCount, type ResolvedIssuer } from './resolveIssuer.ts';
import type { SliceContext } from './sliceContext.ts';
import { assessStress, type StressFigures } from './stress/assessStress.ts';
import { repriceHoldings } from './stress/repriceHoldings.ts';

/** The covenant-stress row of one issuer: filing values, live overlay, provenance (I2.4). */
export function covenantRow(
  resolved: ResolvedIssuer,
  context: SliceContext,
  fundamentalsNotes: readonly string[],
): CovenantStress {
  const { issuer, filing, debt, holdings, units, quality } = resolved;
  const { parameters, prices, sourceDate } = context;
  const live = repriceHoldings({
    crypto: holdings.amount,
    mix: resolved.mix,
    period: filing.period,
    date: sourceDate,
    prices,
    parameters,
  });
  const base = figuresAt(resolved, holdings.amount, context);
  const closes = [...closesRead(resolved, context), ...(live?.reference ?? []), ...(live?.live ?? [])];
  const notes = qualityNotes({ resolved, closes, fundamentals: fundamentalsNotes });
  const bitcoin = { asset: 'BTC', date: sourceDate, prices, parameters };
  return {
    source_date: sourceDate,
    cik: issuer.cik,
    ticker: issuer.ticker ?? issuer.cik,
    entity_name: issuer.entityName,
    accession_number: filing.accession,
    filing_form: filing.form,
    period: filing.period,
    computed_at_utc: context.asOf,
    core_model: parameters.coreModel,
    core_tier: coreTier(resolved),
    total_long_term_debt: debt.total,
    current_debt: debt.current,
    noncurrent_debt: debt.noncurrent,
    total_crypto_fair_value: holdings.amount,
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
        }),
    breach_probability_1y: base.covenant?.breachProbability ?? null,
    shocked_equity_50pct: base.shockedEquity,
    resonance_status: 'Neutral',
    risk_tier: base.riskTier,
    risk_tier_reasons: [...base.tierReasons],
    quality_flag: quality,
    data_source: debt.dataSource,
    is_linkbase_backed: isLinkbaseBacked(debt),
    calculation_arc_count: resolved.networks.arcCount,
    debt_coverage_status: debt.coverage,
    root_resolution_method: debt.method,
    root_resolution_details: [...debt.details],
    extension_root_concepts: [...new Set([...debt.extensionRoots, ...holdings.extensionRoots])].sort(
      compareText,
    ),
    mapping_hit_count: mappingHitCount(resolved),
    resolution_status: resolutionStatus(resolved, notes),
    selection_strategy: selectionStrategy(filing.form, context),
    classification_version: parameters.classificationVersion,
    market_regime: null,
    btc_24h_change_pct: dailyChange(bitcoin, 1),
    btc_7d_change_pct: dailyChange(bitcoin, 7),
    stress_velocity: null,
    uses_live_prices: live !== null,
    price_source: live === null ? null : sourcesOf(live.live),
    price_last_updated: live === null ? null : lastUpdated(live.live, context),
    live_ap_z: null,
    live_ecs_z: null,
    live_lsi_z: null,
    live_mp_z: null,
    live_st_z: null,
    live_stress_delta_24h: null,
    live_stress_delta_7d: null,
    live_total_crypto_fair_value: live?.crypto ?? null,
    ...liveFigures(live === null ? null : figuresAt(resolved, live.crypto, context)),
    data_quality_notes: notes,
  };
}

/** Figures with holdings at `crypto`; equity moves with them, pre-tax (M3.12). */
function figuresAt(
  resolved: ResolvedIssuer,
  crypto: ResolvedIssuer['holdings']['amount'],
  { parameters }: SliceContext,
): StressFigures {
  const { debt, equity, holdings, mix } = resolved;
  return assessStress(
    { debt: debt.total, crypto, equity: equity?.plus(crypto.minus(holdings.carried)) ?? null, mix },
    {
      trusted: debt.coverage !== 'low_confidence_missing_debt',
      unclassified: resolved.isUnclassified,
      parameters,
    },
  );
}

/** The live members: all null without an overlay (I2.5). */
function liveFigures(live: StressFigures | null) {
  return {
    live_stress_30pct: live?.stress30 ?? null,
    live_stress_50pct: live?.stress50 ?? null,
    live_stress_70pct: live?.stress70 ?? null,
    live_covenant_headroom_50pct: live?.covenant?.headroom ?? null,
    live_charge_level: live?.covenant?.chargeLevel ?? null,
    live_discharge_risk: live?.covenant?.dischargeRisk ?? null,
    live_breach_probability_1y: live?.covenant?.breachProbability ?? null,
    live_resonance_status: live === null ? null : ('Neutral' as const),
    live_risk_tier: live?.riskTier ?? null,
    live_risk_tier_reasons: live === null ? null : [...live.tierReasons],
  };
}

function resolutionStatus({ debt, holdings }: ResolvedIssuer, notes: readonly string[]): ResolutionStatus {
  if (debt.method === null) return 'unresolved';
  if (debt.total.sign > 0 && holdings.amount.sign <= 0) return 'saturated';
  return notes.length > 0 ? 'resolved_with_notes' : 'resolved';
}

function selectionStrategy(form: string, { backfilled }: SliceContext): SelectionStrategy {
  if (backfilled) return 'as_of_source_date';
  return form.endsWith('/A') ? 'latest_amendment' : 'latest_periodic';
}

/** The close behind estimated coins, read even when nothing is repriced. */
function closesRead({ issuer, units }: ResolvedIssuer, { prices }: SliceContext): Close[] {
  if (units.referencePriceDate === null || issuer.primaryAsset === null) return [];
  const close = prices.closeOn(issuer.primaryAsset, units.referencePriceDate);
  return close === null ? [] : [close];
}

function sourcesOf(closes: readonly Close[]): string {
  return [...new Set(closes.map((close) => close.source))].sort(compareText).join(',');
}

/** End of the oldest close's UTC day, never after the plan's instant (M0.13). */
function lastUpdated(closes: readonly Close[], { asOf }: SliceContext): string {
  const ends = [asOf, ...closes.map((close) => `${close.date}T23:59:59Z`)];
  return ends.reduce((earliest, end) => (end < earliest ? end : earliest));
}
