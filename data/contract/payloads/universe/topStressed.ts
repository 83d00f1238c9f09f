import { z } from 'zod';
import * as e from '../../values/enums.ts';
import {
  cik10,
  count,
  date,
  datetime,
  listMeta,
  pct,
  ratio,
  ticker,
  zScore,
} from '../../values/primitives.ts';
import { filingAge } from '../issuer/filingAge.ts';
import { payload } from '../payload.ts';
import { rows } from '../stored.ts';
import example from './topStressed.example.json' with { type: 'json' };

/** TopStressedRow (I2.49). */
export const topStressedRow = z.object({
  rank: z.number().int().min(1),
  ticker,
  period: date,
  ...filingAge,
  stress_50pct: ratio,
  covenant_headroom_50pct: ratio,
  risk_tier: z.enum(e.riskTiers),
  st_z: zScore.nullable(),
  mp_z: zScore.nullable(),
  ecs_z: zScore.nullable().optional(),
  live_ecs_z: zScore.nullable().optional(),
  core_tier: z.enum(e.coreTiers),
  charge_level: z.enum(e.chargeLevels),
  resonance_status: z.enum(e.resonances),
  is_linkbase_backed: z.boolean(),
  quality_flag: z.enum(e.qualityFlags),
  data_source: z.enum(e.dataSources),
  calculation_arc_count: count,
  debt_coverage_status: z.enum(e.debtCoverages),
  cik: cik10.optional(),
  entity_name: z.string().optional(),
  source_date: date.optional(),
  sort_basis: z.enum(['live', 'filing']).optional(),
  live_stress_50pct: ratio.nullable().optional(),
  live_covenant_headroom_50pct: ratio.nullable().optional(),
  live_mp_z: zScore.nullable().optional(),
  live_st_z: zScore.nullable().optional(),
  live_stress_delta_24h: ratio.nullable().optional(),
  live_stress_delta_7d: ratio.nullable().optional(),
  live_risk_tier: z.enum(e.riskTiers).nullable().optional(),
  live_charge_level: z.enum(e.chargeLevels).nullable().optional(),
  live_resonance_status: z.enum(e.resonances).nullable().optional(),
  stress_velocity: z.enum(e.velocities).nullable().optional(),
  market_regime: z.enum(e.marketRegimes).nullable().optional(),
  btc_24h_change_pct: pct.nullable().optional(),
  btc_7d_change_pct: pct.nullable().optional(),
  uses_live_prices: z.boolean().optional(),
  price_source: z.string().nullable().optional(),
  price_last_updated: datetime.nullable().optional(),
});

/** TopStressedResponse (I2.48). */
const schema = z.object({
  data: z.array(topStressedRow),
  meta: z.object({
    ...listMeta,
    source_date: date,
    sort: z.literal('live_else_filing_stress_50pct_desc'),
    excluded_unclassified: count,
  }),
});

export type TopStressedRow = z.infer<typeof topStressedRow>;

export const topStressed = payload({
  id: 'top_stressed.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['data[0].ticker', 'data[0].live_stress_50pct', 'data[0].live_risk_tier'],
  stored: {
    /** Ordered by rank (I2.49). */
    rows: rows({
      name: ({ slice }) => `top-stressed/${slice}`,
      row: topStressedRow,
      meta: z.strictObject({ excluded_unclassified: count }),
      columns: { rank: (row) => row.rank, ticker: (row) => row.ticker, cik: (row) => row.cik ?? null },
    }),
  },
});
