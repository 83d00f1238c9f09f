import { z } from 'zod';
import { count, datetime, usd } from '../values/primitives.ts';

/** The seven reasons to quote a price instead of the fixed one (I4.VIS.20). */
export const quoteTriggers = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7'] as const;

/** Tokens and model cost that a request is expected to take (I4.VIS.21). */
export const modelEstimate = z.strictObject({
  input_tokens: count,
  output_tokens: count,
  estimated_model_cost_usd: usd,
});

/** A price that replaces the fixed one for a quarter of an hour (I4.VIS.20, I4.VIS.21). */
export const quote = z.strictObject({
  quote_id: z.string().regex(/^qte_[0-9A-HJKMNP-TV-Z]{26}$/),
  tool: z.string(),
  fixed_price_usd: usd,
  triggers: z.array(z.enum(quoteTriggers)).min(1),
  input_tokens: count,
  output_tokens: count,
  estimated_model_cost_usd: usd,
  quoted_price_usd: usd,
  quoted_price_micro_usd: count,
  expires_at: datetime,
  basis: z.literal('model-economics-1'),
});

export type QuoteTrigger = (typeof quoteTriggers)[number];
export type ModelEstimate = z.infer<typeof modelEstimate>;
export type Quote = z.infer<typeof quote>;
