import { z } from 'zod';
import { count, date, datetime } from './primitives.ts';

const tierShare = z.object({ count, percentage: z.number().min(0).max(100) });

/** RiskDistributionResponse (I2.47): counts sum to `meta.total`, percentages to exactly 100.00. */
export const riskDistribution = z.object({
  CRITICAL: tierShare,
  HIGH: tierShare,
  MODERATE: tierShare,
  LOW: tierShare,
  UNCLASSIFIED: tierShare,
  meta: z.object({
    source_date: date,
    computed_at_utc: datetime,
    total: count,
    percentage_scale: z.literal('0_100'),
    basis: z.enum(['filing', 'live']),
  }),
});

export type RiskDistribution = z.infer<typeof riskDistribution>;
