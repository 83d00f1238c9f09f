import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { cik10, date, listMeta, percentile, rank, ratio, score, ticker } from '../../values/primitives.ts';
import { filingAge } from '../issuer/filingAge.ts';
import { payload } from '../payload.ts';
import { rows } from '../stored.ts';
import example from './alphaOpportunities.example.json' with { type: 'json' };

/** AlphaOpportunityRow (I2.13). */
export const alphaOpportunityRow = z.object({
  ticker,
  alpha_score: score,
  resilience_percentile: percentile,
  debt_coverage_status: z.enum(e.debtCoverages),
  live_stress_50pct: ratio,
  stress_50pct: ratio,
  treasury_strength: z.enum(e.treasuryStrengths),
  research_posture: z.string(),
  data_quality_notes: z.array(z.string()),
  ...filingAge,
  board_rank: rank.optional(),
  entity_name: z.string().optional(),
  cik: cik10.optional(),
  risk_tier: z.enum(e.riskTiers).optional(),
});

/** AlphaOpportunitiesResponse (I2.12). */
const schema = z.object({
  source_date: date.nullable(),
  market_regime: z.enum(e.alphaRegimes),
  tower_status: z.enum(e.towerStatuses),
  tower_coherence: z.number().min(0).max(1).nullable(),
  opportunities: z.array(alphaOpportunityRow),
  meta: z
    .object({
      ...listMeta,
      filters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    })
    .optional(),
});

/** What the board's filters need and its rows do not say. */
const boardStanding = z.strictObject({
  issuer_type: z.enum(e.issuerTypes),
  quality: z.enum(e.normQualities),
  /** First failed gate; null for rows of the default board (M5.16). */
  failed_gate: z.enum(e.boardGates).nullable(),
  /** First failed gate other than `issuer_type`: a fund whose only gate is its type has null here. */
  failed_gate_besides_type: z.enum(e.boardGates).nullable(),
});

export type AlphaOpportunityRow = z.infer<typeof alphaOpportunityRow>;

export const alphaOpportunities = payload({
  id: 'alpha_opportunities.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['opportunities[0].ticker', 'opportunities[0].alpha_score'],
  stored: {
    /** Every issuer with a score, in board order (M5.17), gates beside it (I4.R06.2). */
    rows: rows({
      name: ({ slice }) => `alpha-board/${slice}`,
      releases: 'all',
      row: alphaOpportunityRow,
      meta: z.strictObject({
        market_regime: z.enum(e.alphaRegimes),
        tower_status: z.enum(e.towerStatuses),
        tower_coherence: z.number().min(0).max(1).nullable(),
      }),
      beside: boardStanding,
      columns: {
        cik: (row) => row.cik ?? null,
        ticker: (row) => row.ticker,
        alpha_score: (row) => row.alpha_score,
        risk_tier: (row) => row.risk_tier ?? null,
        debt_coverage_status: (row) => row.debt_coverage_status,
        quality: (_, beside) => beside.quality,
        issuer_type: (_, beside) => beside.issuer_type,
        failed_gate: (_, beside) => beside.failed_gate,
        failed_gate_besides_type: (_, beside) => beside.failed_gate_besides_type,
      },
    }),
  },
});
