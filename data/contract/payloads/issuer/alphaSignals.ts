import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { date, datetime, filingPage, percentile, ratio, score, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object, rows } from '../stored.ts';

const parts = <N extends string>(...names: readonly N[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, score])) as Record<N, typeof score>);

/** AlphaSignalsResponse, one issuer and one slice (I2.17–I2.20). */
const schema = z.object({
  source_date: date.nullable(),
  ticker,
  market_regime: z.enum(e.alphaRegimes),
  tower_status: z.enum(e.towerStatuses),
  tower_coherence: z.number().min(0).max(1).nullable(),
  alpha_score: score,
  alpha_score_breakdown: parts('debt_cleanliness', 'stress_resilience', 'regime_fit', 'treasury_strength'),
  stress_resilience_score: score,
  stress_resilience_breakdown: parts(
    'inverse_live_stress',
    'delta_stability_proxy',
    'debt_buffer_strength',
    'treasury_cushion',
  ),
  regime_fit_score: score,
  regime_fit_breakdown: parts(
    'stress_alignment',
    'peer_relative_strength',
    'treasury_regime_bonus',
    'tower_participation_modifier',
  ),
  treasury_strength_score: score,
  treasury_strength_breakdown: parts('asset_ratio', 'net_coverage', 'disclosure').optional(),
  debt_cleanliness_breakdown: parts('coverage', 'source', 'quality').optional(),
  treasury_strength: z.enum(e.treasuryStrengths),
  dominant_treasury_asset: z.enum(e.dominantAssets),
  alpha_interpretation: z.string(),
  research_posture: z.string(),
  data_quality_notes: z.array(z.string()),
  score_inputs: z.object({
    live_stress_50pct: ratio,
    stress_50pct: ratio,
    live_stress_delta_24h: ratio,
    live_stress_delta_7d: ratio,
    peer_percentile: percentile,
    treasury_asset_ratio_score: score,
    stress_data_status: z.enum(e.stressDataStatuses),
    treasury_data_status: z.enum(e.treasuryDataStatuses),
    quality_flag_normalized: z.enum(e.normQualities),
  }),
  provenance: z.object({
    source_date: date.nullable(),
    computed_at_utc: datetime,
    data_source: z.string(),
    is_linkbase_backed: z.boolean(),
    quality_flag: z.string().nullable(),
    root_resolution_method: z.string().nullable(),
    debt_coverage_status: z.string(),
    market_regime: z.string(),
    tower_status: z.string(),
    crypto_units_basis: z.string(),
  }),
  accession_number: z.string().nullable().optional(),
  filing_url: filingPage.optional(),
  cik: z.string().nullable().optional(),
  entity_name: z.string().nullable().optional(),
  period: date.nullable().optional(),
});

export type AlphaSignals = z.infer<typeof schema>;

export const alphaSignals = payload({
  id: 'alpha_signals.v1',
  name: 'AlphaSignals',
  schema,
  example: {
    source_date: '2026-02-07',
    ticker: 'BMNR',
    entity_name: 'Bitmine Immersion Technologies, Inc.',
    cik: '0001829311',
    accession_number: '0001493152-26-002084',
    filing_url:
      'https://www.sec.gov/Archives/edgar/data/1829311/000149315226002084/0001493152-26-002084-index.htm',
    period: '2025-11-30',
    market_regime: 'high_synchronization_risk',
    tower_status: 'insufficient_data',
    tower_coherence: null,
    alpha_score: 87,
    alpha_score_breakdown: {
      debt_cleanliness: 92,
      stress_resilience: 99,
      regime_fit: 69,
      treasury_strength: 88,
    },
    stress_resilience_score: 99,
    stress_resilience_breakdown: {
      inverse_live_stress: 100,
      delta_stability_proxy: 100,
      debt_buffer_strength: 100,
      treasury_cushion: 95,
    },
    regime_fit_score: 69,
    regime_fit_breakdown: {
      stress_alignment: 100,
      peer_relative_strength: 88,
      treasury_regime_bonus: 15,
      tower_participation_modifier: 0,
    },
    treasury_strength_score: 88,
    treasury_strength_breakdown: {
      asset_ratio: 89,
      net_coverage: 100,
      disclosure: 60,
    },
    debt_cleanliness_breakdown: {
      coverage: 40,
      source: 24,
      quality: 28,
    },
    treasury_strength: 'strong',
    dominant_treasury_asset: 'ethereum',
    alpha_interpretation:
      'Debt cleanliness and stress resilience carry the score; regime fit is the weakest part.',
    research_posture: 'resilience_candidate',
    data_quality_notes: [],
    score_inputs: {
      live_stress_50pct: 0,
      stress_50pct: 0,
      live_stress_delta_24h: 0,
      live_stress_delta_7d: 0,
      peer_percentile: 88.46,
      treasury_asset_ratio_score: 89,
      stress_data_status: 'present',
      treasury_data_status: 'normal',
      quality_flag_normalized: 'high',
    },
    provenance: {
      source_date: '2026-02-07',
      computed_at_utc: '2026-02-07T07:12:40Z',
      data_source: 'linkbase_rooted_facts',
      is_linkbase_backed: true,
      quality_flag: 'High',
      root_resolution_method: 'corroborated_zero',
      debt_coverage_status: 'legitimate_zero_debt',
      crypto_units_basis: 'fair_value_implied_eth',
      market_regime: 'high_synchronization_risk',
      tower_status: 'insufficient_data',
    },
  },
  excerpt: ['ticker', 'alpha_score', 'research_posture'],
  stored: {
    object: object({
      subject: 'issuer',
      schema,
      key: ({ slice, cik }) => `alpha-signals/${slice}/CIK${cik}.json`,
    }),
    /** Ordered by CIK (I4.36). */
    rows: rows({
      name: ({ slice }) => `alpha-signals/${slice}`,
      releases: 'backfilled',
      row: schema,
      columns: {
        cik: (row) => row.cik ?? null,
        ticker: (row) => row.ticker,
        period: (row) => row.period ?? null,
      },
    }),
  },
});
