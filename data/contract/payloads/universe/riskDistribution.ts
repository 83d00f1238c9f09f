import { z } from 'zod';
import { riskTiers } from '../../values/enums.ts';
import { count, date, datetime, eachOf } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object } from '../stored.ts';
import example from './riskDistribution.example.json' with { type: 'json' };

const tierShare = z.object({ count, percentage: z.number().min(0).max(100) });

/** RiskDistributionResponse (I2.47): counts sum to `meta.total`, percentages to exactly 100.00. */
const schema = z.object({
  ...eachOf(tierShare, ...riskTiers),
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
  schema,
  example: example as z.output<typeof schema>,
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
