import { z } from 'zod';
import { compareText } from '../../values/compareText.ts';
import * as e from '../../values/enums.ts';
import {
  accession,
  cik10,
  count,
  date,
  datetime,
  filingPage,
  money,
  pct,
  ratio,
  ticker,
  zScore,
} from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object, rows } from '../stored.ts';
import example from './covenantStress.example.json' with { type: 'json' };
import { facility } from './facility.ts';
import { currentReports, filingAge } from './filingAge.ts';

/** Members of an issuer's row where coins it stated after its balance sheet move its live figures (I2.5h). */
const liveUnits = {
  live_units: z.number().optional(),
  live_units_asset: z.string().optional(),
  live_units_as_of: date.optional(),
  live_units_age_days: count.optional(),
  live_units_basis: z.enum(['stated', 'stated_rolled']).optional(),
  live_units_accession: accession.optional(),
  live_units_confidence: z.enum(['High', 'Medium']).optional(),
  live_total_crypto_fair_value_filed_units: money.optional(),
  live_stress_50pct_filed_units: ratio.optional(),
  debt_since_low: money.optional(),
  debt_since_high: money.optional(),
  cash_stated: money.optional(),
  cash_stated_as_of: date.optional(),
  cash_stated_accession: accession.optional(),
} as const;

const eventKinds = [
  'bought',
  'sold',
  'mined',
  'holds',
  'pledged',
  'released',
  'notes_closed',
  'notes_repaid',
  'redemption_announced',
  'shares_sold',
  'cash',
] as const;

const reportedEvent = z.object({
  kind: z.enum(eventKinds),
  text: z.string(),
  as_of: date,
  known_on: date,
  accession_number: accession,
  filing_url: filingPage,
  place: z.string(),
});

/** Statements of the newest current report that has any (I2.5i). */
const reportedEvents = { reported_events: z.array(reportedEvent).optional() } as const;

/** The newest event of an issuer, with the age of the coins its live reading rests on. */
export type NewestReport = {
  readonly ticker: string;
  readonly text: string;
  readonly known_on: string;
  readonly accession_number: string;
  /** null where the live reading rests on filed coins. */
  readonly live_units_age_days: number | null;
};

const weekMs = 7 * 86_400_000;

/** What issuers reported in the week to `day`, the newest first, one event an issuer (I2.5i). */
export function newestReports(
  rows: readonly CovenantStress[],
  { day, limit }: { readonly day: string; readonly limit: number },
): NewestReport[] {
  return rows
    .flatMap(({ ticker, reported_events: [event] = [], live_units_age_days = null }) => {
      if (event === undefined || Date.parse(day) - Date.parse(event.known_on) >= weekMs) return [];
      const { text, known_on, accession_number } = event;
      return [{ ticker, text, known_on, accession_number, live_units_age_days }];
    })
    .toSorted((a, b) => compareText(b.known_on, a.known_on) || compareText(a.ticker, b.ticker))
    .slice(0, limit);
}

/** `MSTR, 2026-02-02: bought 855 BTC …; live coins 6 days old (0001193125-26-032731).` */
export function reportWords({ ticker, text, known_on, accession_number, ...report }: NewestReport): string {
  const { live_units_age_days: days } = report;
  const age = days === null ? '' : `; live coins ${days} ${days === 1 ? 'day' : 'days'} old`;
  return `${ticker}, ${known_on}: ${text}${age} (${accession_number}).`;
}

