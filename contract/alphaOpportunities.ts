import { z } from 'zod';
import * as e from './enums.ts';
import { cik10, count, date, percentile, rank, ratio, score, ticker } from './primitives.ts';

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
  board_rank: rank.optional(),
  entity_name: z.string().optional(),
  cik: cik10.optional(),
  risk_tier: z.enum(e.riskTiers).optional(),
});

/** AlphaOpportunitiesResponse (I2.12). */
export const alphaOpportunities = z.object({
  source_date: date.nullable(),
  market_regime: z.enum(e.alphaRegimes),
  tower_status: z.enum(e.towerStatuses),
  tower_coherence: z.number().min(0).max(1).nullable(),
  opportunities: z.array(alphaOpportunityRow),
  meta: z
    .object({
      total: count,
      limit: count,
      offset: count,
      count,
      filters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    })
    .optional(),
});

export type AlphaOpportunityRow = z.infer<typeof alphaOpportunityRow>;
