import { z } from 'zod';
import { count } from '../values/primitives.ts';

/** PageMeta: where a page lies in its list (I2.23, I2.32). */
export const pageMeta = z.object({
  limit: count,
  offset: count,
  count,
  total: count,
  has_more: z.boolean(),
  next_offset: count.optional(),
});