/** CovenantStressResponse, one issuer and one slice (I2.4). */
const schema = z.object({
  source_date: date,
  cik: cik10,
  ticker,
  entity_name: z.string().optional(),
  accession_number: accession,
  filing_url: filingPage.optional(),
  filing_form: z.string().optional(),
  period: date.optional(),
  ...filingAge,
  ...currentReports,
  computed_at_utc: datetime.optional(),
  core_model: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*-\d+\.\d+$/),
  core_tier: z.enum(e.coreTiers).optional(),
  total_long_term_debt: money,
  current_debt: money.optional(),
  noncurrent_debt: money.optional(),
  total_crypto_fair_value: money,
  figures_basis: z.enum(e.figuresBases).optional(),
  crypto_share_of_assets: ratio.nullable().optional(),
  treasury_relevance: z.enum(e.treasuryRelevances).nullable().optional(),
  net_debt_to_coins: ratio.nullable().optional(),
  bitcoin_units_held: z.number().nullable().optional(),
  ethereum_units_held: z.number().nullable().optional(),
  crypto_units_basis: z.string().nullable().optional(),
  reference_price_date: date.nullable().optional(),
  stress_30pct: ratio,
  stress_50pct: ratio,
  stress_70pct: ratio,
  covenant_headroom_50pct: ratio.optional(),
  reference_covenant_ltv: z.number().optional(),
  charge_level: z.enum(e.chargeLevels).optional(),
  discharge_risk: z.enum(e.dischargeRisks).optional(),
  ap_z: zScore.optional(),
  ecs_z: zScore.optional(),
  lsi_z: zScore.optional(),
  mp_z: zScore.optional(),
  st_z: zScore.optional(),
  resonance_status: z.enum(e.resonances).optional(),
  risk_tier: z.enum(e.riskTiers),
  risk_tier_reasons: z.array(z.enum(e.tierReasons)).optional(),
  // null in slices of older builds, absent since
  breach_probability_1y: ratio.nullable().optional(),
  shocked_equity_50pct: money.nullable().optional(),
  quality_flag: z.enum(e.qualityFlags),
  data_source: z.enum(e.dataSources),
  is_linkbase_backed: z.boolean(),
  calculation_arc_count: count,
  debt_coverage_status: z.enum(e.debtCoverages),
  root_resolution_method: z.string().nullable(),
  root_resolution_details: z.array(z.string()),
  arcs_authored: z.literal(true).optional(),
  extension_root_concepts: z.array(z.string()),
  mapping_hit_count: count.nullable(),
  resolution_status: z.enum(e.resolutionStatuses).optional(),
  selection_strategy: z.enum(e.selectionStrategies).optional(),
  classification_version: z.string().optional(),
  market_regime: z.enum(e.marketRegimes).nullable().optional(),
  btc_24h_change_pct: pct.nullable().optional(),
  btc_7d_change_pct: pct.nullable().optional(),
  stress_velocity: z.enum(e.velocities).nullable().optional(),
  uses_live_prices: z.boolean().optional(),
  price_source: z.string().nullable().optional(),
  price_last_updated: datetime.nullable().optional(),
  live_ap_z: zScore.nullable().optional(),
  live_ecs_z: zScore.nullable().optional(),
  live_lsi_z: zScore.nullable().optional(),
  live_mp_z: zScore.nullable().optional(),
  live_st_z: zScore.nullable().optional(),
  live_stress_30pct: ratio.nullable().optional(),
  live_stress_50pct: ratio.nullable().optional(),
  live_stress_70pct: ratio.nullable().optional(),
  live_covenant_headroom_50pct: ratio.nullable().optional(),
  live_total_crypto_fair_value: money.nullable().optional(),
  live_stress_delta_24h: ratio.nullable().optional(),
  live_stress_delta_7d: ratio.nullable().optional(),
  live_charge_level: z.enum(e.chargeLevels).nullable().optional(),
  live_discharge_risk: z.enum(e.dischargeRisks).nullable().optional(),
  live_resonance_status: z.enum(e.resonances).nullable().optional(),
  live_risk_tier: z.enum(e.riskTiers).nullable().optional(),
  live_risk_tier_reasons: z.array(z.enum(e.tierReasons)).nullable().optional(),
  live_breach_probability_1y: ratio.nullable().optional(),
  ...liveUnits,
  ...reportedEvents,
  facilities: z.array(facility).optional(),
  data_quality_notes: z.array(z.string()).optional(),
  /** Absent in slices of older builds. */
  data_quality_note_words: z.array(z.string()).optional(),
});

export type CovenantStress = z.infer<typeof schema>;

export const covenantStress = payload({
  id: 'covenant_stress.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['ticker', 'risk_tier', 'stress_50pct'],
  stored: {
    object: object({
      subject: 'issuer',
      schema,
      key: ({ slice, cik }) => `covenant/${slice}/CIK${cik}.json`,
    }),
    /** Judged rows, then the others, each by stress_50pct desc, ticker asc (I4.R12.4); answers the screen too, and R11 of past dates (I4.36). */
    rows: rows({
      name: ({ slice }) => `covenant-slice/${slice}`,
      releases: 'all',
      row: schema,
      beside: z.strictObject({ unranked_reason: z.enum(e.unrankedReasons).nullable() }),
      columns: {
        cik: (row) => row.cik,
        ticker: (row) => row.ticker,
        period: (row) => row.period ?? null,
        risk_tier: (row) => row.risk_tier,
        quality_flag: (row) => row.quality_flag,
        debt_coverage_status: (row) => row.debt_coverage_status,
        treasury_relevance: (row) => row.treasury_relevance ?? null,
        stress_50pct: (row) => row.stress_50pct,
        is_linkbase_backed: (row) => row.is_linkbase_backed,
        unranked_reason: (_, beside) => beside.unranked_reason,
      },
    }),
  },
});
