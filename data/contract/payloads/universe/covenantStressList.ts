import { z } from 'zod';
import { date, listMeta } from '../../values/primitives.ts';
import { covenantStress } from '../issuer/covenantStress.ts';
import { payload } from '../payload.ts';

/** CovenantStressListResponse (I2.6). */
const schema = z.object({
  data: z.array(covenantStress.schema),
  meta: z.object({
    ...listMeta,
    filters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    source_date: date.optional(),
    sort: z.literal('stress_50pct_desc').optional(),
  }),
});

export const covenantStressList = payload({
  id: 'covenant_stress_list.v1',
  schema,
  example: {
    data: [covenantStress.example],
    meta: {
      total: 1,
      limit: 25,
      offset: 0,
      count: 1,
      filters: { risk_tier: 'LOW' },
      source_date: '2026-02-07',
      sort: 'stress_50pct_desc',
    },
  },
  excerpt: ['data[0].ticker', 'data[0].risk_tier', 'data[0].stress_50pct'],
  stored: {
    rows: covenantStress.stored.rows,
  },
});
