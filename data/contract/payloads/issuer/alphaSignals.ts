import { z } from 'zod';
import * as e from '../../values/enums.ts';
import {
  date,
  datetime,
  eachOf,
  filingPage,
  percentile,
  ratio,
  score,
  ticker,
} from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object, rows } from '../stored.ts';
import example from './alphaSignals.example.json' with { type: 'json' };

const parts = <N extends string>(...names: readonly N[]) => z.object(eachOf(score, ...names));

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
  schema,
  example: example as z.output<typeof schema>,
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
