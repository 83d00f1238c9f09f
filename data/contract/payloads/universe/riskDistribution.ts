import { z } from 'zod';
import { count, date, datetime } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object } from '../stored.ts';

const tierShare = z.object({ count, percentage: z.number().min(0).max(100) });

/** RiskDistributionResponse (I2.47): counts sum to `meta.total`, percentages to exactly 100.00. */
const schema = z.object({
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

export type RiskDistribution = z.infer<typeof schema>;

export const riskDistribution = payload({
  id: 'risk_distribution.v1',
  name: 'RiskDistribution',
  schema,
  example: {
    CRITICAL: { count: 1, percentage: 7.69 },
    HIGH: { count: 4, percentage: 30.77 },
    MODERATE: { count: 0, percentage: 0 },
    LOW: { count: 8, percentage: 61.54 },
    UNCLASSIFIED: { count: 0, percentage: 0 },
    meta: {
      source_date: '2026-02-07',
      computed_at_utc: '2026-02-07T07:12:40Z',
      total: 13,
      percentage_scale: '0_100',
      basis: 'filing',
    },
  },
  excerpt: ['CRITICAL', 'LOW'],
  stored: {
    /** The form that counts the live tiers lies beside the one of the filings. */
    object: object({
      subject: 'none',
      schema,
      key: ({ slice, variant }) => `risk-distribution/${slice}${variant}.json`,
      variants: { 'basis=live': '.live' },
    }),
  },
});
